import type { IncomingMessage } from "node:http";
import { invalidField } from "../../domain/errors.ts";
import { fetchFailed } from "./failure.ts";

const maxUrlCharacters = 8_192;

/** An address as a caller sent it. @param field for error messages @throws ApiError invalid_request */
export const readUrl = (text: string, field: string): URL => {
  const url = text.length <= maxUrlCharacters && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === "") throw invalidField(field, "must be a complete address, such as https://…");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalidField(field, "must begin with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") throw invalidField(field, "must not hold a user name or password");
  return url;
};

/** Where a redirect leads; null for any other answer. @throws ApiError fetch_failed where it leads nowhere */
export const redirectTarget = ({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | null => {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return null;
  if (location.length > maxUrlCharacters || !URL.canParse(location, url.href)) {
    throw fetchFailed(url, "its redirect is broken");
  }
  const target = new URL(location, url);
  if (target.protocol !== "http:" && target.protocol !== "https:") {
    throw fetchFailed(url, "it redirects to something other than http or https");
  }
  if (target.username !== "" || target.password !== "") {
    throw fetchFailed(url, "it redirects to an address with a user name");
  }
  return target;
};
