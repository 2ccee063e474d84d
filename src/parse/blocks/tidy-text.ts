import { normalForm } from "../../text/clean-text.ts";

/** C0 and C1 controls but tab and newline; byte-order marks, soft hyphens, zero-width spaces, interlinear marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const unwanted = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u2060\ufeff\ufff9-\ufffb]/g;

/**
 * Normalized text: newlines are `\n`, no NUL or other controls, no lone surrogates, Unicode NFC,
 * ordinary spaces, no blanks at line ends, no blank lines at either end nor more than one in a row.
 */
export const tidyText = (text: string): string => {
  const plain = text
    .replace(/\r\n?|[\u0085\u2028\u2029\f\v]/g, "\n")
    .replace(unwanted, "")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f]/g, " ")
    .toWellFormed();
  return withoutBlanksAtLineEnds(normalForm(plain, "NFC"))
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "")
    .trimEnd();
};

/** The text without the blanks and tabs before its line breaks and its end, in one pass. */
const withoutBlanksAtLineEnds = (text: string): string => {
  let tidied = "";
  let from = 0;
  for (let lineStart = 0; lineStart < text.length; ) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline < 0 ? text.length : newline;
    let end = lineEnd;
    while (end > lineStart && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
    if (end < lineEnd) {
      tidied += text.slice(from, end);
      from = lineEnd;
    }
    lineStart = lineEnd + 1;
  }
  return from === 0 ? text : tidied + text.slice(from);
};

/** One line: every run of white space is one space. */
export const oneLine = (text: string): string => tidyText(text).replace(/\s+/g, " ").trim();

const maxTitleCharacters = 255;

/** A title that can be stored: one line, cut to 255 characters; null where nothing is left. */
export const tidyTitle = (title: string | null | undefined): string | null => {
  const line = oneLine(title ?? "");
  if (line === "") return null;
  return line.length <= maxTitleCharacters ? line : [...line].slice(0, maxTitleCharacters).join("").trimEnd();
};

const maxLinkCharacters = 2_000;

/**
 * Text as a Markdown link; the text alone where the target cannot be opened or is the text itself, and where it contains
 * a link: links inside one another would escape the brackets of all those inside, and grow with the square of their number.
 * @param target an absolute address, or a relative one where the base is not known
 */
export const markdownLink = (text: string, target: string): string => {
  if (text.includes("](")) return text;
  const label = oneLine(text);
  if (label === "" || target === "" || target.startsWith("#") || target.length > maxLinkCharacters) return text;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(target)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["http", "https", "mailto", "tel", "ftp"].includes(scheme)) return text;
  const bare = (address: string) => address.replace(/^mailto:/, "").replace(/\/$/, "");
  if (bare(target) === bare(label)) return text;
  const lead = text.slice(0, text.length - text.trimStart().length);
  const trail = text.slice(text.trimEnd().length);
  const address = target.replace(
    /[()\s<>]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
  return `${lead}[${label.replace(/([[\]])/g, "\\$1")}](${address})${trail}`;
};

/** A list of names or signs, each with what stands for it: `alpha:α beta:β`. */
export const pairsIn = (list: string): Map<string, string> =>
  new Map(list.split(" ").map((pair) => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)]));

const raisedDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const loweredDigits = "₀₁₂₃₄₅₆₇₈₉";
const raisedSigns = pairsIn("+:⁺ -:⁻ −:⁻ (:⁽ ):⁾ n:ⁿ i:ⁱ");
/** Endings of ordinal numbers and signs that are often set higher without a meaning. */
const ordinal = /^(?:st|nd|rd|th|er|re|os|as|ème|eme|®|™|°|º|ª|\*|†|‡)$/i;
/** Of those of one letter, only after a small number or an initial: 1a, 2e, No; else it is a mark. */
const ending = /^[aeo]$/i;
const beforeEnding = /(?:^|[^\p{L}\p{N}])(?:\d{1,2}|\p{L})$/u;
const maxCharacters = 12;

/** Digits and signs as Unicode superscripts; null where one has none. */
export const superscript = (text: string): string | null => {
  if (text.length > maxCharacters || !/\d|^[ni]$/.test(text)) return null;
  let raised = "";
  for (const sign of text) {
    const one = /\d/.test(sign)
      ? raisedDigits[Number(sign)]
      : (raisedSigns.get(sign) ?? (/[,.\s]/.test(sign) ? sign : undefined));
    if (one === undefined) return null;
    raised += one;
  }
  return raised;
};

/**
 * Text that is set higher: `10⁶`, `m²`, `1948³`; letters as `^a`, but for endings such as `19th`.
 * @param before what it stands after
 */
export const raisedText = (text: string, before: string): string => {
  const said = text.trim();
  const signs = superscript(said);
  if (signs !== null) return signs;
  if (ending.test(said) && beforeEnding.test(before.slice(-4))) return text;
  if (said === "" || ordinal.test(said) || !/^[\p{L}\p{N}+−-]{1,12}$/u.test(said)) return text;
  return said.length === 1 ? `^${said}` : `^(${said})`;
};

/** Text that is set lower: digits as Unicode subscripts, `H₂O`; letters stay. */
export const loweredText = (text: string): string =>
  /^\d{1,4}$/.test(text.trim()) ? text.trim().replace(/\d/g, (digit) => loweredDigits[Number(digit)] ?? digit) : text;
