import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Parser } from "htmlparser2";
import type { Pause } from "../async/threads/serve-requests.ts";

/** What a sitemap file lists. */
interface Sitemap {
  pages: string[];
  /** Further sitemap files, of an index. */
  sitemaps: string[];
}

/** https://www.sitemaps.org/protocol.html: at most 50 MB and 50,000 addresses a file. */
const maxBytes = 52_428_800;
const maxAddresses = 50_000;
/** Files of an index of sitemaps that are read. */
export const maxSitemaps = 200;
/** An address has 2,048 characters at most. */
const maxAddressCharacters = 4_096;
/** A sitemap has three levels, and extensions a few more. */
const maxLevels = 100;

const unzip = promisify(gunzip);

/**
 * Reads a sitemap: XML, an index of others, or one address a line; gzip of these too.
 * @param pause called between the pieces of a large one
 * @returns null for anything else
 */
export const readSitemap = async (bytes: Uint8Array, pause: Pause): Promise<Sitemap | null> => {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip ? await unzip(bytes, { maxOutputLength: maxBytes }).catch(() => null) : bytes;
  if (plain === null || plain.length > maxBytes) return null;
  const text = new TextDecoder().decode(plain).trimStart();
  return text.startsWith("<") ? await readXml(text, pause) : readLines(text);
};

class NoSitemapError extends Error {}

const readXml = async (text: string, pause: Pause): Promise<Sitemap | null> => {
  const found: Sitemap = { pages: [], sitemaps: [] };
  let root: string | null = null;
  const path: string[] = [];
  let address = "";
  const parser = new Parser(
    {
      onopentag(qualified) {
        const name = localName(qualified);
        root ??= name;
        path.push(name);
        if (path.length > maxLevels || (root !== "urlset" && root !== "sitemapindex")) throw new NoSitemapError();
        if (name === "loc") address = "";
      },
      ontext(part) {
        if (path.at(-1) === "loc" && address.length <= maxAddressCharacters) address += part;
      },
      onclosetag() {
        const name = path.pop();
        if (name !== "loc" || path.length !== 2 || address.trim() === "" || address.length > maxAddressCharacters)
          return;
        const list = path.at(-1) === "url" ? found.pages : path.at(-1) === "sitemap" ? found.sitemaps : null;
        if (list !== null && list.length < maxAddresses) list.push(address.trim());
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  try {
    await writeInPieces(parser, text, pause);
  } catch (error) {
    if (error instanceof NoSitemapError) return null;
    throw error;
  }
  return root === null ? null : found;
};

/** A prefix of the sitemap's own namespace is dropped; `image:loc` and its like stay apart. */
const localName = (name: string): string => name.replace(/^(sm|sitemap|ns\d*):/i, "").toLowerCase();

const readLines = (text: string): Sitemap | null => {
  const lines = text
    .split("\n", maxAddresses)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isList = lines.length > 0 && lines.every((line) => /^https?:\/\/\S+$/.test(line));
  return isList ? { pages: lines, sitemaps: [] } : null;
};

/** UTF-16 units that the parser takes at a time. */
const maxPieceCharacters = 65_536;

/** Feeds a whole text to the parser and ends it. @param pause lets other work run after each piece */
export const writeInPieces = async (
  parser: Pick<Parser, "write" | "end">,
  text: string,
  pause: () => Promise<void>,
): Promise<void> => {
  for (let start = 0; start < text.length; start += maxPieceCharacters) {
    parser.write(text.slice(start, start + maxPieceCharacters));
    await pause();
  }
  parser.end();
};
