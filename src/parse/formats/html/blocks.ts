import { appendBlocks, type Block } from "../../blocks/blocks.ts";
import { type GridCell, gridRows } from "../../blocks/grid.ts";
import { listNumber } from "../../blocks/list-numbers.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import { childElements, descendants, isElement, type MarkupElement, type MarkupNode } from "../../markup/markup.ts";
import { collapseSpace, GatheredText, inlineText, isBlockLevel, isHidden, untrimmedInline } from "./inline.ts";

/** The blocks of an HTML tree in reading order. Links are resolved against `baseUrl`; hidden parts are left out. */
export const htmlBlocks = (root: MarkupElement, baseUrl: string | null): Block[] => {
  const walker = new Walker(baseUrl);
  walker.children(root);
  walker.flush();
  return walker.blocks;
};

interface List {
  isOrdered: boolean;
  next: number;
  format: string;
}

/** How lists count that do not count in figures, by `type` or `list-style-type`. */
const numberFormats: Readonly<Record<string, string>> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
  "lower-alpha": "lowerLetter",
  "lower-latin": "lowerLetter",
  "upper-alpha": "upperLetter",
  "upper-latin": "upperLetter",
  "lower-roman": "lowerRoman",
  "upper-roman": "upperRoman",
};

const numberFormat = ({ attributes }: MarkupElement): string | undefined =>
  numberFormats[/list-style(?:-type)?:\s*([a-z-]+)/.exec(attributes.style ?? "")?.[1] ?? attributes.type ?? ""];

/** Walks block elements; text between them gathers in `pending` until a block begins or ends. */
class Walker {
  readonly blocks: Block[] = [];
  private readonly pending = new GatheredText();
  private readonly lists: List[] = [];
  /** The marker of an item whose text has not begun; later text of that item is added to it. */
  private itemMarker: string | null = null;

  constructor(private readonly baseUrl: string | null) {}

  flush(): void {
    const text = this.pending.take().trim();
    if (text === "") return;
    const depth = this.lists.length - 1;
    if (depth < 0) this.blocks.push({ kind: "paragraph", text });
    else if (this.itemMarker === null) this.continueItem(text, depth);
    else this.blocks.push({ kind: "item", depth, marker: this.itemMarker, text });
    this.itemMarker = null;
  }

  /** A second paragraph of a list item stays with it. */
  private continueItem(text: string, depth: number): void {
    const last = this.blocks.at(-1);
    if (last?.kind === "item" && last.depth === depth) last.text += `\n${text}`;
    else this.blocks.push({ kind: "paragraph", text });
  }

  children(element: MarkupElement): void {
    this.pending.add(taskMark(element));
    for (const child of element.children) this.node(child);
  }

  private node(node: MarkupNode): void {
    if (!isElement(node)) {
      this.pending.add(collapsed(node, this.pending));
      return;
    }
    const isBox = node.name === "input" ? this.itemMarker !== null : /^checkbox\b/.test(node.attributes.class ?? "");
    if (isBox && taskMark(node) !== "") {
      this.pending.add(taskMark(node));
      return;
    }
    if (isHidden(node)) return;
    const { name } = node;
    if (name === "br") this.lineBreak();
    else if (isBlockLevel(node)) this.block(node);
    else if (hasBlockInside(node)) this.children(node);
    else {
      const mark = name === "input" ? "" : taskMark(node);
      const text = mark + untrimmedInline(node, this.baseUrl, this.pending.end);
      this.pending.add(this.pending.isEmpty || this.pending.endsInSpace ? text.trimStart() : text);
    }
  }

  /** Old pages separate paragraphs by two in a row. */
  private lineBreak(): void {
    if (this.pending.endsInBreak) this.flush();
    else this.pending.add("\n");
  }

