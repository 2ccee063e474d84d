/** `Content-Type` taken apart: lower-case type, parameters by lower-case name. */
export interface MediaType {
  essence: string;
  parameters: Map<string, string>;
}

const parameter = /;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

/** @returns null where the header is missing or blank */
export function parseMediaType(header: string | null): MediaType | null {
  if (header === null || header.trim() === "") return null;
  const [essence = ""] = header.split(";", 1);
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of header.slice(0, 1_000).matchAll(parameter)) {
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain);
  }
  return { essence: essence.trim().toLowerCase(), parameters };
}

/** `application/json` and its kin (`application/problem+json`). */
export const isJsonType = ({ essence }: MediaType): boolean =>
  essence === "application/json" || essence === "text/json" || /^[a-z0-9.-]+\/[a-z0-9.-]+\+json$/.test(essence);
