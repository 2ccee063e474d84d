import { type ContentType, parse } from "content-type";

/** A `Content-Type` header: type and parameter names in lower case. @returns null where the header is missing or blank */
export const parseMediaType = (header: string | null): ContentType | null =>
  header === null || header.trim() === "" ? null : parse(header);

/** `application/json` and the types that extend it (`application/problem+json`). */
export const isJsonType = ({ type }: Pick<ContentType, "type">): boolean =>
  type === "application/json" || type === "text/json" || /^[a-z0-9.-]+\/[a-z0-9.-]+\+json$/.test(type);
