import { readFileSync } from "node:fs";
import path from "chardetng-wasm/dist/chardetng_wasm_bg.wasm" with { type: "file" };
import iconv from "iconv-lite";

/** Decoded text; `isText` is false where the bytes are not text in any charset. */
interface DecodedText {
  text: string;
  charset: string;
  isText: boolean;
}

/** How much of a file is looked at to guess its charset. */
const sampleBytes = 64 * 1024;

/**
 * Decodes bytes of any charset. In this order: byte-order mark; UTF-16 by its zero bytes; valid UTF-8; what was
 * declared (a header, a `meta` or XML declaration); what the bytes look like.
 * @param declared charset named by a header, or null
 */
export const decodeText = (bytes: Uint8Array, declared: string | null): DecodedText => {
  const marked = byteOrderMark(bytes);
  if (marked) return decoded(bytes, marked);
  const wide = utf16WithoutMark(bytes);
  if (wide) return decoded(bytes, wide);
  const stated = known(declared) ?? known(statedInside(bytes));
  // Seven-bit charsets with escape sequences are valid UTF-8, but mean other characters.
  if (stated && /^(iso-2022|hz-|utf-7)/i.test(stated)) return decoded(bytes, stated);
  if (isUtf8(bytes)) return decoded(bytes, "utf-8");
  if (bytes.subarray(0, sampleBytes).includes(0)) return { text: "", charset: "binary", isText: false };
  return decoded(bytes, stated ?? guess(bytes));
};

const byteOrderMark = (bytes: Uint8Array): string | null => {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && bytes.length >= 4 ? "utf-32le" : "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? "utf-32be" : null;
};

/** UTF-16 text of a European language has a zero in most pairs, always on the same side. */
const utf16WithoutMark = (bytes: Uint8Array): string | null => {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return null;
  const sample = bytes.subarray(0, 4096);
  let even = 0;
  let odd = 0;
  for (let index = 0; index + 1 < sample.length; index += 2) {
    if (sample[index] === 0) even++;
    if (sample[index + 1] === 0) odd++;
  }
  const pairs = sample.length / 2;
  if (odd > pairs * 0.5 && even < pairs * 0.05) return "utf-16le";
  if (even > pairs * 0.5 && odd < pairs * 0.05) return "utf-16be";
  // That of other languages has them on that side too, in blanks and line breaks.
  const side = odd > 1 && even === 0 ? "utf-16le" : even > 1 && odd === 0 ? "utf-16be" : null;
  if (side === null) return null;
  const text = iconv.decode(Buffer.from(sample), side);
  return looksLikeText(text) && !/[\p{Cn}\p{Co}\p{Cs}]/u.test(text) ? side : null;
};

/** The charset that the file states itself: in an HTML `meta` element or an XML declaration. */
const statedInside = (bytes: Uint8Array): string | null => {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
  return (
    statedInTag(head, /<\?xml/gi, /encoding=["']([\w.:-]+)["']/i) ??
    statedInTag(head, /<meta/gi, /charset\s*=\s*["']?([\w.:-]+)/i)
  );
};

/** The statement in the first tag that has one. */
const statedInTag = (text: string, begin: RegExp, statement: RegExp): string | null => {
  for (const { index } of text.matchAll(begin)) {
    const end = text.indexOf(">", index);
    const next = text.indexOf("<", index + 1);
    const ends = [end, next].filter((place) => place >= 0);
    const found = statement.exec(text.slice(index, ends.length === 0 ? text.length : Math.min(...ends)))?.[1];
    if (found !== undefined) return found;
  }
  return null;
};

const known = (charset: string | null): string | null => {
  // HTML's rule (WHATWG Encoding): Latin-1 and ASCII as labels mean windows-1252.
  if (charset !== null && /^(iso-?8859-1|latin-?1|us-ascii|ascii)$/i.test(charset)) return "windows-1252";
  // A declared UTF-16 that had neither mark nor zeros is wrong.
  if (charset === null || /^(utf-?16|utf-?32|ucs)/i.test(charset)) return null;
  return iconv.encodingExists(charset) ? charset : null;
};

/** Whether all bytes are valid UTF-8; a file cut inside a character still counts where it holds another one. */
const isUtf8 = (bytes: Uint8Array): boolean => {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const text = decoder.decode(bytes, { stream: true });
    return Buffer.byteLength(text) === bytes.length || /[^\0-\x7f]/.test(text);
  } catch {
    return false;
  }
};

/** Text that was UTF-8 before some bytes of it broke; else what makes the likeliest letters. */
const guess = (bytes: Uint8Array): string => {
  const sample = bytes.subarray(0, sampleBytes);
  if (isBrokenUtf8(sample)) return "utf-8";
  const found = likelyCharset(sample);
  if (!iconv.encodingExists(found)) return likeliestOf(sample, "windows-1252");
  return /^(?:windows-125[024]|iso-8859-4)$/.test(found) ? likeliestOf(sample, found) : found;
};

/** Of those that the detector does not know or takes for Latin ones, the one in which the text looks most like one. */
const likeliestOf = (bytes: Uint8Array, found: string): string => {
  // Only old Macs end lines so.
  const isOfMac = bytes.includes(13) && !bytes.includes(10);
  const charsets = [...(isOfMac ? [] : [found]), "macintosh", found, "cp850", "shift_jis"];
  const scores = charsets.map((charset) => likeness(iconv.decode(Buffer.from(bytes), charset)));
  return charsets[scores.indexOf(Math.max(...scores))] as string;
};

const usualSign = /[\s‘’‚“”„–—…€£¥§°«»©®™·•½¼¾²³¹¿¡ºª×±µ]/;

/** How many bytes beyond ASCII stand where they may, less those that do not: a capital, a sign or an ideogram in a Latin word. */
const likeness = (text: string): number => {
  let score = 0;
  for (const { 0: sign, index } of text.matchAll(/\P{ASCII}/gu)) {
    const [before = "", after = ""] = [text[index - 1], text[index + sign.length]];
    const isCapitalInside = /\p{Lu}/u.test(sign) && /\p{L}/u.test(before) && /\p{Ll}/u.test(before + after);
    if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\uff01-\uff60‥]/u.test(sign))
      score += /[A-Za-z\uff61-\uff9f]/.test(before + sign + after) ? -2 : 2;
    else if (/[\ufffd\p{Co}]/u.test(sign)) score -= 5;
    else if (/\p{L}/u.test(before) && /\p{L}/u.test(after) && !/[\p{L}’·]/u.test(sign)) score -= 2;
    else score += (/[\p{Ll}\p{Lu}]/u.test(sign) && !isCapitalInside) || usualSign.test(sign) ? 1 : -1;
  }
  return score;
};

/** At most one sequence in ten of those with high bytes is broken, which no text of another charset comes near. */
const isBrokenUtf8 = (bytes: Uint8Array): boolean => {
  let [broken, whole] = [0, 0];
  for (const character of new TextDecoder().decode(bytes)) {
    if (character === "\ufffd") broken++;
    else if (character > "\u007f") whole++;
  }
  return broken * 10 <= whole;
};

const decoded = (bytes: Uint8Array, charset: string): DecodedText => {
  const text = iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), charset);
  return { text, charset: charset.toLowerCase(), isText: looksLikeText(text) };
};

