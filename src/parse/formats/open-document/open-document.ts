import { appendBlocks, type Block, type Content, unreadable } from "../../blocks/blocks.ts";
import { createRepeatBudget, type GridCell, gridRows } from "../../blocks/grid.ts";
import { fillMerged, lettersOf, type Merge, type SheetRow, sheetBlocks } from "../../blocks/sheet-blocks.ts";
import { oneLine, tidyTitle } from "../../blocks/tidy-text.ts";
import { decodeText } from "../../containers/charset.ts";
import { openZip } from "../../containers/zip.ts";
import { coreProperties } from "../../markup/file-properties.ts";
import {
  childElements,
  childNamed,
  childrenNamed,
  descendant,
  descendants,
  type MarkupElement,
  readMarkup,
  textOf,
} from "../../markup/markup.ts";
import type { ParseContext } from "../context.ts";
import { commentBlocks, inlineText, noteBlocks, type TextStyles, textStyles } from "./text.ts";

const maxDepth = 8;

/** A text, spreadsheet or presentation of OpenDocument (OASIS ODF 1.3). */
export const readOpenDocument = (bytes: Uint8Array, context: ParseContext): Content => {
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
  const shared = part("styles.xml");
  const meta = part("meta.xml");
  const named = shared === null ? null : readMarkup(shared, "xml");
  return documentContent(
    root,
    named,
    textStyles(named === null ? [root] : [named, root], (name) => {
      const object = part(name);
      return object === null ? null : readMarkup(object, "xml");
    }),
    meta ? readMarkup(meta, "xml") : null,
  );
};

/** The same in one XML file (`.fodt`, `.fods`, `.fodp`). */
export const readFlatDocument = (root: MarkupElement): Content => documentContent(root, root, textStyles([root]), root);

/** Headers or footers, each text once; a page number alone says nothing. */
const marginBlocks = (named: MarkupElement | null, margin: "header" | "footer", styles: TextStyles): Block[] => {
  const parts = named === null ? [] : descendants(named, `style:${margin}`);
  const texts = parts.map((part) => {
    const text = oneLine(
      descendants(part, "text:p")
        .map((paragraph) => inlineText(paragraph, styles))
        .join(" "),
    );
    return descendant(part, "text:page-number") !== null && text.length < longestPageLabel ? "" : text;
  });
  return [...new Set(texts)].filter((text) => text !== "").map((text) => ({ kind: "paragraph", text }));
};
const longestPageLabel = 15;

const documentContent = (
  root: MarkupElement,
  named: MarkupElement | null,
  styles: TextStyles,
  meta: MarkupElement | null,
): Content => {
  const body = childElements(descendant(root, "office:body") ?? root)[0];
  const stated = meta ? tidyTitle(textOf(descendant(meta, "dc:title"))) : null;
  const warnings: string[] = [];
  const blocks = body ? bodyBlocks(body, styles, warnings) : [];
  if (body?.name === "office:text" && blocks.length > 0) {
    blocks.unshift(...marginBlocks(named, "header", styles));
    appendBlocks(blocks, marginBlocks(named, "footer", styles));
  }
  appendBlocks(blocks, noteBlocks(styles));
  appendBlocks(blocks, commentBlocks(styles, styles.comments));
  const heading = blocks.find((block) => block.kind === "heading" && block.level === 1);
  const first = body?.name !== "office:spreadsheet" && heading?.kind === "heading" ? heading.text : null;
  const properties = coreProperties(meta && descendant(meta, "office:meta"));
  return { title: stated ?? first, blocks, warnings, ...properties };
};

const bodyBlocks = (body: MarkupElement, styles: TextStyles, warnings: string[]): Block[] => {
  if (body.name === "office:spreadsheet") {
    return childrenNamed(body, "table:table").flatMap((table, index) => {
      const name = table.attributes["table:name"] ?? `Sheet ${index + 1}`;
      if (styles.isHidden(table)) {
        warnings.push(`Sheet "${name}" is hidden and was left out.`);
        return [];
      }
      const beside: Block[] = [];
      const rows = sheetRows(table, styles, (comment, cell) =>
        beside.push(...commentBlocks(styles, [comment], ` on ${cell}`)),
      );
      const charts = descendants(table, "draw:object").flatMap((object) => chartBlocks(object, styles));
      return [...sheetBlocks(index + 1, name, rows), ...beside, ...charts];
    });
  }
  if (body.name === "office:presentation") {
    return childrenNamed(body, "draw:page").flatMap((page, index): Block[] => [
      { kind: "page", page: index + 1 },
      ...slideBlocks(page, styles),
    ]);
  }
  return containerBlocks(body, styles);
};

