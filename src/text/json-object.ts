import { ApiError, invalidField } from "../domain/errors.ts";
import type { JsonObject } from "../domain/records.ts";
import { isUnclean } from "./clean-text.ts";

interface ObjectLimits {
  /** As UTF-8 JSON. */
  maxBytes: number;
  /** Nesting of objects and arrays. */
  maxDepth: number;
}

/** Those of what a caller may send with a record, such as `metadata`. */
const usualLimits: ObjectLimits = { maxBytes: 64 * 1024, maxDepth: 32 };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Refuses a free-form object that cannot be stored unchanged.
 * @throws ApiError metadata_too_large; invalid_request for NUL, lone surrogates, too many levels and numbers like 1e400
 */
export const checkObject = (path: string, value: JsonObject, limits: ObjectLimits = usualLimits): void => {
  const { maxBytes, maxDepth } = limits;
  checkValues(path, value, maxDepth, 1); // first: what is nested too deep cannot be written either
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
    throw new ApiError("metadata_too_large", `${path} takes more than ${maxBytes / 1024} KiB as JSON: shorten it.`, {
      errors: [{ path, message: `must be at most ${maxBytes} bytes of JSON` }],
    });
  }
};

const checkValues = (path: string, value: unknown, maxDepth: number, depth: number): void => {
  if (typeof value === "string") {
    if (isUnclean(value)) throw invalidField(path, "must not contain NUL or lone surrogates");
    return;
  }
  // JSON.parse turns it into Infinity, JSON.stringify then into null.
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalidField(path, "must not contain numbers beyond the range of a double");
  }
  if (typeof value !== "object" || value === null) return;
  if (depth > maxDepth) throw invalidField(path, `must not be nested deeper than ${maxDepth} levels`);
  for (const [key, inner] of Object.entries(value)) {
    if (isUnclean(key)) throw invalidField(path, "must not contain NUL or lone surrogates in a key");
    checkValues(path, inner, maxDepth, depth + 1);
  }
};

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