/** Text has hardly any control characters except white space and escapes. */
const looksLikeText = (text: string): boolean => {
  const sample = text.slice(0, sampleBytes);
  let odd = 0;
  for (let index = 0; index < sample.length; index++) {
    const code = sample.charCodeAt(index);
    if ((code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27) || code === 0xfffd) odd++;
    else if (code >= 0x7f && code < 0xa0 && code !== 0x85) odd++;
  }
  return odd <= sample.length * 0.02;
};

/** Functions of the module; pointers are offsets into its memory, and a flag is 0 or 1. */
interface Detector {
  memory: WebAssembly.Memory;
  __wbindgen_malloc(bytes: number): number;
  __wbindgen_free(pointer: number, bytes: number): void;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
  encodingdetector_new(): number;
  /** Takes the bytes over and frees them. */
  encodingdetector_feed(detector: number, bytes: number, length: number, isLast: number): number;
  encodingdetector_guess(result: number, detector: number, domain: number, length: number, allowUtf8: number): void;
  __wbg_encodingdetector_free(detector: number): void;
}

let loaded: Detector | null = null;

/** Compiled with the first text that is not UTF-8; the package's own binding cannot be compiled into a binary. */
const load = (): Detector => {
  const module = new WebAssembly.Module(readFileSync(path) as Uint8Array<ArrayBuffer>);
  const fail = () => {
    throw new Error("The charset detector failed.");
  };
  const { exports } = new WebAssembly.Instance(module, { "./chardetng_wasm_bg.js": { __wbindgen_throw: fail } });
  return exports as unknown as Detector;
};

/**
 * The charset of bytes that are not UTF-8, by its name in the WHATWG Encoding Standard: Firefox's detector decodes them
 * in every legacy charset and compares how likely the letters then stand beside each other, so that one line of text
 * suffices.
 */
const likelyCharset = (bytes: Uint8Array): string => {
  loaded ??= load();
  const { memory, ...wasm } = loaded;
  const detector = wasm.encodingdetector_new();
  const data = wasm.__wbindgen_malloc(bytes.length);
  new Uint8Array(memory.buffer, data, bytes.length).set(bytes);
  wasm.encodingdetector_feed(detector, data, bytes.length, 1);
  const result = wasm.__wbindgen_add_to_stack_pointer(-16);
  wasm.encodingdetector_guess(result, detector, 0, 0, 0);
  const [name = 0, length = 0] = new Int32Array(memory.buffer, result, 2);
  const charset = new TextDecoder().decode(new Uint8Array(memory.buffer, name, length));
  wasm.__wbindgen_add_to_stack_pointer(16);
  wasm.__wbindgen_free(name, length);
  wasm.__wbg_encodingdetector_free(detector);
  return charset;
};

/** Windows code pages that are known by another name than their number. */
const named = new Map([
  [1200, "utf-16le"],
  [1201, "utf-16be"],
  [10000, "macintosh"],
  [20127, "windows-1252"],
  [51932, "euc-jp"],
  [51936, "gb2312"],
  [51949, "euc-kr"],
  [54936, "gb18030"],
  [65001, "utf-8"],
]);

/** The charset of a Windows code page; null for one that is not known. */
export const charsetOfCodePage = (number: number): string | null => {
  const charset = named.get(number) ?? `cp${number}`;
  return iconv.encodingExists(charset) ? charset : null;
};