  private block(element: MarkupElement): void {
    this.flush();
    const heading = /^h([1-6])$/.exec(element.name);
    if (heading) {
      const text = oneLine(untrimmedInline(element, this.baseUrl));
      if (text !== "") this.blocks.push({ kind: "heading", level: Number(heading[1]), text });
    } else if (element.name === "pre") {
      this.blocks.push({ kind: "code", language: codeLanguage(element), text: preformatted(element) });
    } else if (element.name === "ul" || element.name === "ol" || element.name === "menu" || element.name === "dir") {
      this.list(element);
    } else if (element.name === "li") {
      this.item(element);
    } else if (element.name === "table") {
      this.table(element);
    } else if (element.name === "blockquote") {
      this.quote(element);
    } else {
      this.children(element);
    }
    this.flush();
  }

  private list(element: MarkupElement): void {
    const start = Number.parseInt(element.attributes.start ?? "1", 10);
    const next = Number.isFinite(start) ? start : 1;
    this.lists.push({ isOrdered: element.name === "ol", next, format: numberFormat(element) ?? "decimal" });
    this.children(element);
    this.flush();
    this.lists.pop();
    this.itemMarker = null;
  }

  private item(element: MarkupElement): void {
    const isStray = this.lists.length === 0;
    if (isStray) this.lists.push({ isOrdered: false, next: 1, format: "decimal" });
    const list = this.lists.at(-1);
    const stated = Number.parseInt(element.attributes.value ?? "", 10);
    if (list && Number.isFinite(stated)) list.next = stated;
    this.itemMarker = list?.isOrdered ? `${listNumber(list.next++, numberFormat(element) ?? list.format)}.` : "-";
    this.children(element);
    this.flush();
    this.itemMarker = null;
    if (isStray) this.lists.pop();
  }

  private table(element: MarkupElement): void {
    if (isLayoutTable(element)) {
      this.children(element);
      return;
    }
    const { caption, rows } = tableRows(element, this.baseUrl);
    if (caption !== "") this.blocks.push({ kind: "paragraph", text: caption });
    this.blocks.push({ kind: "table", rows });
  }

  private quote(element: MarkupElement): void {
    const inner = htmlBlocks({ ...element, name: "div" }, this.baseUrl);
    const plain = inner.every((block) => block.kind === "paragraph");
    if (plain) {
      const text = inner.map((block) => (block.kind === "paragraph" ? block.text : "")).join("\n\n");
      if (text !== "") this.blocks.push({ kind: "quote", text });
    } else appendBlocks(this.blocks, inner);
  }
}

/** `[x]` or `[ ]` for the box of a task: a checkbox at the begin of an item, a tag of OneNote, a box of Notion, a style of Evernote. */
const taskMark = ({ name, attributes }: MarkupElement): string => {
  const box = name === "input" && attributes.type === "checkbox" ? (attributes.checked ?? null) : undefined;
  const tag = /^to-do(:completed)?/.exec(attributes["data-tag"] ?? "");
  const drawn = /(?:^|\s)checkbox-(on|off)(?:\s|$)/.exec(attributes.class ?? "");
  const styled = /--en-checked:\s*(true|false)/.exec(attributes.style ?? "");
  if (box === undefined && tag === null && drawn === null && styled === null) return "";
  const isDone = typeof box === "string" || tag?.[1] !== undefined || drawn?.[1] === "on" || styled?.[1] === "true";
  return isDone ? "[x] " : "[ ] ";
};

const hasBlockInside = (element: MarkupElement): boolean =>
  element.children.some(
    (child) =>
      isElement(child) && !isHidden(child) && (child.name === "br" || isBlockLevel(child) || hasBlockInside(child)),
  );

/** White space as HTML shows it: runs are one space, none at the begin of a line. */
const collapsed = (text: string, before: GatheredText): string => {
  const single = collapseSpace(text);
  return before.isEmpty || before.endsInSpace ? single.replace(/^ /, "") : single;
};

const preformatted = (element: MarkupElement): string => {
  const text = (node: MarkupNode): string =>
    isElement(node) ? (node.name === "br" ? "\n" : node.children.map(text).join("")) : node;
  return text(element).replace(/^\r?\n/, "");
};

