import type { Block, Content } from "../../blocks/blocks.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import { type OfficePackage, openOfficePackage, type Relation } from "../../containers/office-package.ts";
import { childrenNamed, descendant, descendants, type MarkupElement, textOf } from "../../markup/markup.ts";
import type { ParseContext } from "../context.ts";
import { readHeadersOrFooters } from "./headers-and-footers.ts";
import { createNoteNumber, readNotes } from "./notes.ts";
import { readNumbering } from "./numbering.ts";
import { createPartReader, type PartReader } from "./part-reader.ts";
import { readStyles } from "./styles.ts";

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
  return { title: file.title ?? (heading?.kind === "heading" ? heading.text : null), blocks, warnings };
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
    const author = oneLine(comment.attributes["w:author"] ?? "");
    return text === "" ? [] : [{ kind: "paragraph", text: `Comment${author === "" ? "" : ` (${author})`}: ${text}` }];
  });
