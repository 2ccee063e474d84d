import type { Secret } from "../../config/secret.ts";
import type { HeadersFor } from "../ingest/fetch/contract.ts";

/** A text that may be anything stands between the parts of a pattern. @param isWhole it must end with the last part */
const matchesParts = (text: string, [first = "", ...rest]: readonly string[], isWhole: boolean): boolean => {
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const found = isLast && isWhole ? text.length - part.length : text.indexOf(part, at);
    if (found < at || !text.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return !isWhole || at === text.length;
};

/**
 * Tells which pages of a site are left out. A pattern is compared with the path, and with path and query; `*` stands for
 * any text. One that ends with a slash names what is below it too, one without a slash at its beginning may begin at any
 * part of the path.
 * @param patterns `sites[].exclude`
 */
export const createPageFilter = (patterns: readonly string[]): ((url: string) => boolean) => {
  const rules = patterns.map((pattern) => {
    const begin = pattern.startsWith("/") ? pattern : pattern.startsWith("*") ? pattern : `*/${pattern}`;
    return { parts: begin.split("*"), isWhole: !pattern.endsWith("/") };
  });
  return (url) => {
    const { pathname, search } = new URL(url);
    const forms = [pathname, `${pathname}/`, ...(search === "" ? [] : [pathname + search])];
    return rules.some(({ parts, isWhole }) => forms.some((form) => matchesParts(form, parts, isWhole)));
  };
};

/**
 * The headers of a site, for requests to its own host alone: never for another host that it redirects to, nor without
 * TLS where the site has it.
 * @param headers `sites[].headers`
 */
export const createSiteHeaders = (site: string, headers: Record<string, Secret>): HeadersFor | undefined => {
  const entries = Object.entries(headers);
  if (entries.length === 0) return undefined;
  const { hostname, port, protocol } = new URL(site);
  return (url) => {
    const isOwn = url.hostname === hostname && url.port === port && (url.protocol === protocol || protocol === "http:");
    return isOwn ? Object.fromEntries(entries.map(([name, value]) => [name, value.reveal()])) : {};
  };
};
