import { childNamed, childrenNamed, descendant, type MarkupElement } from "../../markup.ts";

export type NumberKind =
  | { kind: "plain" }
  | { kind: "date"; hasDay: boolean; hasTime: boolean }
  | { kind: "percent"; decimals: number };

/** Built-in formats that are dates or times (ECMA-376-1, 18.8.30), East Asian ones included. */
const builtIn = (id: number): NumberKind => {
  if (
    (id >= 14 && id <= 17) ||
    (id >= 27 && id <= 31) ||
    id === 36 ||
    (id >= 50 && id <= 54) ||
    (id >= 57 && id <= 58)
  ) {
    return { kind: "date", hasDay: true, hasTime: false };
  }
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47) || id === 55 || id === 56) {
    return { kind: "date", hasDay: false, hasTime: true };
  }
  if (id === 22) return { kind: "date", hasDay: true, hasTime: true };
  if (id === 9) return { kind: "percent", decimals: 0 };
  return id === 10 ? { kind: "percent", decimals: 2 } : { kind: "plain" };
};

/** Spreadsheet programs take 255 characters. */
const maxFormatCodeCharacters = 1_000;

/** Reads a format's code: what kind of value it shows. */
const readFormatCode = (code: string): NumberKind => {
  const [first = ""] = code.split(";");
  const bare = first
    .slice(0, maxFormatCodeCharacters)
    .replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/\[[^[\]]*\]/g, (part) => (/^\[(?:h+|m+|s+)\]$/i.test(part) ? part : ""));
  if (/general/i.test(bare)) return { kind: "plain" };
  const percent = /^[^0]*0(?:\.(0+))?/.exec(bare.slice(0, bare.lastIndexOf("%") + 1));
  if (percent) return { kind: "percent", decimals: percent[1]?.length ?? 0 };
  const hasTime = /h|s|AM\/PM|\[m+\]/i.test(bare);
  const hasDay = /y|d|e{1,4}(?![+-])/i.test(bare) || (!hasTime && /m/i.test(bare) && !/[0#?]/.test(bare));
  return hasDay || hasTime ? { kind: "date", hasDay, hasTime } : { kind: "plain" };
};

/** The kind of each cell style by its index. @param styles root of styles.xml, or null */
export const readCellFormats = (styles: MarkupElement | null): NumberKind[] => {
  const root = styles ? descendant(styles, "styleSheet") : null;
  const codes = new Map(
    childrenNamed(childNamed(root, "numFmts"), "numFmt").map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode ?? "",
    ]),
  );
  return childrenNamed(childNamed(root, "cellXfs"), "xf").map(({ attributes }) => {
    const id = Number(attributes.numFmtId ?? "0");
    const code = codes.get(id);
    return code === undefined ? builtIn(id) : readFormatCode(code);
  });
};

const dayMs = 86_400_000;

/**
 * A number as its format means it: dates and times in ISO 8601, percentages as such, others without rounding errors.
 */
export const showNumber = (stored: string, format: NumberKind, is1904: boolean): string => {
  const number = Number(stored);
  if (!Number.isFinite(number)) return stored;
  if (format.kind === "percent") return `${plainNumber(Number((number * 100).toFixed(Math.max(format.decimals, 2))))}%`;
  if (format.kind === "plain" || number < 0 || number > 2_958_465.99999) return plainNumber(number);
  return showDate(number, format, is1904);
};

/** Spreadsheets keep fifteen digits. */
const plainNumber = (number: number): string => {
  const short = Number(number.toPrecision(15));
  return Math.abs(short) >= 1e21 || (short !== 0 && Math.abs(short) < 1e-6) ? String(short) : short.toString();
};

const showDate = (serial: number, format: { hasDay: boolean; hasTime: boolean }, is1904: boolean): string => {
  // Serial 60 is the 29 February 1900 that never was: days before it are one off.
  const days = is1904 ? serial + 1_462 : serial < 60 ? serial + 1 : serial;
  const date = new Date(Date.UTC(1899, 11, 30) + Math.round((days * dayMs) / 1000) * 1000);
  const iso = date.toISOString();
  const day = iso.slice(0, 10);
  const time = iso.slice(11, 19).replace(/:00$/, "");
  if (!format.hasDay) return serial >= 1 ? plainNumber(serial) : time;
  return format.hasTime && time !== "00:00" ? `${day} ${time}` : day;
};
