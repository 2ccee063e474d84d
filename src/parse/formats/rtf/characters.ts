import iconv from "iconv-lite";
import { charsetOfCodePage } from "../../containers/charset.ts";

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
const charsets = new Map([
  [77, "macintosh"],
  [128, "cp932"],
  [129, "cp949"],
  [134, "cp936"],
  [136, "cp950"],
  [161, "cp1253"],
  [162, "cp1254"],
  [163, "cp1258"],
  [177, "cp1255"],
  [178, "cp1256"],
  [186, "cp1257"],
  [204, "cp1251"],
  [222, "cp874"],
  [238, "cp1250"],
]);

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
    const name = charsets.get(charset);
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
