import { type Block, type Content, commentBlock } from "../../blocks/blocks.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import { type OfficePackage, openOfficePackage, type Relation } from "../../containers/office-package.ts";
import { childrenNamed, descendant, descendants, type MarkupElement, textOf } from "../../markup/markup.ts";
import type { ParseContext } from "../context.ts";
import { createPartReader, type PartReader } from "./part-reader.ts";
import { readNumbering, readStyles } from "./styles.ts";

const pageNumber = /^(?:page|seite)?[\s\d/|–-]*(?:(?:of|von)[\s\d]*)?$/i;
const maxPageNumberCharacters = 100;

/** The document's headers or its footers, each text once; page numbers alone are left out. */
const readHeadersOrFooters = (
  type: "header" | "footer",
  file: OfficePackage,
  relations: Iterable<Relation>,
  readerOf: (path: string) => PartReader,
): Block[] => {
  const seen = new Set<string>();
  return [...relations].flatMap((relation) => {
    if (relation.type !== type) return [];
    const root = file.part(relation.target);
    const container = root ? (descendant(root, "w:hdr") ?? descendant(root, "w:ftr")) : null;
    return (container ? readerOf(relation.target).blocks(container) : []).filter((block) => {
      const key = JSON.stringify({ ...block, kind: "" });
      const isPageNumber = block.kind === "paragraph" && pageNumber.test(block.text.slice(0, maxPageNumberCharacters));
      if (seen.has(key) || isPageNumber) return false;
      seen.add(key);
      return true;
    });
  });
};

/** The number a note is shown with. Footnotes and endnotes are counted together, in the order they are referred to. */
type NoteNumber = (kind: "footnote" | "endnote", id: string) => number;

const createNoteNumber = (): NoteNumber => {
  const numbers = new Map<string, number>();
  return (kind, id) => {
    const key = `${kind} ${id}`;
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  };
};

/** The texts of footnotes and endnotes as `[^1]: text`, in the order of their numbers. */
export const readNotes = (
  file: OfficePackage,
  relations: Iterable<Relation>,
  readerOf: (path: string) => PartReader,
  noteNumber: NoteNumber,
): Block[] => {
  const notes = [...relations].flatMap(({ type, target }) => {
    if (type !== "footnotes" && type !== "endnotes") return [];
    const kind = type === "footnotes" ? "footnote" : "endnote";
    const root = file.part(target);
    const { text: textOf } = readerOf(target);
    return childrenNamed(root ? descendant(root, `w:${type}`) : null, `w:${kind}`).flatMap((note) => {
      const { attributes } = note;
      // The others are separators.
      if (attributes["w:type"] !== undefined && attributes["w:type"] !== "normal") return [];
      const text = oneLine(descendants(note, "w:p").map(textOf).join(" "));
      return text === "" ? [] : [{ number: noteNumber(kind, attributes["w:id"] ?? ""), text }];
    });
  });
  return notes
    .sort((a, b) => a.number - b.number)
    .map(({ number, text }): Block => ({ kind: "paragraph", text: `[^${number}]: ${text}` }));
};

/**
 * A Word document: headings by style, lists with their numbers, tables, links, footnotes; its headers before the text
 * and its footers after it, each once. Deleted and hidden text is left out.
 */
export const readDocx = async (bytes: Uint8Array, context: ParseContext): Promise<Content> => {
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
  const warnings: string[] = [];
  const inserted = await insertedTexts(file, relationsById, context, warnings);
  const readerOf = (path: string): PartReader => {
    const links = path === file.mainPath ? relationsById : file.relations(path);
    const partOf = (id: string) => {
      const relation = links.get(id);
      return relation && !relation.isExternal ? file.part(relation.target) : null;
    };
    return createPartReader({
      styleOf,
      nextMarker,
      noteNumber,
      linkTarget: (id) => links.get(id)?.target ?? null,
      related: partOf,
      insertedText: (id) => (path === file.mainPath ? (inserted.get(id) ?? "") : ""),
    });
  };
  // In this order: lists and notes are counted as they are read.
  const headers = readHeadersOrFooters("header", file, relations, readerOf);
  const text = readerOf(file.mainPath).blocks(body);
  const notes = readNotes(file, relations, readerOf, noteNumber);
  const footers = readHeadersOrFooters("footer", file, relations, readerOf);
  const blocks = [...headers, ...text, ...notes, ...readComments(related("comments")), ...footers];
  const heading = blocks.find((block) => block.kind === "heading" && block.level === 1);
  return { title: file.title ?? (heading?.kind === "heading" ? heading.text : null), blocks, warnings, ...file.stated };
};

/** Files that are put into the text as they are (`altChunk`), by the id of their relation. */
const insertedTexts = async (
  file: OfficePackage,
  relations: ReadonlyMap<string, Relation>,
  context: ParseContext,
  warnings: string[],
): Promise<Map<string, string>> => {
  const texts = new Map<string, string>();
  for (const [id, { type, target, isExternal }] of relations) {
    if (type !== "aFChunk" || isExternal) continue;
    const name = target.slice(target.lastIndexOf("/") + 1);
    const bytes = file.zip.read(target);
    const read = bytes === null ? null : await context.readInner({ bytes, name, mimeType: null });
    if (read !== null && "text" in read) texts.set(id, read.text);
    else warnings.push(`${name}, a part of the text, was left out${read === null ? "" : `: ${read.failure}`}.`);
  }
  return texts;
};

/** What reviewers wrote beside the text, with their names. */
const readComments = (root: MarkupElement | null): Block[] =>
  childrenNamed(root ? descendant(root, "w:comments") : null, "w:comment").flatMap((comment): Block[] => {
    const text = oneLine(
      descendants(comment, "w:p")
        .map((part) => descendants(part, "w:t").map(textOf).join(""))
        .join(" "),
    );
    return commentBlock(oneLine(comment.attributes["w:author"] ?? ""), text);
  });
