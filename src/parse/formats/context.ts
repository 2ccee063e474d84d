import type { PageReached, ParsedFile } from "../../../providers/contract.ts";
import type { Block } from "../blocks/blocks.ts";
import { oneLine } from "../blocks/tidy-text.ts";
import type { UnpackBudget } from "../containers/zip.ts";
import type { Ocr } from "../ocr/tesseract.ts";

/** What a format's reader gets besides the bytes. */
export interface ParseContext {
  name: string | null;
  /** Links are resolved against it. */
  baseUrl: string | null;
  budget: UnpackBudget;
  /** Most pages of a PDF. */
  maxPages: number;
  /** The `tesseract` program, or null where it is not installed. */
  ocr: Ocr | null;
  /** To be called before a page is read, where the format has pages that take a while. */
  onPage(reached: PageReached): void;
  /**
   * Reads a file inside this one, such as an attachment; null where it holds nothing that can be read, with the reason.
   * Depth and number of files inside one document are bounded.
   */
  readInner(file: InnerFile): Promise<ParsedFile | InnerFailure>;
}

export interface InnerFile {
  bytes: Uint8Array;
  name: string | null;
  mimeType: string | null;
}

/** Why a file inside another gave no text. */
export interface InnerFailure {
  failure: string;
}

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
