import type { Block } from "../../blocks/blocks.ts";
import { createRepeatBudget, type GridCell, gridRows } from "../../blocks/grid.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import { chartTable, diagramItems } from "../../containers/office-package.ts";
import { childElements, childNamed, descendant, descendants, type MarkupElement } from "../../markup/markup.ts";
import { type RunReferences, type RunText, runText } from "./run-text.ts";
import type { NextMarker } from "./styles.ts";
import { type StyleOf, value } from "./styles.ts";

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
    return [{ kind: "item", depth: style.list?.depth ?? 0, marker, text: content }];
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

/** How the document part that contains a table reads what the table's cells hold. */
interface CellReader {
  blocks(container: MarkupElement): Block[];
  text: RunText;
}

/** A longer cell holds text laid out in a table, not data. */
const maxCellCharacters = 600;

/** A table; of one that only frames text, the text. */
const readTable = (table: MarkupElement, reader: CellReader): Block[] => {
  const rows = rowsOf(table).map((row) => cellsOf(row));
  const cells = rows.flat();
  const isFrame =
    rows.every((row) => row.length <= 1) || cells.some((cell) => cellText(cell, reader).length > maxCellCharacters);
  if (isFrame) return cells.flatMap((cell) => reader.blocks(cell));
  return [{ kind: "table", rows: gridRows(withMergedRows(rows, reader)) }];
};

const rowsOf = (table: MarkupElement): MarkupElement[] => flattened(table, "w:tr");
const cellsOf = (row: MarkupElement): MarkupElement[] => flattened(row, "w:tc");

/** Children of that name, also where content controls or tracked insertions wrap them. */
const flattened = (parent: MarkupElement, name: string): MarkupElement[] => {
  return childElements(parent).flatMap((child) => {
    if (child.name === name) return [child];
    return /^w:(sdt|sdtContent|customXml|ins)$/.test(child.name) ? flattened(child, name) : [];
  });
};

/** All text of a cell, that of tables inside it included; the hidden text of merged cells is left out. */
const cellText = (cell: MarkupElement, reader: CellReader): string => {
  const text = (element: MarkupElement): string =>
    childElements(element)
      .map((child) => {
        if (child.name === "w:p") return reader.text(child);
        return child.name === "w:tc" && continuesMerge(child) ? "" : text(child);
      })
      .join(" ");
  return oneLine(text(cell));
};

const continuesMerge = (cell: MarkupElement): boolean => {
  const merge = childNamed(childNamed(cell, "w:tcPr"), "w:vMerge");
  return merge !== null && merge.attributes["w:val"] !== "restart";
};

/** Text merged over rows is put into each of them. */
const withMergedRows = (rows: readonly MarkupElement[][], reader: CellReader): GridCell[][] => {
  const above = new Map<number, string>();
  const take = createRepeatBudget();
  return rows.map((row) => {
    let column = 0;
    return row.map((cell): GridCell => {
      const properties = childNamed(cell, "w:tcPr");
      const columns = Number(value(properties, "w:gridSpan") ?? "1") || 1;
      const merged = continuesMerge(cell) ? (above.get(column) ?? "") : null;
      if (merged !== null) take(merged, 1);
      const text = merged ?? cellText(cell, reader);
      above.set(column, text);
      column += columns;
      return { text, columns, rows: 1 };
    });
  });
};
