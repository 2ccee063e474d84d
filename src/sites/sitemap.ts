import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Parser } from "htmlparser2";

/** What a sitemap file lists. */
export interface Sitemap {
  pages: string[];
  /** Further sitemap files, of an index. */
  sitemaps: string[];
}

/** https://www.sitemaps.org/protocol.html: at most 50 MB and 50,000 addresses a file. */
const MOST_BYTES = 52_428_800;
const MOST_ADDRESSES = 50_000;

const unzip = promisify(gunzip);

/**
 * Reads a sitemap: XML, an index of others, or one address a line; gzip of these too.
 * @returns null for anything else
 */
export const readSitemap = async (bytes: Uint8Array): Promise<Sitemap | null> => {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip ? await unzip(bytes, { maxOutputLength: MOST_BYTES }).catch(() => null) : bytes;
  if (plain === null || plain.length > MOST_BYTES) return null;
  const text = new TextDecoder().decode(plain).trimStart();
  return text.startsWith("<") ? readXml(text) : readLines(text);
};

const readXml = (text: string): Sitemap | null => {
  const found: Sitemap = { pages: [], sitemaps: [] };
  let root: string | null = null;
  const path: string[] = [];
  let address = "";
  const parser = new Parser(
    {
      onopentag(name) {
        root ??= localName(name);
        path.push(localName(name));
        if (localName(name) === "loc") address = "";
      },
      ontext(part) {
        if (path.at(-1) === "loc") address += part;
      },
      onclosetag() {
        const name = path.pop();
        if (name !== "loc" || path.length !== 2 || address.trim() === "") return;
        const list = path.at(-1) === "url" ? found.pages : path.at(-1) === "sitemap" ? found.sitemaps : null;
        if (list !== null && list.length < MOST_ADDRESSES) list.push(address.trim());
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return root === "urlset" || root === "sitemapindex" ? found : null;
};

/** A prefix of the sitemap's own namespace is dropped; `image:loc` and its like stay apart. */
const localName = (name: string): string => name.replace(/^(sm|sitemap|ns\d*):/i, "").toLowerCase();

const readLines = (text: string): Sitemap | null => {
  const lines = text
    .split("\n", MOST_ADDRESSES)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isList = lines.length > 0 && lines.every((line) => /^https?:\/\/\S+$/.test(line));
  return isList ? { pages: lines, sitemaps: [] } : null;
};
