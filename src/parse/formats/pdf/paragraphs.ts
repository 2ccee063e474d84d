import { normalForm } from "../../../text/clean-text.ts";
import type { Block } from "../../blocks/blocks.ts";
import { createIndents } from "../../blocks/blocks.ts";
import { median, type PlacedText } from "./measures.ts";
import { fixedPitch } from "./pdfium.ts";
import type { Row } from "./rows.ts";

/** A line of a column. */
interface Line extends PlacedText {
  /** Texts with wide gaps between them. */
  cells: number;
}

/** Facts about the whole document that are needed to join a page's lines to paragraphs. */
export interface DocumentStyle {
  /** Font height of most of the text. */
  bodySize: number;
  bodyFont: string;
  /** Font heights of headings, largest first. */
  headingSizes: readonly number[];
  /** Titles of the outline in comparable form, with their depth. */
  outline: ReadonlyMap<string, number>;
  /** Words inside the document's lines in lower case, to tell a hyphen at a line's end from a broken word. */
  words: ReadonlySet<string>;
}

const bullet = /^([•◦▪▫‣∙●○■□➢➤✓✔❖\uf0a7\uf0b7]|[–—−*·-](?=\s))\s*/;
const numbered = /^(\(?\d{1,3}[.)]|\(?[a-z][.)]|\(?[ivx]{1,5}[.)])\s+(?=\S)/;
const sectionNumber = /^(\d{1,2}(\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+\p{Lu}/u;
/** `2.1 The rent is`, as it begins several of a column's lines. */
const clause = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+["“]?\p{Lu}/u;
const maxHeadingCharacters = 200;

/** Lines of one column as paragraphs, headings and list items. */
export const readLines = (rows: readonly Row[], style: DocumentStyle, isTurned = false): Block[] => {
  const lines = rows.map((row) => lineOf(row, isTurned));
  const left = Math.min(...lines.map((line) => line.x0));
  const right = Math.max(...lines.map((line) => line.x1));
  const leading = typicalLeading(lines);
  const groups: Line[][] = [];
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    const goesOn =
      before !== undefined &&
      isCode(line, style) === isCode(before, style) &&
      (isCode(line, style) || !beginsParagraph(line, before, { left, right, leading, lines, index }));
    if (goesOn) groups.at(-1)?.push(line);
    else groups.push([line]);
  });
  const blocks = groups.map((group, index) => blockOf(group, groups[index + 1] ?? null, style));
  setDepths(blocks, groups);
  const isCentered = ([first]: readonly Line[] = []) =>
    first !== undefined && first.x0 > left + centeredShare * (right - left);
  // An author or a date in the middle below the title heads nothing.
  let isBelowTitle = false;
  return blocks.map((block, index): Block => {
    const isOfTitle = isBelowTitle && block.kind === "heading" && block.level > 1 && isCentered(groups[index]);
    isBelowTitle = isOfTitle || (block.kind === "heading" && block.level === 1 && isCentered(groups[index]));
    return isOfTitle ? { kind: "paragraph", text: block.text } : block;
  });
};

/** What is in the middle of a column begins at least this far inside it. */
const centeredShare = 0.1;

/** Depth of list items, by the indentation of their marks relative to earlier items. */
const setDepths = (blocks: readonly Block[], groups: readonly (readonly Line[])[]): void => {
  const indents = createIndents();
  blocks.forEach((block, index) => {
    const first = groups[index]?.[0];
    if (block.kind === "item" && first) block.depth = indents.depthAt(first.x0, 0.8 * first.size);
    else indents.reset();
  });
};

const lineOf = (row: Row, isTurned: boolean): Line => {
  const cells = isTurned ? row.cells.toReversed() : row.cells;
  const [first] = row.cells;
  const longest = row.cells.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  return {
    text: cells.map((cell) => cell.text).join(" "),
    x0: first?.x0 ?? 0,
    x1: Math.max(...row.cells.map((cell) => cell.x1)),
    y: row.y,
    size: longest.size,
    font: longest.font,
    cells: cells.length,
  };
};

/** The usual distance from one baseline to the next, in font heights. */
const typicalLeading = (lines: readonly Line[]): number => {
  const steps: number[] = [];
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    if (before && Math.abs(before.size - line.size) < 0.5) steps.push((line.y - before.y) / line.size);
  });
  const sane = steps.filter((step) => step > 0.8 && step < 2.5);
  return sane.length > 0 ? (sane.sort((a, b) => a - b)[Math.floor(sane.length * 0.3)] ?? 1.2) : 1.2;
};

