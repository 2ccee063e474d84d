import { appendBlocks, type Block, type Content, commentBlock } from "../../blocks/blocks.ts";
import { type SheetRow, sheetBlocks } from "../../blocks/sheet-blocks.ts";
import { loweredText, markdownLink, oneLine, raisedText } from "../../blocks/tidy-text.ts";
import { chartTable, type OfficePackage, openOfficePackage, type Relation } from "../../containers/office-package.ts";
import { childNamed, childrenNamed, descendant, descendants, type MarkupElement, textOf } from "../../markup/markup.ts";
import type { ParseContext } from "../context.ts";
import { createFormulas, type SheetCells } from "./compute.ts";
import type { CellValue } from "./functions.ts";
import { columnOf, readCellFormats, readSheet, type SheetContext, showNumber } from "./sheet.ts";

/** A workbook: each visible sheet a page under its name, with the values its cells show. */
export const readXlsx = (bytes: Uint8Array, context: ParseContext): Content => {
  const file = openOfficePackage(bytes, context.budget);
  const root = file.part(file.mainPath);
  const workbook = root ? descendant(root, "workbook") : null;
  const relations = file.relations(file.mainPath);
  const related = (type: string) => {
    const relation = [...relations.values()].find((candidate) => candidate.type === type);
    return relation ? file.part(relation.target) : null;
  };
  const date1904 = childNamed(workbook, "workbookPr")?.attributes.date1904;
  const sheetContext: SheetContext = {
    strings: sharedStrings(related("sharedStrings")),
    formats: readCellFormats(related("styles")),
    is1904: date1904 === "1" || date1904 === "true",
    isUncomputed: /^(?:1|true)$/.test(childNamed(workbook, "calcPr")?.attributes.fullCalcOnLoad ?? ""),
  };
  const blocks: Block[] = [];
  const warnings: string[] = [];
  const sheets = childrenNamed(childNamed(workbook, "sheets"), "sheet");
  const xmlOf = ({ attributes }: MarkupElement): string | null => {
    const relation = relations.get(attributes["r:id"] ?? "");
    return relation?.type === "worksheet" ? file.partText(relation.target) : null;
  };
  /** The text of a sheet that may have been read before; null where that would be too much. */
  let againLeft = maxBytesAgain;
  const xmlAgain = (name: string): string | null => {
    const sheet = sheets.find(({ attributes }) => attributes.name?.toLowerCase() === name.toLowerCase());
    const bytes = file.zip.size(relations.get(sheet?.attributes["r:id"] ?? "")?.target ?? "");
    againLeft -= bytes;
    return sheet === undefined || bytes === 0 || againLeft < 0 ? null : xmlOf(sheet);
  };
  const held = new Map<string, SheetCells | null>();
  const compute = createFormulas((name) => {
    const key = name.toLowerCase();
    if (!held.has(key)) {
      const xml = xmlAgain(name);
      held.set(key, xml === null ? null : storedCells(xml, sheetContext));
    }
    return held.get(key) ?? null;
  }, sheetContext.is1904);
  sheets.forEach((sheet, index) => {
    const { attributes } = sheet;
    const name = attributes.name ?? `Sheet ${index + 1}`;
    if (attributes.state === "hidden" || attributes.state === "veryHidden") {
      warnings.push(`Sheet "${name}" is hidden and was left out.`);
      return;
    }
    const xml = xmlOf(sheet);
    if (xml === null) {
      warnings.push(`Sheet "${name}" holds no cells.`);
      return;
    }
    const { rows, isCut, formulas, links } = readSheet(xml, sheetContext);
    if (formulas.length > 0) held.set(name.toLowerCase(), storedCells(xml, sheetContext));
    const left = formulas.filter(({ row, column, style }) => {
      const value = compute({ sheet: name, row: row.row, column });
      if (value === null) return true;
      const kind = sheetContext.formats[style] ?? { kind: "plain" };
      row.cells.set(column, typeof value === "string" ? value : showNumber(String(value), kind, sheetContext.is1904));
      return false;
    }).length;
    const own = file.relations(relations.get(attributes["r:id"] ?? "")?.target ?? "");
    addLinks(rows, links, own);
    const beside = besideCells(file, own.values());
    const cells = sheetBlocks(index + 1, name, rows);
    if (cells.length === 0 && beside.length > 0)
      blocks.push({ kind: "page", page: index + 1 }, { kind: "heading", level: 1, text: name });
    appendBlocks(blocks, cells);
    appendBlocks(blocks, beside);
    if (left > 0) {
      const what = left === 1 ? "1 formula has" : `${left} formulas have`;
      warnings.push(
        `Sheet "${name}": ${what} no stored value and ${left === 1 ? "is" : "are"} shown as written. Open and save the file in a spreadsheet program.`,
      );
    }
    if (isCut) warnings.push(`Sheet "${name}" is too large: its last cells were left out.`);
  });
  return { title: file.title, blocks, warnings, ...file.stated };
};

