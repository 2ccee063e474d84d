import { appendBlocks } from "../../blocks/append-blocks.ts";
import type { Block, Content } from "../../blocks/blocks.ts";
import { markdownLink } from "../../blocks/markdown-link.ts";
import { type SheetRow, sheetBlocks } from "../../blocks/sheet-blocks.ts";
import { type OfficePackage, openOfficePackage, type Relation } from "../../containers/office-package.ts";
import type { ParseContext } from "../../context.ts";
import { childNamed, childrenNamed, descendant, descendants, type MarkupElement, textOf } from "../../markup.ts";
import { oneLine } from "../../tidy-text.ts";
import { chartTable } from "../office-graphics.ts";
import { readCellFormats } from "./number-format.ts";
import { columnOf, readSheet, type SheetContext } from "./sheet.ts";

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
  };
  const blocks: Block[] = [];
  const warnings: string[] = [];
  childrenNamed(childNamed(workbook, "sheets"), "sheet").forEach(({ attributes }, index) => {
    const name = attributes.name ?? `Sheet ${index + 1}`;
    if (attributes.state === "hidden" || attributes.state === "veryHidden") {
      warnings.push(`Sheet "${name}" is hidden and was left out.`);
      return;
    }
    const relation = relations.get(attributes["r:id"] ?? "");
    const xml = relation?.type === "worksheet" ? file.partText(relation.target) : null;
    if (xml === null) {
      warnings.push(`Sheet "${name}" holds no cells.`);
      return;
    }
    const { rows, isCut, formulas, links } = readSheet(xml, sheetContext);
    const own = file.relations(relation?.target ?? "");
    addLinks(rows, links, own);
    const beside = besideCells(file, own.values());
    const cells = sheetBlocks(index + 1, name, rows);
    if (cells.length === 0 && beside.length > 0)
      blocks.push({ kind: "page", page: index + 1 }, { kind: "heading", level: 1, text: name });
    appendBlocks(blocks, cells);
    appendBlocks(blocks, beside);
    if (formulas > 0) {
      const what = formulas === 1 ? "1 formula has" : `${formulas} formulas have`;
      warnings.push(
        `Sheet "${name}": ${what} no stored value and ${formulas === 1 ? "is" : "are"} shown as written. Open and save the file in a spreadsheet program.`,
      );
    }
    if (isCut) warnings.push(`Sheet "${name}" is too large: its last cells were left out.`);
  });
  return { title: file.title, blocks, warnings };
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
      for (const shape of root ? descendants(root, "xdr:sp", "sp", "c:chart") : []) {
        if (shape.name === "c:chart") {
          const chart = file.part(inside.get(shape.attributes["r:id"] ?? "")?.target ?? "");
          if (chart !== null) appendBlocks(blocks, chartTable(chart));
          continue;
        }
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
    if (text === "" || author.startsWith("tc=")) return [];
    const by = author === "" ? "" : ` (${author})`;
    return [{ kind: "paragraph", text: `Comment on ${comment.attributes.ref ?? "a cell"}${by}: ${text}` }];
  });
};

/** Shared strings without the reading aids that East Asian ones may carry. */
const sharedStrings = (root: MarkupElement | null): string[] => {
  return childrenNamed(root ? descendant(root, "sst") : null, "si").map((item) =>
    [...childrenNamed(item, "t"), ...childrenNamed(item, "r").flatMap((run) => descendants(run, "t"))]
      .map(textOf)
      .join(""),
  );
};
