import { Parser } from "htmlparser2";
import { pageAddress } from "./page-address.ts";

/** Of a page with more links, the rest is not followed. */
const MOST_LINKS = 2_000;

/**
 * Addresses that a page's links lead to, each once, in their order.
 * @param base address of the page, after redirects
 */
export const linksOf = (bytes: Uint8Array, base: string): string[] => {
  const found = new Set<string>();
  let from = base;
  const parser = new Parser({
    onopentag(name, { href }) {
      if (href === undefined) return;
      if (name === "base") from = pageAddress(href, base) ?? from;
      if (name !== "a" && name !== "area") return;
      const address = pageAddress(href, from);
      if (address !== null && found.size < MOST_LINKS) found.add(address);
    },
  });
  // Whatever the charset: addresses are ASCII, or percent-encoded UTF-8.
  parser.end(new TextDecoder().decode(bytes));
  return [...found];
};
