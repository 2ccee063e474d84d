import type { Block, Content } from "../blocks.ts";
import type { ParseContext } from "../context.ts";
import { decodeText } from "../detect/charset.ts";
import { unreadable } from "../failure.ts";
import { type GridCell, gridRows } from "../grid.ts";
import { markdownLink } from "../markdown-link.ts";
import {
  childElements,
  childNamed,
  childrenNamed,
  descendant,
  descendants,
  isElement,
  type MarkupElement,
  type MarkupNode,
  readMarkup,
  textOf,
} from "../markup.ts";
import { type SheetRow, sheetBlocks } from "../sheet-blocks.ts";
import { oneLine, tidyTitle } from "../tidy-text.ts";
import { openZip } from "../zip-reader.ts";

/** Spreadsheets end with a million repeated empty rows: repeats of empty cells are skipped, of full ones bounded. */
const maxRepeat = 1_000;
const maxDepth = 8;

/** A text, spreadsheet or presentation of OpenDocument (OASIS ODF 1.3). */
export function readOpenDocument(bytes: Uint8Array, context: ParseContext): Content {
  const zip = openZip(bytes, context.budget);
  const part = (name: string) => {
    const data = zip.read(name);
    return data ? decodeText(data, null).text : null;
  };
  if (/<manifest:encryption-data/.test(part("META-INF/manifest.xml") ?? "")) {
    throw unreadable("The file is locked with a password. Unlock it and try again.");
  }
  const content = part("content.xml");
  if (content === null) throw unreadable("The file is broken: it lacks its content.");
  const root = readMarkup(content, "xml");
  const styles = outlineStyles(root);
  const body = childElements(descendant(root, "office:body") ?? root)[0];
  const meta = part("meta.xml");
  const stated = meta ? tidyTitle(textOf(descendant(readMarkup(meta, "xml"), "dc:title"))) : null;
  const blocks = body ? bodyBlocks(body, styles) : [];
  const heading = blocks.find((block) => block.kind === "heading" && block.level === 1);
  const first = body?.name !== "office:spreadsheet" && heading?.kind === "heading" ? heading.text : null;
  return { title: stated ?? first, blocks, warnings: [] };
}

function bodyBlocks(body: MarkupElement, styles: ListStyles): Block[] {
  if (body.name === "office:spreadsheet") {
    return childrenNamed(body, "table:table").flatMap((table, index) =>
      sheetBlocks(index + 1, table.attributes["table:name"] ?? `Sheet ${index + 1}`, sheetRows(table)),
    );
  }
  if (body.name === "office:presentation") {
    return childrenNamed(body, "draw:page").flatMap((page, index): Block[] => [
      { kind: "page", page: index + 1 },
      ...slideBlocks(page, styles),
    ]);
  }
  return containerBlocks(body, styles);
}

/** Names of list styles whose first level has numbers, and levels of paragraph styles that are headings. */
interface ListStyles {
  numbered: ReadonlySet<string>;
}

function outlineStyles(root: MarkupElement): ListStyles {
  const numbered = descendants(root, "text:list-style")
    .filter((style) => childElements(style)[0]?.name === "text:list-level-style-number")
    .map((style) => style.attributes["style:name"] ?? "");
  return { numbered: new Set(numbered) };
}

/** Not the document's own text. */
const passedOver =
  /^(text:tracked-changes|text:table-of-content|text:illustration-index|text:alphabetical-index|office:annotation|office:forms|text:sequence-decls|presentation:notes)$/;

function containerBlocks(container: MarkupElement, styles: ListStyles): Block[] {
  return childElements(container).flatMap((child): Block[] => {
    if (passedOver.test(child.name)) return [];
    if (child.name === "text:h" || child.name === "text:p") return [...paragraph(child), ...boxes(child, styles)];
    if (child.name === "text:list") return listBlocks(child, styles, 0, null);
    if (child.name === "table:table") return [{ kind: "table", rows: gridRows(tableCells(child)) }];
    return containerBlocks(child, styles);
  });
}

function paragraph(element: MarkupElement): Block[] {
  const text = inlineText(element).trim();
  if (text === "") return [];
  if (element.name === "text:p") {
    return /^Title$/i.test(element.attributes["text:style-name"] ?? "")
      ? [{ kind: "heading", level: 1, text: oneLine(text) }]
      : [{ kind: "paragraph", text }];
  }
  return [
    { kind: "heading", level: Number(element.attributes["text:outline-level"] ?? "1") || 1, text: oneLine(text) },
  ];
}

const boxes = (element: MarkupElement, styles: ListStyles): Block[] =>
  descendants(element, "draw:text-box").flatMap((box) => containerBlocks(box, styles));

function listBlocks(list: MarkupElement, styles: ListStyles, depth: number, inherited: string | null): Block[] {
  const style = list.attributes["text:style-name"] ?? inherited;
  const isNumbered = styles.numbered.has(style ?? "");
  let number = 0;
  return childElements(list).flatMap((item): Block[] => {
    if (item.name !== "text:list-item" && item.name !== "text:list-header") return [];
    number++;
    const marker = isNumbered ? `${number}.` : "-";
    let isFirst = true;
    return childElements(item).flatMap((child): Block[] => {
      if (child.name === "text:list") return depth < maxDepth ? listBlocks(child, styles, depth + 1, style) : [];
      if (child.name === "text:h") return paragraph(child);
      const text = child.name === "text:p" ? inlineText(child).trim() : "";
      if (text === "") return [];
      const block: Block = isFirst ? { kind: "item", depth, marker, text } : { kind: "paragraph", text };
      isFirst = false;
      return [block];
    });
  });
}

