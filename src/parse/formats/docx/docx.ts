import type { Block, Content } from "../../blocks/blocks.ts";
import { type OfficePackage, openOfficePackage } from "../../containers/office-package.ts";
import type { ParseContext } from "../../context.ts";
import { childElements, childNamed, childrenNamed, descendant, descendants, type MarkupElement } from "../../markup.ts";
import { oneLine } from "../../tidy-text.ts";
import { readNumbering } from "./numbering.ts";
import { type RunText, runText } from "./run-text.ts";
import { readStyles } from "./styles.ts";
import { readTable } from "./table.ts";

/** What the readers of a document's parts share. */
export interface DocxReader {
  blocks(container: MarkupElement): Block[];
  text: RunText;
}

/** A Word document: headings by style, lists with their numbers, tables, links, footnotes; its headers before the text
 * and its footers after it, each once. Deleted and hidden text is left out. */
export const readDocx = (bytes: Uint8Array, context: ParseContext): Content => {
  const file = openOfficePackage(bytes, context.budget);
  const root = file.part(file.mainPath);
  const body = root ? descendant(root, "w:body") : null;
  if (!body) return { title: file.title, blocks: [], warnings: [] };
  const relations = file.relations(file.mainPath);
  const related = (type: string) => {
    const found = [...relations.values()].find((relation) => relation.type === type && !relation.isExternal);
    return found ? file.part(found.target) : null;
  };
  const styleOf = readStyles(related("styles"));
  const nextMarker = readNumbering(related("numbering"));

  const noteNumbers = new Map<string, number>();
  const noteNumber = (kind: "footnote" | "endnote", id: string): number => {
    const key = `${kind} ${id}`;
    const number = noteNumbers.get(key) ?? noteNumbers.size + 1;
    noteNumbers.set(key, number);
    return number;
  };

  const reader = (path: string): DocxReader => {
    const links = path === file.mainPath ? relations : file.relations(path);
    const linkTarget = (id: string) => links.get(id)?.target ?? null;
    const text: RunText = (element) => runText(element, { linkTarget, noteNumber });
    const self: DocxReader = { text, blocks: (container) => containerBlocks(container) };
    const containerBlocks = (container: MarkupElement): Block[] => {
      return childElements(container).flatMap((child): Block[] => {
        if (child.name === "w:p") return [...paragraph(child), ...textBoxes(child)];
        if (child.name === "w:tbl") return readTable(child, self);
        if (isContents(child) || child.name === "w:del" || child.name === "w:moveFrom") return [];
        return /^(w:sdt|w:sdtContent|w:customXml|w:ins|w:moveTo|mc:AlternateContent|mc:Choice)$/.test(child.name)
          ? containerBlocks(child)
          : [];
      });
    };
    const paragraph = (element: MarkupElement): Block[] => {
      const properties = childNamed(element, "w:pPr");
      const style = styleOf(properties);
      const content = text(element).trim();
      if (content === "" || style.isContents) return [];
      const marker = style.list ? nextMarker(style.list.numId, style.list.level) : null;
      if (style.level !== null) {
        const number = marker === null || marker === "-" ? "" : `${marker} `;
        return [{ kind: "heading", level: style.level, text: number + oneLine(content) }];
      }
      if (marker === null) return [{ kind: style.isQuote ? "quote" : "paragraph", text: content }];
      return [{ kind: "item", depth: style.list?.level ?? 0, marker, text: content }];
    };
    const textBoxes = (element: MarkupElement): Block[] => {
      return descendants(element, "mc:AlternateContent", "w:txbxContent").flatMap((found) => {
        const box =
          found.name === "w:txbxContent" ? found : descendant(childNamed(found, "mc:Choice"), "w:txbxContent");
        return box ? containerBlocks(box) : [];
      });
    };
    return self;
  };

  const main = reader(file.mainPath);
  const edges = (type: string) =>
    edgeBlocks(
      file,
      [...relations.values()].filter((r) => r.type === type),
      reader,
    );
  const blocks = [
    ...edges("header"),
    ...main.blocks(body),
    ...notes(file, relations, reader, noteNumber),
    ...edges("footer"),
  ];
  const heading = blocks.find((block) => block.kind === "heading" && block.level === 1);
  return { title: file.title ?? (heading?.kind === "heading" ? heading.text : null), blocks, warnings: [] };
};

/** A table of contents repeats the headings. */
const isContents = (element: MarkupElement): boolean => {
  if (element.name !== "w:sdt") return false;
  const gallery = descendant(childNamed(element, "w:sdtPr"), "w:docPartGallery");
  return gallery?.attributes["w:val"] === "Table of Contents";
};

const pageNumber = /^(?:page|seite)?[\s\d/|–-]*(?:(?:of|von)[\s\d]*)?$/i;
const longestPageNumber = 100;

/** Headers or footers, each text once; page numbers alone are none. */
const edgeBlocks = (
  file: OfficePackage,
  relations: readonly { target: string }[],
  reader: (path: string) => DocxReader,
): Block[] => {
  const seen = new Set<string>();
  return relations.flatMap(({ target }) => {
    const root = file.part(target);
    const container = root ? (descendant(root, "w:hdr") ?? descendant(root, "w:ftr")) : null;
    return (container ? reader(target).blocks(container) : []).filter((block) => {
      const text = JSON.stringify({ ...block, kind: "" });
      const isPageNumber = block.kind === "paragraph" && pageNumber.test(block.text.slice(0, longestPageNumber));
      if (seen.has(text) || isPageNumber) return false;
      seen.add(text);
      return true;
    });
  });
};

/** Footnotes and endnotes, marked as in the text. */
const notes = (
  file: OfficePackage,
  relations: ReadonlyMap<string, { type: string; target: string }>,
  reader: (path: string) => DocxReader,
  noteNumber: (kind: "footnote" | "endnote", id: string) => number,
): Block[] => {
  const found = [...relations.values()].flatMap(({ type, target }) => {
    if (type !== "footnotes" && type !== "endnotes") return [];
    const kind = type === "footnotes" ? "footnote" : "endnote";
    const root = file.part(target);
    const { text: textOf } = reader(target);
    return childrenNamed(root ? descendant(root, `w:${type}`) : null, `w:${kind}`).flatMap((note) => {
      if (note.attributes["w:type"] !== undefined && note.attributes["w:type"] !== "normal") return [];
      const text = oneLine(descendants(note, "w:p").map(textOf).join(" "));
      return text === "" ? [] : [{ number: noteNumber(kind, note.attributes["w:id"] ?? ""), text }];
    });
  });
  return found
    .sort((a, b) => a.number - b.number)
    .map(({ number, text }): Block => ({ kind: "paragraph", text: `[^${number}]: ${text}` }));
};
