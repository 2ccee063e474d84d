const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;
const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;

/** Which of the limits the JSON is beyond, without reading its values: those take seconds, in which everybody waits. */
export const exceeds = (text: string, most: { values: number; depth?: number }): "values" | "depth" | null => {
  const { values: mostValues, depth: mostDepth = Number.POSITIVE_INFINITY } = most;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = endOfString(text, at);
    } else if (unit === openBrace || unit === openBracket) {
      depth += 1;
      values += 1;
    } else if (unit === closeBrace || unit === closeBracket) {
      depth -= 1;
    } else if (unit === comma) {
      values += 1;
    }
    if (depth > mostDepth) return "depth";
    if (values > mostValues) return "values";
  }
  return null;
};

/** Index of the quote that closes the string opened at `start`; the text's length where none does. */
const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
};