function inlineText(node: MarkupNode): string {
  if (!isElement(node)) return node.replace(/\s+/g, " ");
  switch (node.name) {
    case "text:s":
      return " ".repeat(Math.min(Number(node.attributes["text:c"] ?? "1") || 1, 100));
    case "text:tab":
      return " ";
    case "text:line-break":
      return "\n";
    case "text:note":
      return ` (${oneLine(descendants(node, "text:p").map(inlineText).join(" "))})`;
    case "office:annotation":
    case "office:annotation-end":
    case "draw:text-box":
    case "draw:object":
    case "svg:title":
    case "svg:desc":
      return "";
    default: {
      const text = node.children.map(inlineText).join("");
      return node.name === "text:a" ? markdownLink(text, node.attributes["xlink:href"] ?? "") : text;
    }
  }
}

function rowsOf(table: MarkupElement): MarkupElement[] {
  return childElements(table).flatMap((child) => {
    if (child.name === "table:table-row") return [child];
    return /^table:table-(header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : [];
  });
}

const cellsOf = (row: MarkupElement): MarkupElement[] =>
  childElements(row).filter((cell) => cell.name === "table:table-cell" || cell.name === "table:covered-table-cell");

const repeat = (element: MarkupElement, name: string): number => Number(element.attributes[name] ?? "1") || 1;

/** Cells of a table in a text; covered ones are left to the cell that covers them. */
function tableCells(table: MarkupElement): GridCell[][] {
  return rowsOf(table).map((row) =>
    cellsOf(row).flatMap((cell): GridCell[] => {
      if (cell.name === "table:covered-table-cell") return [];
      const one: GridCell = {
        text: cellText(cell),
        columns: repeat(cell, "table:number-columns-spanned"),
        rows: repeat(cell, "table:number-rows-spanned"),
      };
      return new Array<GridCell>(Math.min(repeat(cell, "table:number-columns-repeated"), 50)).fill(one);
    }),
  );
}

function sheetRows(table: MarkupElement): SheetRow[] {
  const rows: SheetRow[] = [];
  /** Texts merged downwards, by column. */
  const hanging = new Map<number, { text: string; left: number }>();
  let number = 0;
  for (const element of rowsOf(table)) {
    const cells = new Map<number, string>();
    let column = 0;
    for (const cell of cellsOf(element)) {
      const times = repeat(cell, "table:number-columns-repeated");
      const over = hanging.get(column);
      const text = cell.name === "table:covered-table-cell" && over ? over.text : sheetCellText(cell);
      if (over && --over.left === 0) hanging.delete(column);
      const down = repeat(cell, "table:number-rows-spanned") - 1;
      if (down > 0) hanging.set(column, { text, left: Math.min(down, maxRepeat) });
      if (text !== "") for (let step = 0; step < Math.min(times, maxRepeat); step++) cells.set(column + step, text);
      column += times;
    }
    const times = repeat(element, "table:number-rows-repeated");
    if (cells.size > 0) {
      for (let step = 0; step < Math.min(times, maxRepeat); step++) rows.push({ row: number + step, cells });
    }
    number += times;
  }
  return rows;
}

const cellText = (cell: MarkupElement): string =>
  oneLine(
    descendants(cell, "text:p", "text:h", "office:annotation")
      .filter((part) => part.name !== "office:annotation")
      .map(inlineText)
      .join(" "),
  );

/** Dates in ISO 8601 and numbers as stored: what is shown depends on the writer's language. */
function sheetCellText(cell: MarkupElement): string {
  const { attributes } = cell;
  const value = attributes["office:value"];
  switch (attributes["office:value-type"]) {
    case "date":
      return (attributes["office:date-value"] ?? "").replace("T", " ").replace(/ 00:00:00(\.0+)?$/, "");
    case "time": {
      const match = /^PT(\d+)H(\d+)M(\d+)/.exec(attributes["office:time-value"] ?? "");
      return match ? `${match[1]}:${match[2]}${match[3] === "00" ? "" : `:${match[3]}`}` : cellText(cell);
    }
    case "percentage":
      return value === undefined ? cellText(cell) : `${Number((Number(value) * 100).toPrecision(12))}%`;
    case "float":
    case "currency":
      return value === undefined ? cellText(cell) : String(Number(Number(value).toPrecision(15)));
    default:
      return cellText(cell);
  }
}

/** A slide: its title first, then its frames in their order, then the notes. */
function slideBlocks(page: MarkupElement, styles: ListStyles): Block[] {
  const frames = descendants(page, "draw:frame", "draw:custom-shape", "presentation:notes").filter(
    (frame) => frame.name !== "presentation:notes",
  );
  const kind = (frame: MarkupElement) => frame.attributes["presentation:class"] ?? "";
  const shown = frames.filter((frame) => !/^(header|footer|date-time|page-number)$/.test(kind(frame)));
  const titles = shown.filter((frame) => kind(frame) === "title");
  const notes = childNamed(page, "presentation:notes");
  const noteText = notes
    ? oneLine(
        descendants(notes, "draw:text-box")
          .flatMap((box) => descendants(box, "text:p"))
          .map(inlineText)
          .join(" "),
      )
    : "";
  return [
    ...titles.flatMap((frame): Block[] => {
      const text = oneLine(descendants(frame, "text:p").map(inlineText).join(" "));
      return text === "" ? [] : [{ kind: "heading", level: 1, text }];
    }),
    ...shown.filter((frame) => !titles.includes(frame)).flatMap((frame) => containerBlocks(frame, styles)),
    ...(noteText === "" ? [] : [{ kind: "paragraph", text: `Notes: ${noteText}` } as Block]),
  ];
}
