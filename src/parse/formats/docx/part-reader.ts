import type { Block } from "../../blocks/blocks.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import { childElements, childNamed, descendant, descendants, type MarkupElement } from "../../markup/markup.ts";
import { chartTable, diagramItems } from "../office-graphics.ts";
import type { NextMarker } from "./numbering.ts";
import { type RunReferences, type RunText, runText } from "./run-text.ts";
import type { StyleOf } from "./styles.ts";
import { type CellReader, readTable } from "./table.ts";

/** Reads one part of a document, such as its body, a header or its footnotes. */
export type PartReader = CellReader;

/** What holds for the whole document, and where the links of this part lead. */
interface PartContext extends RunReferences {
  /** The part that a relation of this part leads to, or null. */
  related(id: string): MarkupElement | null;
  /** The text of a file that is put in at a relation (`altChunk`). */
  insertedText(id: string): string;
  styleOf: StyleOf;
  nextMarker: NextMarker;
}

/** Elements that only wrap paragraphs and tables: content controls, tracked insertions, alternatives. */
const wrapper = /^(w:sdt|w:sdtContent|w:customXml|w:ins|w:moveTo|mc:AlternateContent|mc:Choice)$/;

export const createPartReader = ({
  styleOf,
  nextMarker,
  related,
  insertedText,
  ...references
}: PartContext): PartReader => {
  const text: RunText = (element) => runText(element, references);

  const paragraph = (element: MarkupElement): Block[] => {
    const style = styleOf(childNamed(element, "w:pPr"));
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

  const textBoxes = (element: MarkupElement): Block[] =>
    descendants(element, "mc:AlternateContent", "w:txbxContent").flatMap((found) => {
      const box = found.name === "w:txbxContent" ? found : descendant(childNamed(found, "mc:Choice"), "w:txbxContent");
      return box ? reader.blocks(box) : [];
    });

  /** The charts and diagrams (SmartArt) of a paragraph. */
  const graphics = (element: MarkupElement): Block[] =>
    descendants(element, "c:chart", "dgm:relIds").flatMap(({ name, attributes }): Block[] => {
      const part = related(attributes[name === "c:chart" ? "r:id" : "r:dm"] ?? "");
      if (part === null) return [];
      return name === "c:chart" ? chartTable(part) : diagramItems(part);
    });

  const reader: PartReader = {
    text,
    blocks: (container) =>
      childElements(container).flatMap((child): Block[] => {
        if (child.name === "w:p") return [...paragraph(child), ...textBoxes(child), ...graphics(child)];
        if (child.name === "w:altChunk")
          return [{ kind: "verbatim", text: insertedText(child.attributes["r:id"] ?? "") }];
        if (child.name === "w:tbl") return readTable(child, reader);
        return wrapper.test(child.name) && !isContents(child) ? reader.blocks(child) : [];
      }),
  };
  return reader;
};

/** A table of contents repeats the headings. */
const isContents = (element: MarkupElement): boolean => {
  if (element.name !== "w:sdt") return false;
  const gallery = descendant(childNamed(element, "w:sdtPr"), "w:docPartGallery");
  return gallery?.attributes["w:val"] === "Table of Contents";
};
