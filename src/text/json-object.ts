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
