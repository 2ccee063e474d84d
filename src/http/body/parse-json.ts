import { ApiError } from "../../domain/errors.ts";

/** Maximum nesting of objects and arrays. */
const maxDepth = 100;
/** Maximum number of members and items in all. */
const maxValues = 200_000;

const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;
const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;

/**
 * The value of JSON text. The text is measured first, so that no body can exhaust the stack or the heap by its shape.
 * @throws ApiError malformed_body; its message never holds a piece of the text
 */
export const parseJson = (text: string): unknown => {
  measure(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiError(
      "malformed_body",
      "The body is not valid JSON. Check quotes, commas and that nothing is cut off.",
      {
        cause: error,
      },
    );
  }
};

const measure = (text: string): void => {
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
    if (depth > maxDepth) throw new ApiError("malformed_body", `The JSON is nested deeper than ${maxDepth} levels.`);
    if (values > maxValues)
      throw new ApiError("malformed_body", `The JSON has more than ${maxValues} members and items.`);
  }
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