/** Elements that are not the document's own text. */
const ignored =
  /^(text:tracked-changes|text:table-of-content|text:illustration-index|text:alphabetical-index|office:annotation|office:forms|text:sequence-decls|presentation:notes)$/;

const containerBlocks = (container: MarkupElement, styles: TextStyles): Block[] => {
  return childElements(container).flatMap((child): Block[] => {
    if (ignored.test(child.name)) return [];
    if (child.name === "svg:desc" && childNamed(container, "draw:image") !== null)
      return [{ kind: "paragraph", text: `[Picture: ${oneLine(textOf(child))}]` }];
    if (child.name === "text:h" || child.name === "text:p")
      return [...paragraph(child, styles), ...boxes(child, styles)];
    if (child.name === "text:list") return listBlocks(child, styles, 0, null);
    if (child.name === "draw:object") return chartBlocks(child, styles);
    if (child.name === "table:table") return [{ kind: "table", rows: gridRows(tableCells(child, styles)) }];
    return containerBlocks(child, styles);
  });
};

const paragraph = (element: MarkupElement, styles: TextStyles): Block[] => {
  const text = inlineText(element, styles).trim();
  if (text === "") return [];
  if (element.name === "text:p") {
    if (styles.isOf(element, /^Title$/i)) return [{ kind: "heading", level: 1, text: oneLine(text) }];
    return [{ kind: styles.isOf(element, /^(Quotations|Block_20_Text)$/i) ? "quote" : "paragraph", text }];
  }
  return [
    { kind: "heading", level: Number(element.attributes["text:outline-level"] ?? "1") || 1, text: oneLine(text) },
  ];
};

const boxes = (element: MarkupElement, styles: TextStyles): Block[] =>
  descendants(element, "draw:text-box", "draw:object").flatMap((box) =>
    box.name === "draw:object" ? chartBlocks(box, styles) : containerBlocks(box, styles),
  );

/** The title of a chart and the values it was drawn from. */
const chartBlocks = (element: MarkupElement, styles: TextStyles): Block[] => {
  const chart = descendant(styles.objectIn(element), "chart:chart");
  const table = descendant(chart, "table:table");
  const title = oneLine(textOf(childNamed(chart, "chart:title")));
  return [
    ...(title === "" ? [] : [{ kind: "paragraph", text: title } as Block]),
    ...(table === null ? [] : [{ kind: "table", rows: gridRows(tableCells(table, styles)) } as Block]),
  ];
};

const listBlocks = (list: MarkupElement, styles: TextStyles, depth: number, inherited: string | null): Block[] => {
  const style = list.attributes["text:style-name"] ?? inherited;
  const place = `${style} ${depth}`;
  const goesOn = list.attributes["text:continue-numbering"] === "true" ? styles.lastNumbers.get(place) : undefined;
  let number = goesOn ?? styles.firstNumber(style, depth) - 1;
  return childElements(list).flatMap((item): Block[] => {
    if (item.name !== "text:list-item" && item.name !== "text:list-header") return [];
    number = Number.parseInt(item.attributes["text:start-value"] ?? "", 10) || number + 1;
    styles.lastNumbers.set(place, number);
    const marker = styles.listMarker(style, depth, number);
    let isFirst = true;
    return childElements(item).flatMap((child): Block[] => {
      if (child.name === "text:list") return depth < maxDepth ? listBlocks(child, styles, depth + 1, style) : [];
      if (child.name === "text:h") return paragraph(child, styles);
      const text = child.name === "text:p" ? inlineText(child, styles).trim() : "";
      if (text === "") return [];
      const block: Block = isFirst ? { kind: "item", depth, marker, text } : { kind: "paragraph", text };
      isFirst = false;
      return [block];
    });
  });
};

/** A slide: its title first, then its frames in their order, then the notes. */
const slideBlocks = (page: MarkupElement, styles: TextStyles): Block[] => {
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
          .map((paragraph) => inlineText(paragraph, styles))
          .join(" "),
      )
    : "";
  return [
    ...titles.flatMap((frame): Block[] => {
      const text = oneLine(
        descendants(frame, "text:p")
          .map((paragraph) => inlineText(paragraph, styles))
          .join(" "),
      );
      return text === "" ? [] : [{ kind: "heading", level: 1, text }];
    }),
    ...shown.filter((frame) => !titles.includes(frame)).flatMap((frame) => containerBlocks(frame, styles)),
    ...(noteText === "" ? [] : [{ kind: "paragraph", text: `Notes: ${noteText}` } as Block]),
  ];
};