const codeLanguage = (element: MarkupElement): string => {
  const classes = [element, ...element.children.filter(isElement)].map((part) => part.attributes.class ?? "");
  return /(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes.join(" "))?.[1] ?? "";
};

/** Elements that do not occur in cells of data. */
const structural = ["h1", "h2", "h3", "h4", "table", "pre", "blockquote", "form", "article", "section"];
/** A cell of data may hold a short list. */
const maxListItems = 12;
const maxCellCharacters = 600;

/** Whether a table only places things on the page: its content is then read without the table. */
const isLayoutTable = (table: MarkupElement): boolean => {
  const role = table.attributes.role;
  if (role === "presentation" || role === "none") return true;
  const rows = ownRows(table);
  const cells = rows.flatMap(ownCells);
  // Of a table inside, they say nothing of this one.
  if ([...cells, ...childElements(table)].some(({ name }) => name === "th" || name === "caption")) return false;
  if (rows.every((row) => ownCells(row).length <= 1)) return true;
  const heavy = cells.filter(
    (cell) =>
      descendants(cell, ...structural).length > 0 ||
      descendants(cell, "p").length > 3 ||
      descendants(cell, "li").length > maxListItems ||
      isLong(cell),
  );
  return heavy.length > 0 && heavy.length >= cells.length * 0.1;
};

const isLong = (cell: MarkupElement): boolean => inlineText(cell, null).length > maxCellCharacters;

/** Cells of a data table, spans laid out; sign and unit columns of financial tables join their number. */
export const tableRows = (table: MarkupElement, baseUrl: string | null): { caption: string; rows: string[][] } => {
  const caption = childElements(table).find((child) => child.name === "caption");
  const grid = ownRows(table).map((row) =>
    ownCells(row).map(
      (cell): GridCell => ({
        text: oneLine(inlineText(cell, baseUrl)),
        columns: span(cell.attributes.colspan),
        rows: span(cell.attributes.rowspan),
      }),
    ),
  );
  return { caption: caption ? oneLine(inlineText(caption, baseUrl)) : "", rows: withoutLooseSigns(gridRows(grid)) };
};

const span = (value: string | undefined): number => Number.parseInt(value ?? "1", 10) || 1;

const ownCells = (row: MarkupElement): MarkupElement[] =>
  childElements(row).filter((child) => (child.name === "td" || child.name === "th") && !isHidden(child));

/** Rows of this table, not of tables inside; head before body before foot, as a browser shows them. */
const ownRows = (table: MarkupElement): MarkupElement[] => {
  const parts = childElements(table).filter((child) => !isHidden(child));
  const rows = (name: string) =>
    parts.filter((part) => part.name === name).flatMap((part) => part.children.filter(isElement));
  const direct = parts.flatMap((part) => (part.name === "tr" ? [part] : part.name === "tbody" ? rowsOf(part) : []));
  return [...rows("thead"), ...direct, ...rows("tfoot")].filter((row) => row.name === "tr" && !isHidden(row));
};

const rowsOf = (part: MarkupElement): MarkupElement[] => childElements(part).filter((child) => child.name === "tr");

/** `$ | 12` becomes `$12`, `(12 | )` becomes `(12)`: such columns exist only to align numbers. */
const withoutLooseSigns = (rows: string[][]): string[][] => {
  return rows.map((row) => {
    const joined = [...row];
    for (let column = 0; column < joined.length; column++) {
      const cell = joined[column] ?? "";
      if (/^[$€£¥]$/.test(cell) && (joined[column + 1] ?? "") !== "") {
        joined[column + 1] = cell + joined[column + 1];
        joined[column] = "";
      } else if (/^[)%]+$/.test(cell) && column > 0 && (joined[column - 1] ?? "") !== "") {
        joined[column - 1] += cell;
        joined[column] = "";
      }
    }
    return joined;
  });
};
