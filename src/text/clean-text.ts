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

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The text without control characters but tab and newline. */
export const withoutControls = (text: string): string => text.replace(controls, "");

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