/** Cells that are held for computing formulas, of a sheet. */
const maxHeldCells = 500_000;

/** Of sheets that formulas of other sheets refer to; the container takes some more. */
const maxBytesAgain = 12 * 1_048_576;

/** The cells of a sheet as they are stored; null for a sheet of too many. */
const storedCells = (xml: string, context: SheetContext): SheetCells | null => {
  const values = new Map<number, CellValue | { formula: string }>();
  let [rows, columns] = [0, 0];
  const keyOf = (row: number, column: number) => row * 20_000 + column;
  readSheet(xml, {
    ...context,
    onCell: (row, column, { type, value, formula }) => {
      if (values.size > maxHeldCells || (value.trim() === "" && formula === "")) return;
      rows = Math.max(rows, row + 1);
      columns = Math.max(columns, column + 1);
      // An error spreads to what refers to it, as a formula does that cannot be computed.
      const stored = formula !== "" || type === "e" ? { formula: formula || value } : null;
      values.set(keyOf(row, column), stored ?? storedValue(type, value, context));
    },
  });
  if (values.size > maxHeldCells) return null;
  return { rows, columns, valueAt: (row, column) => values.get(keyOf(row, column)) ?? null };
};

const storedValue = (type: string, value: string, { strings }: SheetContext): CellValue => {
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  const stored = type === "n" ? Number(value) : Number.NaN;
  return Number.isFinite(stored) ? stored : value;
};

/** Makes the texts of linked cells links. */
const addLinks = (
  rows: readonly SheetRow[],
  links: readonly { reference: string; id: string }[],
  relations: ReadonlyMap<string, Relation>,
): void => {
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  for (const { reference, id } of links) {
    const [first = ""] = reference.split(":");
    const column = columnOf(first);
    const cells = byNumber.get(Number(/\d{1,7}$/.exec(first.slice(-12))?.[0]) - 1)?.cells;
    const target = relations.get(id)?.target;
    const text = column === null ? undefined : cells?.get(column);
    if (column !== null && text !== undefined && target !== undefined) cells?.set(column, markdownLink(text, target));
  }
};

/** What stands beside the cells of a sheet: comments with their authors, text boxes, charts. */
const besideCells = (file: OfficePackage, relations: Iterable<Relation>): Block[] => {
  const blocks: Block[] = [];
  for (const { type, target, isExternal } of relations) {
    if (isExternal) continue;
    if (type === "comments" || type === "threadedComment") {
      const root = file.part(target);
      if (root !== null) appendBlocks(blocks, commentBlocks(root));
    } else if (type === "drawing") {
      const root = file.part(target);
      const inside = file.relations(target);
      for (const shape of root ? descendants(root, "xdr:sp", "sp", "c:chart", "xdr:pic") : []) {
        if (shape.name === "c:chart") {
          const chart = file.part(inside.get(shape.attributes["r:id"] ?? "")?.target ?? "");
          if (chart !== null) appendBlocks(blocks, chartTable(chart));
          continue;
        }
        const described = shape.name === "xdr:pic" ? descendant(shape, "xdr:cNvPr")?.attributes.descr : undefined;
        if (described) blocks.push({ kind: "paragraph", text: `[Picture: ${oneLine(described)}]` });
        const paragraphs = descendants(shape, "a:p").map((part) =>
          oneLine(descendants(part, "a:t").map(textOf).join("")),
        );
        const text = paragraphs.filter((paragraph) => paragraph !== "").join("\n");
        if (text !== "") blocks.push({ kind: "paragraph", text });
      }
    }
  }
  return blocks;
};

const commentBlocks = (root: MarkupElement): Block[] => {
  const authors = descendants(root, "author").map((author) => oneLine(textOf(author)));
  return descendants(root, "comment", "threadedComment").flatMap((comment): Block[] => {
    const text = oneLine(descendants(comment, "t", "text").map(textOf).join(""));
    const author = authors[Number(comment.attributes.authorId ?? -1)] ?? "";
    // The place where newer programs say that the comment is a thread.
    return author.startsWith("tc=") ? [] : commentBlock(author, text, ` on ${comment.attributes.ref ?? "a cell"}`);
  });
};

/** A part of a string, raised and lowered signs as such. */
const runText = (part: MarkupElement, before: string): string => {
  if (part.name === "t") return textOf(part);
  const text = descendants(part, "t").map(textOf).join("");
  const height = descendant(part, "vertAlign")?.attributes.val;
  return height === "superscript" ? raisedText(text, before) : height === "subscript" ? loweredText(text) : text;
};

/** Shared strings without the reading aids that East Asian ones may carry. */
const sharedStrings = (root: MarkupElement | null): string[] => {
  return childrenNamed(root ? descendant(root, "sst") : null, "si").map((item) =>
    [...childrenNamed(item, "t"), ...childrenNamed(item, "r")].reduce((text, part) => text + runText(part, text), ""),
  );
};
