import type { Block } from "./blocks/blocks.ts";
import type { InnerFile, ParseContext } from "./context.ts";
import { oneLine } from "./tidy-text.ts";

/** Reads files inside a file, each under its name as heading; what gives no text becomes a warning. */
export const readInnerFiles = async (
  files: readonly InnerFile[],
  context: ParseContext,
  options: { level: number; label: string },
): Promise<{ blocks: Block[]; warnings: string[] }> => {
  const blocks: Block[] = [];
  const warnings: string[] = [];
  for (const file of files) {
    const name = oneLine(file.name ?? "") || "without name";
    const parsed = await context.readInner(file);
    if ("failure" in parsed) {
      warnings.push(`${name} was left out: ${parsed.failure}.`);
      continue;
    }
    blocks.push({ kind: "heading", level: options.level, text: `${options.label}${name}` });
    blocks.push({ kind: "verbatim", text: lowered(parsed.text, options.level) });
    warnings.push(...parsed.warnings.map((warning) => `${name}: ${warning}`));
  }
  return { blocks, warnings };
};

/** Markdown with its headings some levels deeper, so that they are below the name of their file. */
const lowered = (markdown: string, levels: number): string => {
  let fence: string | null = null;
  return markdown
    .split("\n")
    .map((line) => {
      const mark = /^(```|~~~)/.exec(line)?.[1] ?? null;
      if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
      const heading = fence === null ? /^(#{1,6})(?= )/.exec(line)?.[1] : undefined;
      return heading ? "#".repeat(Math.min(heading.length + levels, 6)) + line.slice(heading.length) : line;
    })
    .join("\n");
};
