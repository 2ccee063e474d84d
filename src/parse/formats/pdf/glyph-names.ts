import { constants, inflateSync } from "node:zlib";
import { pairsIn } from "../../blocks/tidy-text.ts";

/**
 * What letters mean by the names that a PDF gives the glyphs of its fonts, where PDFium does not know it: names that TeX and
 * Adobe's fonts have beyond the common list (`f_i`, `epsilon1`), and fonts of type 3, as matplotlib, dvips and printers
 * write them. PDFium gives no names, so that the file is searched for its fonts, whose dictionaries stand in it or in
 * its packed object streams.
 */
export type GlyphTexts = (font: string, code: number) => string | null;

/** Bounds of what is searched. */
const [maxBytes, maxUnpacked, maxObjects, maxObjectCharacters] = [128 * 2 ** 20, 64 * 2 ** 20, 500_000, 30_000];
const maxGlyphs = 1_000_000;

/** The texts of a file's glyphs by the name of their font and their code; fonts of the same name count as one. */
export const readGlyphTexts = (bytes: Uint8Array): GlyphTexts => {
  const fonts = new Map<string, Map<number, string | null>>();
  const objects = bytes.length > maxBytes ? new Map<string, string>() : readObjects(bytes);
  /** What stands behind a key, which may be another object. */
  const behind = (text: string, key: string): string => {
    const at = text.indexOf(key);
    const value = at < 0 ? "" : text.slice(at + key.length);
    const reference = /^\s{0,9}(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R/.exec(value)?.[1];
    return reference === undefined ? value : (objects.get(reference) ?? "");
  };
  let left = maxGlyphs;
  for (const text of objects.values()) {
    const kind = /\/Subtype\s{0,9}\/(Type[013]|MMType1|TrueType)\b/.exec(text)?.[1];
    if (kind === undefined || left < 0) continue;
    const name = (/\/BaseFont\s{0,9}\/([^\s/<>[\]()]{1,127})/.exec(text)?.[1] ?? "").replace(
      /#([\da-f]{2})/gi,
      (_, code) => String.fromCharCode(Number.parseInt(code, 16)),
    );
    const add = (code: number, said: string | null): void => {
      left--;
      // PDFium leaves the mark of a subset out of some names.
      for (const key of new Set([name, name.replace(/^[A-Z]{6}\+/, "")])) {
        const known = fonts.get(key) ?? new Map<number, string | null>();
        fonts.set(key, known);
        if (said !== null) known.set(code, (known.get(code) ?? said) === said ? said : null);
      }
    };
    if (kind === "Type0") {
      // Its codes are said to be those of Unicode.
      if (/\/ToUnicode\s{0,9}\/Identity-[HV]/.test(text)) add(unicodeCodes, "");
      continue;
    }
    const encoding = behind(text, "/Encoding");
    const differences = behind(encoding, "/Differences");
    const list = differences.slice(differences.indexOf("[") + 1, differences.indexOf("]"));
    const program = kind === "Type1" && list === "" ? behind(behind(text, "/FontDescriptor"), "/FontFile ") : "";
    for (const [, number, glyph = ""] of program.matchAll(/\bdup\s{1,9}(\d{1,3})\s{0,9}\/([\w.]{1,63})\s{1,9}put\b/g))
      add(Number(number), textOfGlyph(glyph, Number(number)));
    if (kind === "Type3" && /\/(?:WinAnsi|MacRoman|Standard)Encoding/.test(encoding)) add(asciiCodes, "");
    let code = 0;
    for (const [, number, glyph = ""] of list.matchAll(/(?<![^\s\]/])(\d{1,3})(?=[\s/])|\/([^\s/<>[\]()]{1,63})/g)) {
      if (number === undefined) add(code, textOfGlyph(glyph, code++));
      else code = Number(number);
    }
  }
  return (font, code) => {
    const known = fonts.get(font);
    if (known === undefined) return null;
    const said = known.get(code);
    if (said !== undefined) return said;
    const isLetter = known.has(unicodeCodes) ? code >= 32 && !(code >= 0xd800 && code < 0xf900) : isAscii(code);
    return isLetter && (known.has(unicodeCodes) || known.has(asciiCodes)) ? String.fromCodePoint(code) : null;
  };
};

/** Stand for all codes of a font that mean the letter of that number. */
const [unicodeCodes, asciiCodes] = [-1, -2];
const isAscii = (code: number): boolean => code >= 32 && code < 127;

/** The dictionaries of a PDF's objects by their numbers; where an object is there again, the last one counts. */
const readObjects = (bytes: Uint8Array): Map<string, string> => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const all = file.toString("latin1");
  const objects = new Map<string, string>();
  let unpacked = 0;
  const inflated = (from: number): string => {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxUnpacked - unpacked + 1 };
    const text = inflateSync(file.subarray(from), options).toString("latin1");
    unpacked += text.length;
    return text;
  };
  for (const { 0: begin, 1: number = "", index } of all.matchAll(/\b(\d{1,10})\s{1,9}\d{1,5}\s{1,9}obj\b/g)) {
    if (objects.size > maxObjects) break;
    const start = index + begin.length;
    const dictionary = all.slice(start, start + maxObjectCharacters).split(/\b(?:end)?obj\b|\bstream\r?\n/, 1)[0] ?? "";
    objects.set(number, dictionary);
    const isPacked = /\/ObjStm\b/.test(dictionary);
    if (!(isPacked || /\/Length2\b/.test(dictionary)) || unpacked > maxUnpacked) continue;
    const from = start + dictionary.length + (all[start + dictionary.length + "stream".length] === "\r" ? 8 : 7);
    try {
      const text = inflated(from);
      // A font of type 1 says its encoding in its first lines.
      if (!isPacked) objects.set(number, text.slice(0, maxObjectCharacters));
      const first = Number(/\/First\s{0,9}(\d{1,9})/.exec(dictionary)?.[1] ?? 0);
      const places = isPacked ? (text.slice(0, first).match(/\d{1,10}/g) ?? []) : [];
      for (let at = 0; at + 1 < places.length && objects.size <= maxObjects; at += 2) {
        const [own, end] = [places[at + 1], places[at + 3]].map((place) => first + Number(place));
        objects.set(places[at] ?? "", text.slice(own, Math.min(end || Infinity, (own ?? 0) + maxObjectCharacters)));
      }
    } catch {
      // Encrypted, broken or too large: its fonts stay unknown.
    }
  }
  return objects;
};

