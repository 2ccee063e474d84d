/**
 * More combining marks on one letter than any language has (UAX #15, Stream-Safe Text Format): putting a long run in
 * order takes time quadratic in its length. 8,000 marks, a question's length, take 110 ms, and 64,000 take 7 s.
 */
const maxCombiningMarks = 30;

/** The text with at most 30 marks on each letter. */
export const withoutPiledMarks = (text: string): string =>
  text.replace(/\p{M}+/gu, (run) =>
    run.length <= maxCombiningMarks ? run : [...run].slice(0, maxCombiningMarks).join(""),
  );

/** A stranger's text in a normal form of Unicode, in time linear in its length: marks piled on one letter are left out. */
export const normalForm = (text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string =>
  withoutPiledMarks(text).normalize(form);

const nul = String.fromCharCode(0);
const byteOrderMark = "\ufeff";

/** Whether it contains a NUL or a lone surrogate, which cannot be stored and read back unchanged. */
export const isUnclean = (text: string): boolean => text.includes(nul) || !text.isWellFormed();

/**
 * The text as it is stored: NUL and a byte order mark at its start dropped, a lone surrogate becomes U+FFFD. The mark is
 * lost when the text is read from the store: positions in a text that began with it would be wrong by one.
 */
export const cleanText = (text: string): string => {
  const sound = isUnclean(text) ? text.replaceAll(nul, "").toWellFormed() : text;
  return sound.startsWith(byteOrderMark) ? sound.replace(/^\ufeff+/, "") : sound;
};

/** Controls (C0, C1) but tab, newline and carriage return; those among them that break a line or page. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const breaks = /[\f\v\u0085]/g;
/** Overrides, embeddings and isolates of the direction of writing: text after them can be shown as something else. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text that a caller gives, as it is stored: clean, and without control characters but tabs and line breaks. */
export const storedText = (text: string): string =>
  cleanText(control.test(text) ? text.replace(breaks, "\n").replace(controls, "") : text);

/**
 * What a stranger wrote that people are shown as a name or as an answer (a model, a file's name): as `storedText`, its lines
 * ended by `\n`, and nothing in it turns the direction of writing round. Marks of direction, as Arabic and Hebrew need
 * them, stay.
 */
export const shownText = (text: string): string => storedText(text).replace(/\r\n?/g, "\n").replace(directions, "");

/** Length in characters as a reader counts them: code points, not UTF-16 units. */
export const countCharacters = (text: string): number => {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(at + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count -= 1;
        at += 1;
      }
    }
  }
  return count;
};

/**
 * What a terminal obeys, or what turns a line round for the eye: C0, DEL and C1 controls, line and paragraph separators,
 * and the controls of text direction.
 */
const obeyed = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
/** The same, but for tabs and ends of lines. */
const obeyedInText = /\r(?!\n)|(?![\t\n\r])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A text on one line, its control characters written as `\u001b`: in JSON, the same text. */
export const escapeControls = (text: string): string => text.replace(obeyed, escaped);

/** A text with another one in place of each control character. */
export const replaceControls = (text: string, by: string): string => text.replace(obeyed, by);

/** As `escapeControls`, for a text of several lines. */
export const escapeControlsInText = (text: string): string => text.replace(obeyedInText, escaped);
