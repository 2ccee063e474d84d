import { isScalar, LineCounter, parseDocument } from "yaml";

const path = ["answers", "refusalThreshold"] as const;

const parse = (text: string) => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, keepSourceTokens: true });
  const node = document.getIn(path, true);
  const range = isScalar(node) && node.source !== undefined ? node.range : undefined;
  return { document, lines, range: range ?? null };
};

/** The line of `answers.refusalThreshold` in a settings file, from 1; null where it is not set there. */
export const lineOfThreshold = (text: string): number | null => {
  const { lines, range } = parse(text);
  return range === null ? null : lines.linePos(range[0]).line;
};

/** The settings file with the threshold set; every other character, comments too, stays as it is. */
export const withThreshold = (text: string, threshold: number): string => {
  const { document, range } = parse(text);
  if (range !== null) return `${text.slice(0, range[0])}${threshold}${text.slice(range[1])}`;
  const answers = document.get("answers", true);
  if (answers === undefined) {
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    return `${text}${gap}${text.trim() === "" ? "" : "\n"}answers:\n  refusalThreshold: ${threshold}\n`;
  }
  if (isScalar(answers) && answers.range)
    return `${text.slice(0, answers.range[0])}\n  refusalThreshold: ${threshold}${text.slice(answers.range[1])}`;
  document.setIn(path, threshold);
  return document.toString({ lineWidth: 0 });
};