const isItem = (text: string): boolean => bullet.test(text) || numbered.test(text);

const beginsParagraph = (
  line: Line,
  before: Line,
  column: { left: number; right: number; leading: number; lines: readonly Line[]; index: number },
): boolean => {
  const size = Math.max(line.size, before.size);
  if (Math.abs(line.size - before.size) > 0.12 * size) return true;
  if (isItem(line.text)) {
    const isFirstInside = isItem(before.text) && /^\(?[1ai][.)]/.test(line.text);
    if (bullet.test(line.text) || line.x0 <= before.x0 + size || isFirstInside) return true;
  }
  if (clause.test(line.text) && column.lines.filter(({ text }) => clause.test(text)).length > 1) return true;
  // A name and its value are a line of their own; what hangs below the value goes on with it.
  const isBesideName = line.cells > 1 || (before.cells > 1 && line.x0 < before.x0 + size);
  if (isBesideName && !/^\p{Ll}/u.test(line.text)) return true;
  if (line.y - before.y > Math.max(column.leading * 1.3, column.leading + 0.25) * size) return true;
  const width = column.right - column.left;
  const isBeforeShort = before.x1 < column.right - 0.2 * width;
  const next = column.lines[column.index + 1];
  const isCentered = Math.abs(line.x0 + line.x1 - before.x0 - before.x1) < size;
  const isIndented =
    line.x0 > before.x0 + 0.9 * size && (!next || next.x0 < line.x0 - 0.5 * size) && !isItem(before.text);
  if (isIndented && !isCentered && width > 12 * size) return true;
  // What hangs below a name ends where a line begins further left, unless both are centered.
  const isFurtherLeft = line.x0 < before.x0 - 1.5 * size && !isCentered && !isItem(before.text);
  if (isBeforeShort && isFurtherLeft && /^[^\p{Ll}]/u.test(line.text)) return true;
  if (line.font !== before.font && isBeforeShort) return true;
  if (Math.abs(line.x0 - before.x0) < 0.5 * size && wouldHaveFitted(line, before, column.right)) return true;
  return isBeforeShort && /[.!?:。！？]["”’)]?$/.test(before.text) && /^[\p{Lu}\p{N}"“(]/u.test(line.text);
};

/** A line break is intended if the next word would have fitted on the line. */
const wouldHaveFitted = (line: Line, before: Line, right: number): boolean => {
  if (/^[\p{Ll}\p{P}]/u.test(line.text) || /[\p{L}\p{N}][-\u00ad\u2010]$/u.test(before.text.slice(-3))) return false;
  // Lines of Chinese and Japanese break after any sign.
  const word = (wide.test(line.text[0] ?? "") ? line.text.slice(0, 2) : /^\S+/.exec(line.text)?.[0]) ?? "";
  const width = (word.length * (line.x1 - line.x0)) / Math.max(line.text.length, 1);
  return before.x1 + width + 1.5 * line.size < right;
};

/** Whether a line's letters are equally wide, in a document whose text has others. */
const isCode = ({ font }: Line, { bodyFont }: DocumentStyle): boolean =>
  font.endsWith(fixedPitch) && !bodyFont.endsWith(fixedPitch);

/** Lines of code with the blanks that they begin with, and empty lines. */
const codeOf = (lines: readonly Line[]): Block => {
  const left = Math.min(...lines.map(({ x0 }) => x0));
  const letter = median(lines.map(({ x0, x1, text }) => (x1 - x0) / Math.max(text.length, 1)));
  const pitch = typicalLeading(lines);
  const text = lines.map((line, index) => {
    const before = lines[index - 1];
    const isAfterGap = before !== undefined && line.y - before.y > 1.6 * pitch * line.size;
    const blanks = letter > 0 ? Math.min(Math.round((line.x0 - left) / letter), 200) : 0;
    return `${isAfterGap ? "\n" : ""}${" ".repeat(blanks)}${line.text}`;
  });
  return { kind: "code", language: "", text: text.join("\n") };
};

const blockOf = (lines: readonly Line[], next: readonly Line[] | null, style: DocumentStyle): Block => {
  if (lines.length > 1 && lines.every((line) => isCode(line, style))) return codeOf(lines);
  const text = joinLines(
    lines.map((line) => line.text),
    style.words,
  );
  const level = headingLevel(lines, text, next, style);
  const dot = bullet.exec(text);
  if (level !== null) return { kind: "heading", level, text: text.slice(dot?.[0].length ?? 0) };
  if (dot) return { kind: "item", depth: 0, marker: "-", text: text.slice(dot[0].length) };
  const count = numbered.exec(text);
  if (count) return { kind: "item", depth: 0, marker: (count[1] ?? "").trim(), text: text.slice(count[0].length) };
  return { kind: "paragraph", text };
};

export const comparable = (text: string): string =>
  normalForm(text, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

const headingLevel = (
  lines: readonly Line[],
  text: string,
  next: readonly Line[] | null,
  style: DocumentStyle,
): number | null => {
  const first = lines[0] as Line;
  if (text.length > maxHeadingCharacters || lines.length > 4 || !/\p{L}/u.test(text)) return null;
  const outlined =
    style.outline.get(comparable(text)) ?? style.outline.get(comparable(text.replace(sectionNumber, "")));
  if (outlined !== undefined) return Math.min(outlined + 1, 6);
  const size = median(lines.map((line) => line.size));
  const rank = style.headingSizes.findIndex((heading) => size >= heading - 0.26);
  // Texts side by side below the title, such as authors, head nothing.
  if (rank > 0 && lines.some(({ cells }) => cells > 1)) return null;
  // Section 3.1 is below section 3, even if both headings have the same size.
  const deeper = /^\d{1,2}((?:\.\d{1,2})*)/.exec(text)?.[1]?.split(".").length ?? 1;
  if (rank >= 0 && !/[,;]$/.test(text)) return Math.min(rank + deeper, 6);
  if (lines.length > 2 || first.font === style.bodyFont || size < style.bodySize * 0.95 || text.length > 90)
    return null;
  if (/[.,;:!?]$|[=√]/.test(text) || /^(fig|figure|table|tab)\b/i.test(text) || bullet.test(text)) return null;
  const leads = next?.some((line) => line.font === style.bodyFont);
  return leads && (sectionNumber.test(text) || /^\p{Lu}/u.test(text)) && lines.every((line) => line.font === first.font)
    ? Math.min(style.headingSizes.length + deeper, 6)
    : null;
};

/** Lines as one text; a word broken at a line's end is joined. */
export const joinLines = (lines: readonly string[], words: ReadonlySet<string>): string =>
  lines.reduce((text, line) => (text === "" ? line : joinTwo(text, line, words)), "");

const wide = /[\u2e80-\u9fff\uff00-\uffef]/;
/** Only this much of the end of a long paragraph is searched for a broken word. */
const maxWordCharacters = 200;

/** The first part of a word that is broken by a hyphen at the end of the text. */
const brokenWord = (text: string): string | undefined => {
  if (!/[-\u00ad\u2010]/.test(text.at(-1) ?? "")) return undefined;
  return (
    text
      .slice(-maxWordCharacters - 1, -1)
      .split(/[^\p{L}]/u)
      .at(-1) || undefined
  );
};

/** Parts of English compounds that keep their hyphen at the end of a line too; other broken words are joined. */
const compoundFirst =
  /^(?:self|well|high|low|long|short|half|mid|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|quasi|cross|large|small|full|part)$/i;
const compoundSecond =
  /^(?:facing|based|ready|friendly|related|level|term|minded|driven|making|makers?|holders?|wide|looking|scale|oriented|sized|shaped|owned|quality|dimensional|dependent|weighted|sensitive|resistant|intensive|effective|efficient|specific|defined|conscious|employed|free|known|handed|sided|haired|eyed)$/i;
const fewestPartLetters = 3;
/** The middle of compounds such as "state-of-the-art". */
const compoundMiddle = /-(?:of|the|to|and|in|by|on|up|at|a|an|for|or|und|de|du|la|le|les|en|sur)$/i;
/** After a hyphen that stands for the rest of a word: "pre- and post-war". */
const afterOpenWord = /^(?:and|or|to|und|oder|bis|bzw|sowie|et|ou|y|e|o|en|of)$/;
/** These make one word with what is before them. */
const ending =
  /^(?:er|est|ern|erly|ness|ish|ly|ward|wards|land|time|hood|ship|less|ful|ment|ity|ing|ed|ies|es|way|ways)/i;

const isCompound = (first: string, second: string): boolean =>
  first.length >= fewestPartLetters &&
  (compoundSecond.test(second) ||
    (compoundFirst.test(first) && second.length > fewestPartLetters && !ending.test(second)));

export const joinTwo = (before: string, after: string, words: ReadonlySet<string>): string => {
  const tail = brokenWord(before);
  const head = /^\p{Ll}[\p{L}]*/u.exec(after)?.[0];
  if (tail !== undefined && head !== undefined) {
    const isSoft = before.endsWith("\u00ad");
    if (!isSoft && afterOpenWord.test(head) && !words.has(`${tail}${head}`.toLowerCase())) return `${before} ${after}`;
    const isHyphenated =
      !isSoft &&
      !words.has(`${tail}${head}`.toLowerCase()) &&
      (words.has(`${tail}-${head}`.toLowerCase()) ||
        tail.length === 1 ||
        compoundMiddle.test(before.slice(-maxWordCharacters, -1)) ||
        isCompound(tail, head) ||
        [tail, head].every((part) => words.has(part.toLowerCase())));
    return isHyphenated ? before + after : before.slice(0, -1) + after;
  }
  // A hyphen before a figure or a capital, and a dash without a blank, belongs to a number or a name.
  if (/[\p{L}\p{N}][-\u00ad\u2010–—]$/u.test(before.slice(-3)) && /^[\p{N}\p{L}]/u.test(after))
    return `${before.slice(0, -1)}${before.at(-1) === "\u00ad" ? "-" : before.at(-1)}${after}`;
  // Chinese and Japanese have no blanks between words; Korean has, and breaks lines inside words.
  const isWide = wide.test(before.at(-1) ?? "") && wide.test(after[0] ?? "");
  return isWide ? before + after : `${before} ${after}`;
};

/** Paragraphs out of OCR's lines: empty lines part them, words broken at a line's end are joined. */
export const textBlocks = (text: string): Block[] => {
  return text.split(/\n\s*\n|\f/).flatMap((part): Block[] => {
    const lines = part.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
    const joined = lines.reduce((whole, line, index) => {
      if (index === 0) return line;
      return isFigures(line) && isFigures(lines[index - 1] ?? "") ? `${whole}\n${line}` : joinTwo(whole, line, noWords);
    }, "");
    return joined === "" ? [] : [{ kind: "paragraph", text: joined }];
  });
};

const noWords: ReadonlySet<string> = new Set();

/** A line of figures is a row of a table and is not joined to others. */
const isFigures = (line: string): boolean => (line.match(/\d/g)?.length ?? 0) > line.length * 0.3;