/** Spreadsheets end with a million repeated empty rows: empty repeats are skipped, others bounded. */
const maxRepeat = 1_000;

const rowsOf = (table: MarkupElement): MarkupElement[] => {
  return childElements(table).flatMap((child) => {
    if (child.name === "table:table-row") return [child];
    return /^table:table-(header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : [];
  });
};

const cellsOf = (row: MarkupElement): MarkupElement[] =>
  childElements(row).filter((cell) => cell.name === "table:table-cell" || cell.name === "table:covered-table-cell");

const repeat = (element: MarkupElement, name: string): number => Number(element.attributes[name] ?? "1") || 1;

/** Cells of a table in a text; covered cells are left out. */
const tableCells = (table: MarkupElement, styles: TextStyles): GridCell[][] => {
  const take = createRepeatBudget();
  return rowsOf(table).map((row) =>
    cellsOf(row).flatMap((cell): GridCell[] => {
      if (cell.name === "table:covered-table-cell") return [];
      const one: GridCell = {
        text: cellText(cell, styles),
        columns: repeat(cell, "table:number-columns-spanned"),
        rows: repeat(cell, "table:number-rows-spanned"),
      };
      const times = Math.min(repeat(cell, "table:number-columns-repeated"), 50);
      take(one.text, times - 1);
      return new Array<GridCell>(times).fill(one);
    }),
  );
};

/** Cells of a sheet by row and column. */
const sheetRows = (
  table: MarkupElement,
  styles: TextStyles,
  onComment: (comment: MarkupElement, cell: string) => void,
): SheetRow[] => {
  const rows: SheetRow[] = [];
  const take = createRepeatBudget();
  const merges: Merge[] = [];
  let number = 0;
  for (const element of rowsOf(table)) {
    const cells = new Map<number, string>();
    let column = 0;
    for (const cell of cellsOf(element)) {
      const times = repeat(cell, "table:number-columns-repeated");
      for (const comment of childrenNamed(cell, "office:annotation"))
        onComment(comment, `${lettersOf(column + 1)}${number + 1}`);
      const text = sheetCellText(cell, styles);
      const [down, right] = ["rows", "columns"].map((way) => repeat(cell, `table:number-${way}-spanned`) - 1);
      if (down || right)
        merges.push({
          row: number,
          lastRow: number + Math.min(down ?? 0, maxRepeat),
          column,
          lastColumn: column + (right ?? 0),
        });
      if (text !== "") {
        take(text, Math.min(times, maxRepeat) - 1);
        for (let step = 0; step < Math.min(times, maxRepeat); step++) cells.set(column + step, text);
      }
      column += times;
    }
    const times = repeat(element, "table:number-rows-repeated");
    if (cells.size > 0) {
      const copies = Math.min(times, maxRepeat) - 1;
      if (copies > 0) for (const text of cells.values()) take(text, copies);
      for (let step = 0; step < Math.min(times, maxRepeat); step++) rows.push({ row: number + step, cells });
    }
    number += times;
  }
  fillMerged(rows, merges);
  return rows;
};

const cellText = (cell: MarkupElement, styles: TextStyles): string =>
  oneLine(
    descendants(cell, "text:p", "text:h", "office:annotation")
      .filter((part) => part.name !== "office:annotation")
      .map((part) => inlineText(part, styles))
      .join(" "),
  );

/** What a cell shows besides a number: a currency, a unit, leading zeros, an exponent. */
const addsToNumber = (shown: string): boolean => /[\p{L}\p{Sc}]|^0\d/u.test(shown) && /\d/.test(shown);

/**
 * Dates in ISO 8601, and numbers as stored, because their display depends on the author's language, unless it adds
 * something.
 */
const sheetCellText = (cell: MarkupElement, styles: TextStyles): string => {
  const { attributes } = cell;
  const value = attributes["office:value"];
  switch (attributes["office:value-type"]) {
    case "date":
      return (attributes["office:date-value"] ?? "").replace("T", " ").replace(/ 00:00:00(\.0+)?$/, "");
    case "time": {
      const match = /^PT(\d+)H(\d+)M(\d+)/.exec(attributes["office:time-value"] ?? "");
      return match ? `${match[1]}:${match[2]}${match[3] === "00" ? "" : `:${match[3]}`}` : cellText(cell, styles);
    }
    case "percentage":
      return value === undefined ? cellText(cell, styles) : `${Number((Number(value) * 100).toPrecision(12))}%`;
    case "float":
    case "currency": {
      const shown = cellText(cell, styles);
      return value === undefined || addsToNumber(shown) ? shown : String(Number(Number(value).toPrecision(15)));
    }
    default:
      return cellText(cell, styles);
  }
};
