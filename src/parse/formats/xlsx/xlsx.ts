import { appendBlocks } from "../../blocks/append-blocks.ts";
import type { Block, Content } from "../../blocks/blocks.ts";
import { sheetBlocks } from "../../blocks/sheet-blocks.ts";
import { openOfficePackage } from "../../containers/office-package.ts";
import type { ParseContext } from "../../context.ts";
import { childNamed, childrenNamed, descendant, descendants, type MarkupElement, textOf } from "../../markup.ts";
import { readCellFormats } from "./number-format.ts";
import { readSheet, type SheetContext } from "./sheet.ts";

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
    const { rows, isCut } = readSheet(xml, sheetContext);
    appendBlocks(blocks, sheetBlocks(index + 1, name, rows));
    if (isCut) warnings.push(`Sheet "${name}" is too large: its last cells were left out.`);
  });
  return { title: file.title, blocks, warnings };
};

/** Shared strings without the reading aids that East Asian ones may carry. */
const sharedStrings = (root: MarkupElement | null): string[] => {
  return childrenNamed(root ? descendant(root, "sst") : null, "si").map((item) =>
    [...childrenNamed(item, "t"), ...childrenNamed(item, "r").flatMap((run) => descendants(run, "t"))]
      .map(textOf)
      .join(""),
  );
};
