import type { Block } from "../blocks/blocks.ts";
import { joinTwo } from "../formats/pdf/paragraphs.ts";

/** Paragraphs out of OCR's lines: empty lines part them, words broken at a line's end are joined. */
export const textBlocks = (text: string): Block[] => {
  return text.split(/\n\s*\n|\f/).flatMap((part): Block[] => {
    const lines = part.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
    const joined = lines.reduce((whole, line, index) => {
      if (index === 0) return line;
      return isFigures(line) && isFigures(lines[index - 1] ?? "") ? `${whole}\n${line}` : joinTwo(whole, line, noWords);
    }, "");
    return joined === "" ? [] : [{ kind: "paragraph", text: joined }];
  });
};

const noWords: ReadonlySet<string> = new Set();

/** A line of figures is a row of a table and is not joined to others. */
const isFigures = (line: string): boolean => (line.match(/\d/g)?.length ?? 0) > line.length * 0.3;
