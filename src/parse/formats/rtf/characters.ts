import iconv from "iconv-lite";
import type { Block } from "../../blocks/blocks.ts";
import { createIndents } from "../../blocks/blocks.ts";
import { createRepeatBudget, type GridCell, gridRows } from "../../blocks/grid.ts";
import { oneLine, pairsIn } from "../../blocks/tidy-text.ts";
import { charsetOfCodePage } from "../../containers/charset.ts";
import type { ParagraphFormat } from "./group-state.ts";

/** Control words that stand for characters. */
export const rtfSymbols = new Map([
  ["tab", " "],
  ["line", "\n"],
  ["lbr", "\n"],
  ["emdash", "—"],
  ["endash", "–"],
  ["emspace", " "],
  ["enspace", " "],
  ["qmspace", " "],
  ["bullet", "•"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
]);

/** Windows code pages of the font charsets (RTF 1.9.1, `\fcharset`). */
const charsets = pairsIn(
  "77:macintosh 128:cp932 129:cp949 134:cp936 136:cp950 161:cp1253 162:cp1254 163:cp1258 177:cp1255 178:cp1256 186:cp1257 204:cp1251 222:cp874 238:cp1250",
);

/** Turns the bytes of rich text into characters: by the font's charset, else by the document's code page. */
export class RtfDecoder {
  private codePage = "cp1252";
  private readonly fonts = new Map<number, string>();
  private defined = 0;
  private used = 0;
  private bytes: number[] = [];

  setCodePage(number: number): void {
    this.codePage = charsetOfCodePage(number) ?? this.codePage;
  }

  beginFont(font: number): void {
    this.defined = font;
  }

  setFontCharset(charset: number): void {
    const name = charsets.get(String(charset));
    if (name) this.fonts.set(this.defined, name);
  }

  useFont(font: number): void {
    this.used = font;
  }

  push(byte: number): void {
    this.bytes.push(byte);
  }

  /** What the bytes so far say. */
  take(): string {
    if (this.bytes.length === 0) return "";
    return iconv.decode(Buffer.from(this.bytes.splice(0)), this.fonts.get(this.used) ?? this.codePage);
  }

  /** Text that is not escaped; some writers put 8-bit characters there. */
  raw(latin1: string): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what it asks for
    if (/^[\u0000-\u007f]*$/.test(latin1)) return latin1;
    return iconv.decode(Buffer.from(latin1, "latin1"), this.fonts.get(this.used) ?? this.codePage);
  }
}

/** A list item whose mark was typed, or written as text by a program. */
const typedMark = /^([•◦▪‣·–—-]|\(?(\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+(?=\S)/;
/** Typed items less than this apart, in twips, lie equally deep: a tenth of an inch. */
const typedStep = 144;

/** A cell of a table's row: where it ends, and what it is merged with. */
interface CellShape {
  end: number;
  merge: "none" | "above" | "left";
}

/** Edges nearer than this, in twips, are one. */
const edgeTwips = 30;
const maxRowCells = 1_000;

/** Rows whose cells may end at different places, or are merged, as a grid. */
const mergedRows = (rows: readonly { texts: readonly string[]; cells: readonly CellShape[] }[]): string[][] => {
  const edges = [...new Set(rows.flatMap(({ cells }) => cells.map(({ end }) => end)))].sort((a, b) => a - b);
  const columnAt = new Map(edges.map((edge, index) => [edge, index + 1]));
  const above = new Map<number, string>();
  const take = createRepeatBudget();
  return gridRows(
    rows.map(({ texts, cells }) => {
      const row: GridCell[] = [];
      let column = 0;
      cells.forEach(({ end, merge }, index) => {
        const columns = Math.max((columnAt.get(end) ?? 0) - column, 1);
        const last = row.at(-1);
        if (merge === "left" && last !== undefined) last.columns += columns;
        else {
          const text = merge === "above" ? (above.get(column) ?? "") : (texts[index] ?? "");
          if (merge === "above") take(text, 1);
          above.set(column, text);
          row.push({ text, columns, rows: 1 });
        }
        column += columns;
      });
      return row;
    }),
  );
};

/** Makes blocks of the paragraphs and cells of rich text. */
export class BlockWriter {
  private readonly blocks: Block[] = [];
  private readonly styles = new Map<number, string>();
  private readonly indents = createIndents();
  private cells: string[] = [];
  private rows: { texts: string[]; cells: readonly CellShape[] }[] = [];
  /** The cells of the row, as they are defined, and what is said of the next one. */
  private shapes: CellShape[] = [];
  private merge: CellShape["merge"] = "none";

  defineStyle(number: number, definition: string): void {
    this.styles.set(number, definition.replace(/;.*$/s, "").trim());
  }

  /** A row of a table has begun and not ended. */
  get isInRow(): boolean {
    return this.cells.length > 0;
  }

  /** Where the cells of a row end, and which are merged with the one above or left of them. */
  defineRow(word: string, value: number | null): void {
    if (word === "trowd") this.shapes = [];
    else if (word === "clvmrg") this.merge = "above";
    else if (word === "clmrg") this.merge = "left";
    if (word !== "cellx" || this.shapes.length > maxRowCells) return;
    this.shapes.push({ end: Math.round((value ?? 0) / edgeTwips), merge: this.merge });
    this.merge = "none";
  }

  endCell(text: string): void {
    this.cells.push(oneLine(text));
  }

  endRow(): void {
    this.rows.push({ texts: this.cells.splice(0), cells: this.shapes });
  }

  /** @param marker of a list item, as the file has it; empty for none */
  endParagraph(text: string, marker: string, format: ParagraphFormat): void {
    if (text === "") return;
    this.flushTable();
    const level = format.level ?? this.styleLevel(format.style);
    const isTyped = marker === "" && format.indent > 0 && format.firstIndent < 0;
    const typed = level === null && isTyped ? typedMark.exec(text) : null;
    if (level !== null) this.blocks.push({ kind: "heading", level, text: oneLine(`${marker} ${text}`) });
    else if (typed) {
      const depth = this.indents.depthAt(format.indent, typedStep);
      this.blocks.push({ kind: "item", depth, marker: markerOf(typed[1] ?? ""), text: text.slice(typed[0].length) });
    } else if (format.isListItem || marker !== "") {
      this.blocks.push({ kind: "item", depth: format.listDepth, marker: markerOf(marker), text });
    } else this.blocks.push({ kind: "paragraph", text });
    if (!typed) this.indents.reset();
  }

  /** @returns all blocks, a table that was not ended included */
  end(): Block[] {
    if (this.isInRow) this.endRow();
    this.flushTable();
    return this.blocks;
  }

  private styleLevel(style: number | null): number | null {
    const name = this.styles.get(style ?? -1) ?? "";
    if (/^title$/i.test(name)) return 1;
    return Number(/^heading (\d)/i.exec(name)?.[1] ?? 0) || null;
  }

  private flushTable(): void {
    const rows = this.rows.splice(0);
    if (rows.length === 0) return;
    const areDefined = rows.every(({ texts, cells }) => texts.length === cells.length);
    this.blocks.push({ kind: "table", rows: areDefined ? mergedRows(rows) : rows.map(({ texts }) => texts) });
  }
}

const markerOf = (mark: string): string =>
  /^\(?[\p{L}\d]{1,5}(\.\d+)*[.)]?$/u.test(mark) && /[.)]/.test(mark) ? mark : "-";
