/** C0 and C1 controls but tab and newline; byte-order marks, soft hyphens, zero-width spaces, interlinear marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const unwanted = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u2060\ufeff\ufff9-\ufffb]/g;

/**
 * Text as the rest of Carrel wants it: newlines are `\n`, no NUL or other controls, no lone surrogates, Unicode NFC,
 * ordinary spaces, no blanks at line ends, no blank lines at either end nor more than one in a row.
 */
export function tidyText(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029\f\v]/g, "\n")
    .replace(unwanted, "")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f]/g, " ")
    .toWellFormed()
    .normalize("NFC")
    .replace(/[ \t]+(?=\n|$)/g, "")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\s+$/g, "");
}

/** One line: every run of white space is one space. */
export const oneLine = (text: string): string => tidyText(text).replace(/\s+/g, " ").trim();

const maxTitleCharacters = 255;

/** A title fit to be stored: one line, cut to 255 characters; null where nothing is left. */
export function tidyTitle(title: string | null | undefined): string | null {
  const line = oneLine(title ?? "");
  if (line === "") return null;
  return line.length <= maxTitleCharacters ? line : [...line].slice(0, maxTitleCharacters).join("").trimEnd();
}
