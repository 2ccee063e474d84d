import type { Content } from "../../blocks/blocks.ts";
import { openOfficePackage } from "../../containers/office-package.ts";
import type { ParseContext } from "../../context.ts";
import { descendant } from "../../markup.ts";
import { readHeadersOrFooters } from "./headers-and-footers.ts";
import { createNoteNumber, readNotes } from "./notes.ts";
import { readNumbering } from "./numbering.ts";
import { createPartReader, type PartReader } from "./part-reader.ts";
import { readStyles } from "./styles.ts";

/**
 * A Word document: headings by style, lists with their numbers, tables, links, footnotes; its headers before the text
 * and its footers after it, each once. Deleted and hidden text is left out.
 */
export const readDocx = (bytes: Uint8Array, context: ParseContext): Content => {
  const file = openOfficePackage(bytes, context.budget);
  const root = file.part(file.mainPath);
  const body = root ? descendant(root, "w:body") : null;
  if (!body) return { title: file.title, blocks: [], warnings: [] };
  const relationsById = file.relations(file.mainPath);
  const relations = [...relationsById.values()];
  const related = (type: string) => {
    const found = relations.find((relation) => relation.type === type && !relation.isExternal);
    return found ? file.part(found.target) : null;
  };
  const styleOf = readStyles(related("styles"));
  const nextMarker = readNumbering(related("numbering"));
  const noteNumber = createNoteNumber();
  const readerOf = (path: string): PartReader => {
    const links = path === file.mainPath ? relationsById : file.relations(path);
    return createPartReader({ styleOf, nextMarker, noteNumber, linkTarget: (id) => links.get(id)?.target ?? null });
  };
  // In this order: lists and notes are counted as they are read.
  const headers = readHeadersOrFooters("header", file, relations, readerOf);
  const text = readerOf(file.mainPath).blocks(body);
  const notes = readNotes(file, relations, readerOf, noteNumber);
  const footers = readHeadersOrFooters("footer", file, relations, readerOf);
  const blocks = [...headers, ...text, ...notes, ...footers];
  const heading = blocks.find((block) => block.kind === "heading" && block.level === 1);
  return { title: file.title ?? (heading?.kind === "heading" ? heading.text : null), blocks, warnings: [] };
};
