import { fileTypeFromBuffer } from "file-type";
import { LRUCache } from "lru-cache";
import type { Config } from "../../config/schema.ts";
import type { VisitorLimits } from "../access/visitor-limits.ts";
import { drawnBrand } from "../chats/chat-json.ts";
import { isChatId } from "../domain/ids.ts";
import type { Chat } from "../domain/records.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import { escapeHtml } from "../http/html-page.ts";
import { createFetcher } from "../ingest/fetch/fetcher.ts";
import type { Store } from "../store/contract.ts";
import { type PageFiles, pageResponse, pathOf } from "./page-files.ts";

/** Origins whose pages may show a public chat in a frame: those that may use public chats. */
const framersOf = ({ server, publicChats }: Pick<Config, "server" | "publicChats">): string[] => {
  const allowed = [...new Set([...server.allowedOrigins, ...publicChats.allowedOrigins])];
  return allowed.includes("*") ? ["*"] : ["'self'", ...allowed];
};

/** The page of a public chat: title and notice are there without JavaScript, all else is the script's. */
export const chatPage = (chat: Chat, files: PageFiles, config: Pick<Config, "server" | "publicChats">): Response => {
  const prefix = pathPrefixOf(config.server.baseUrl);
  const title = chat.title?.trim() || "Ask the documents";
  const { color, colour, primaryColor, accentColor, placeholder } = drawnBrand(chat) ?? {};
  const logo = chat.logoUrl === null ? "" : `<img src="${prefix}/chat/${escapeHtml(chat.id)}/logo" alt="">`;
  return pageResponse({
    title,
    styles: [pathOf(files, "chat.css", prefix)],
    scripts: [pathOf(files, "chat.js", prefix)],
    framedBy: framersOf(config),
    body: `<header>${logo}<h1 dir="auto">${escapeHtml(title)}</h1></header>
<main id="chat" data-chat="${escapeHtml(chat.id)}" data-color="${escapeHtml(color ?? colour ?? primaryColor ?? accentColor ?? "")}" data-placeholder="${escapeHtml(placeholder ?? "")}">
<noscript><p>This chat needs JavaScript.</p></noscript>
</main>
<footer>Answers come from documents. Check the sources.</footer>`,
  });
};

/** The same page for a private chat, a deleted one and one that never was. */
export const notHerePage = (files: PageFiles, prefix: string): Response =>
  pageResponse({
    title: "Not here",
    styles: [pathOf(files, "chat.css", prefix)],
    scripts: [],
    status: 404,
    body: `<main class="not-here"><h1>Not here</h1><p>There is no public chat at this address.</p></main>`,
  });

/**
 * Finds chats for pages that anybody may open: a private chat and an unknown one look the same. Guessing ids is slowed
 * down.
 */
export const createPublicChats =
  ({ chats }: Pick<Store, "chats">, limits: VisitorLimits) =>
  /** @throws ApiError rate_limited */
  async (id: string, clientAddress: string): Promise<Chat | null> => {
    await limits.admit(clientAddress);
    const chat = isChatId(id) ? await chats.find(id) : null;
    return chat?.public ? chat : null;
  };

interface Logo {
  bytes: Uint8Array;
  mimeType: string;
}

/** The logo at an address; null if there is no picture. */
type FetchLogo = (address: string, signal: AbortSignal) => Promise<Logo | null>;

const maxBytes = 512 * 1024;
const timeoutMs = 10_000;
const maxLogos = 100;
const keptMs = 3_600_000;
const failureKeptMs = 60_000;
/** Pictures that browsers show. An SVG could hold scripts and addresses. */
const mimeTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/**
 * Fetches logos of public chats for their page, which loads nothing from other hosts: so visitors are not shown to the
 * logo's host. Addresses are checked as those of documents are.
 */
export const createLogoFetcher = ({ fetch }: Pick<Config, "fetch">): FetchLogo => {
  const fetchUrl = createFetcher({ ...fetch, maxBytes, timeoutMs });
  const logos = new LRUCache<string, { logo: Logo | null }>({ max: maxLogos });

  const read = async (address: string, signal: AbortSignal): Promise<Logo | null> => {
    const { bytes } = await fetchUrl(address, { signal, accept: "image/*" });
    const found = await fileTypeFromBuffer(bytes);
    return found === undefined || !mimeTypes.includes(found.mime) ? null : { bytes, mimeType: found.mime };
  };

  return async (address, signal) => {
    const known = logos.get(address);
    if (known !== undefined) return known.logo;
    const logo = await read(address, signal).catch(() => {
      signal.throwIfAborted();
      return null;
    });
    logos.set(address, { logo }, { ttl: logo === null ? failureKeptMs : keptMs });
    return logo;
  };
};
