import type { Content } from "../blocks/blocks.ts";
import { appendBlocks, noText } from "../blocks/blocks.ts";
import type { ParseContext } from "./context.ts";
import { readInnerFiles } from "./context.ts";

/** Files that operating systems add to archives. */
const isByproduct = (name: string): boolean => /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(name);

interface Archive {
  readonly names: readonly string[];
  read(name: string): Uint8Array | null;
}

/** An archive of files that can be read, each under its name; bounded in number, depth and size. */
export const readArchive = async (archive: Archive, context: ParseContext): Promise<Content> => {
  const names = archive.names.filter((name) => !isByproduct(name)).sort((a, b) => a.localeCompare(b, "en"));
  const content: Content = { title: null, blocks: [], warnings: [] };
  for (const name of names) {
    const file = { bytes: archive.read(name) ?? new Uint8Array(), name, mimeType: null };
    const read = await readInnerFiles([file], context, { level: 1, label: "" });
    appendBlocks(content.blocks, read.blocks);
    content.warnings.push(...read.warnings);
  }
  if (content.blocks.length === 0) {
    throw noText(
      names.length === 0
        ? "The archive is empty."
        : `No file of the archive could be read. ${content.warnings[0] ?? ""}`.trim(),
    );
  }
  return content;
};
