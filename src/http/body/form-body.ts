import { ApiError } from "../../domain/errors.ts";

export const maxFormFields = 1_000;

const subjects = { malformed_body: "form", invalid_request: "query string" };

/**
 * Fields of an `application/x-www-form-urlencoded` body, or of a query string, in the order sent.
 * @throws ApiError `code` for too many fields and for `%` sequences that are not UTF-8
 */
export const parseForm = (
  text: string,
  code: "malformed_body" | "invalid_request" = "malformed_body",
): [string, string][] => {
  const entries: [string, string][] = [];
  let start = 0;
  while (start < text.length) {
    const next = text.indexOf("&", start);
    const end = next === -1 ? text.length : next;
    if (end > start) {
      if (entries.length === maxFormFields) {
        throw new ApiError(code, `The ${subjects[code]} has more than ${maxFormFields} fields.`);
      }
      const pair = text.slice(start, end);
      const equals = pair.indexOf("=");
      entries.push(
        equals === -1
          ? [decode(pair, code), ""]
          : [decode(pair.slice(0, equals), code), decode(pair.slice(equals + 1), code)],
      );
    }
    start = end + 1;
  }
  return entries;
};

/**
 * As browsers encode: `+` is a space, `%xx` a byte of UTF-8. A `%` that begins no sequence stands for itself, as plain
 * `curl -d` sends it.
 */
const decode = (part: string, code: keyof typeof subjects): string => {
  const text = part.replaceAll("+", " ");
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text.replace(/%(?![0-9A-Fa-f]{2})/g, "%25"));
  } catch (error) {
    throw new ApiError(code, `The ${subjects[code]} holds bytes that are not UTF-8.`, { cause: error });
  }
};