const marks =
  "acute:\u0301 grave:\u0300 circumflex:\u0302 dieresis:\u0308 tilde:\u0303 ring:\u030a caron:\u030c cedilla:\u0327 macron:\u0304 breve:\u0306";
const accents = pairsIn(marks);
const greek =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma1 sigma tau upsilon phi chi psi omega";
const texts = new Map([
  ..."zero one two three four five six seven eight nine".split(" ").map((name, digit) => [name, `${digit}`] as const),
  ...greek
    .split(" ")
    .flatMap((name, index) => [
      [name, String.fromCodePoint(0x3b1 + index)] as const,
      [`${name[0]?.toUpperCase()}${name.slice(1)}`, String.fromCodePoint(0x391 + index)] as const,
    ]),
  ...pairsIn(
    "exclam:! quotedbl:\" numbersign:# dollar:$ percent:% ampersand:& quotesingle:' quoteright:’ quoteleft:‘ parenleft:( parenright:) asterisk:* plus:+ comma:, hyphen:- minus:− period:. slash:/ colon:: semicolon:; less:< equal:= greater:> question:? at:@ bracketleft:[ backslash:\\ bracketright:] asciicircum:^ underscore:_ grave:` braceleft:{ bar:| braceright:} asciitilde:~ bullet:• endash:– emdash:— quotedblleft:“ quotedblright:” quotedblbase:„ degree:° section:§ copyright:© registered:® Euro:€ sterling:£ yen:¥ ellipsis:… germandbls:ß ae:æ AE:Æ oe:œ OE:Œ oslash:ø Oslash:Ø dotlessi:ı fi:fi fl:fl ff:ff ffi:ffi ffl:ffl epsilon1:ϵ theta1:ϑ phi1:ϕ rho1:ϱ pi1:ϖ bardbl:‖ ceilingleft:⌈ ceilingright:⌉ floorleft:⌊ floorright:⌋ angbracketleft:⟨ angbracketright:⟩ lscript:ℓ circlecopyrt:© openbullet:∘ lessmuch:≪ greatermuch:≫ similarequal:≃ lessequal:≤ greaterequal:≥ precedes:≺ follows:≻ mapsto:↦ turnstileleft:⊢ owner:∋ summation:∑ integral:∫ product:∏ radical:√ union:⋃ intersection:⋂ multiply:× arrowright:→ arrowleft:← infinity:∞ partialdiff:∂ plusminus:± asteriskmath:∗",
  ),
]);
/** By the code, in the encodings of TeX. */
const texCodes = new Map([
  ...["ff", "fi", "fl", "ffi", "ffl", "“", "”"].map((text, at) => [11 + at, text] as const),
  ...["ff", "fi", "fl", "ffi", "ffl"].map((text, at) => [27 + at, text] as const),
  ...([
    [21, "–"],
    [22, "—"],
    [136, "•"],
  ] as const),
]);

/** What a glyph's name says; null for one that says nothing. */
const textOfGlyph = (name: string, code: number): string | null => {
  const [base = ""] = name.split(".", 1);
  if (/^[\p{L}\p{N}]$/u.test(base)) return base;
  if (base === "space") return " ";
  const known = texts.get(base) ?? texts.get(base.replace(/(?:[Bb]igg?|display|text)$/, ""));
  if (known !== undefined) return known;
  const [, letter = "", accent = ""] = /^([A-Za-z]|dotlessi)([a-z]+)$/.exec(base) ?? [];
  const mark = accents.get(accent);
  if (mark !== undefined) return `${letter[0] === "d" ? "ı" : letter}${mark}`.normalize("NFC");
  const numbers = /^uni((?:[\dA-F]{4})+)$/.exec(base)?.[1]?.match(/.{4}/g) ?? /^u([\dA-F]{4,6})$/.exec(base)?.slice(1);
  if (numbers) {
    const points = numbers.map((number) => Number.parseInt(number, 16));
    return points.every((point) => point > 32 && point < 0x110000) ? String.fromCodePoint(...points) : null;
  }
  if (base.includes("_")) {
    const parts = base.split("_").map((part) => textOfGlyph(part, -1));
    return parts.includes(null) ? null : parts.join("");
  }
  // dvips and pdfTeX name the glyphs of pictures of letters by their codes.
  if (Number(/^[A-Za-z]{1,2}(\d{1,3})$/.exec(base)?.[1] ?? -1) !== code) return null;
  return isAscii(code) ? String.fromCodePoint(code) : (texCodes.get(code) ?? null);
};
