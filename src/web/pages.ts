import { fileTypeFromBuffer } from "file-type";
import { LRUCache } from "lru-cache";
import type { Config } from "../../config/schema.ts";
import { principalOfSession, sessionTokenIn } from "../access/session.ts";
import type { VisitorLimits } from "../access/visitor-limits.ts";
import { drawnBrand } from "../chats/chat-json.ts";
import { ApiError } from "../domain/errors.ts";
import { isChatId } from "../domain/ids.ts";
import type { Chat } from "../domain/records.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import { type FixedContent, fixedContent, fixedResponse } from "../http/fixed-content.ts";
import { splitUrl } from "../http/frame.ts";
import { escapeHtml } from "../http/html-page.ts";
import { createFetcher } from "../ingest/fetch/fetcher.ts";
import { type keyJson, keyJsonOf } from "../keys/schema.ts";
import type { Store } from "../store/contract.ts";
import { type LoadPageFiles, type PageFiles, pageResponse, pathOf, pathsOfScript } from "./page-files.ts";
import type { Guide } from "./read-guides.ts";

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

const maxLogoBytes = 512 * 1024;
const logoTimeoutMs = 10_000;
const maxLogos = 100;
const logoKeptMs = 3_600_000;
const logoFailureKeptMs = 60_000;
/** Pictures that browsers show. An SVG could hold scripts and addresses. */
const mimeTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/**
 * Fetches logos of public chats for their page, which loads nothing from other hosts: so visitors are not shown to the
 * logo's host. Addresses are checked as those of documents are.
 */
export const createLogoFetcher = ({ fetch }: Pick<Config, "fetch">): FetchLogo => {
  const fetchUrl = createFetcher({ ...fetch, maxBytes: maxLogoBytes, timeoutMs: logoTimeoutMs });
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
    logos.set(address, { logo }, { ttl: logo === null ? logoFailureKeptMs : logoKeptMs });
    return logo;
  };
};

/**
 * Addresses of the console's views; the script shows the one that is asked for. Where the view is a script of its own, its
 * id: the page names it, so that it is loaded beside the first one and not after it.
 */
const consoleViews = {
  "/documents": null,
  "/documents/:id": "document-view.js",
  "/ask": "ask-view.js",
  "/chats": "chats-view.js",
  "/chats/:id": "chats-view.js",
  "/partitions": "partitions-view.js",
  "/keys": "keys-view.js",
  "/settings": "settings-view.js",
} as const;

/** The address of the server itself, which shows the documents, or that of a view. */
type ConsolePath = "/" | keyof typeof consoleViews;

export const consolePaths = Object.keys(consoleViews) as (keyof typeof consoleViews)[];

/** The views that people go on to; the others are a few kilobytes each. */
const openedNext = ["document-view.js", "ask-view.js"] as const;

/** What the list of documents asks for first (browser/console/views/documents/list-query.ts). */
const firstList = "/api/document?limit=100&skip=0";

/**
 * The console: one page for all its views. What it is stands there without JavaScript. It tells the script who is signed in,
 * and the browser what the script will load first; both would cost a round trip each.
 * @param prefix of every path, as browsers reach the server
 */
export const consolePage = (
  path: ConsolePath,
  request: Request,
  { files, prefix }: { files: PageFiles; prefix: string },
  store: Pick<Store, "ages" | "keys" | "keyLimits" | "sessions">,
): Response => {
  const signedIn = signedInOf(request, store);
  const view = path === "/" ? null : consoleViews[path];
  const showsList = (path === "/" || path === "/documents") && splitUrl(request.url).search === "";
  const told = signedIn === undefined ? "" : ` data-session="${escapeHtml(JSON.stringify(signedIn))}"`;
  const next = [...new Set(openedNext.flatMap((id) => pathsOfScript(files, id, prefix)))];
  return pageResponse({
    title: "Carrel",
    styles: [pathOf(files, "console.css", prefix)],
    scripts: [pathOf(files, "console.js", prefix)],
    parts: signedIn === null ? [] : pathsOfScript(files, view ?? "console.js", prefix),
    answers: signedIn && showsList ? [prefix + firstList] : [],
    hasWorker: true,
    body: `<div id="console" data-guides="${pathOf(files, "guides.json", prefix)}" data-next="${next.join(" ")}"${told}></div>
<noscript><main><h1>Carrel</h1><p>This server reads documents and answers questions over them, with sources. Its console needs JavaScript; the API is described at <a href="${prefix}/docs">${prefix}/docs</a>.</p></main></noscript>`,
  });
};

/** The record of a key, as `GET /api/session` answers it. */
type SignedIn = ReturnType<typeof keyJson>;

/** Where a page is opened from for the session's cookie to come with it: typed, a bookmark, a link of this site. */
const sitesWithCookie: readonly string[] = ["none", "same-origin", "same-site"];

/**
 * Who opens the console, so that its page need not ask: one round trip less before it shows anything.
 * @returns null for nobody; undefined where it cannot be said: a link on another site brings no cookie (`SameSite=Strict`),
 *   and over plain HTTP browsers do not tell where the link was
 */
const signedInOf = (
  { headers }: Pick<Request, "headers">,
  store: Pick<Store, "ages" | "keys" | "keyLimits" | "sessions">,
): SignedIn | null | undefined => {
  const token = sessionTokenIn(headers.get("cookie"));
  if (token === null) return sitesWithCookie.includes(headers.get("sec-fetch-site") ?? "") ? null : undefined;
  try {
    return keyJsonOf(store, principalOfSession(store, token, Date.now()).keyId);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
};

/** Addresses of the views of `/docs`; the script shows the one that is asked for. */
const docsPaths = ["/docs", "/docs/guide/:name", "/docs/reference", "/docs/reference/:name"] as const;

const guidesOf = new WeakMap<PageFiles, Promise<Guide[]>>();

/** The guides that the page files carry, in order. */
const loadGuides = (files: PageFiles): Promise<Guide[]> => {
  const known = guidesOf.get(files);
  if (known !== undefined) return known;
  const loading = (async () => {
    const bytes = await files.get("guides.json")?.bytes();
    return JSON.parse(new TextDecoder().decode(bytes)) as Guide[];
  })();
  guidesOf.set(files, loading);
  return loading;
};

/**
 * Guides and API reference: one page for all its views. Without JavaScript it is a list of links to the guides as text.
 * @param prefix of every path, as browsers reach the server @param status 404 where the address names a guide that there is not
 */
const docsPage = async (files: PageFiles, prefix: string, title: string, status = 200): Promise<Response> =>
  pageResponse({
    title,
    styles: [pathOf(files, "docs.css", prefix)],
    scripts: [pathOf(files, "docs.js", prefix)],
    status,
    body: `<div id="docs" data-guides="${pathOf(files, "guides.json", prefix)}" data-reference="${prefix}/openapi.full.json">
<main class="plain">
<h1>Carrel: guides and API reference</h1>
<p>With JavaScript, this page shows and searches them. Without it, the guides can be read as text, and every operation of the API is in <a href="${prefix}/openapi.json">/openapi.json</a> and in the guide <a href="${prefix}/docs/guide/api.md">HTTP API</a>.</p>
${listed(await loadGuides(files), prefix)}
<p><a href="${prefix}/docs/errors">What each error code means</a>. <a href="${prefix}/">The console</a>.</p>
</main>
</div>`,
  });

const listed = (guides: readonly Guide[], prefix: string): string =>
  [...Map.groupBy(guides, ({ group }) => group)]
    .map(
      ([group, members]) =>
        `<h2>${escapeHtml(group)}</h2>\n<ul>\n${members
          .map(({ slug, title }) => `<li><a href="${prefix}/docs/guide/${slug}.md">${escapeHtml(title)}</a></li>`)
          .join("\n")}\n</ul>`,
    )
    .join("\n");

const textsOf = new WeakMap<Guide, FixedContent>();

/** The Markdown of a guide, as text. */
const guideText = async (guide: Guide, request: Request): Promise<Response> => {
  const content = textsOf.get(guide) ?? fixedContent(async () => new TextEncoder().encode(guide.text));
  textsOf.set(guide, content);
  return await fixedResponse(content, request, {
    // As plain text: browsers show it, they do not offer to save it.
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; sandbox",
  });
};

const docsTitle = "Guides and API";
const textEnding = ".md";

interface PageRequest {
  request: Request;
  params: Record<string, string | null>;
}

/** `/docs`: guides and API reference, open to everybody. `/docs/guide/NAME.md` is a guide as text. @param prefix of every path */
export const createDocsRoutes = (
  pageFiles: LoadPageFiles,
  prefix: string,
): Record<(typeof docsPaths)[number], (page: PageRequest) => Promise<Response>> => {
  const show = async (): Promise<Response> => await docsPage(await pageFiles(), prefix, docsTitle);
  return {
    "/docs": show,
    "/docs/reference": show,
    // Which operations there are, the page learns from /openapi.json.
    "/docs/reference/:name": show,
    async "/docs/guide/:name"({ request, params }) {
      const files = await pageFiles();
      const name = params.name ?? "";
      const isText = name.endsWith(textEnding);
      const slug = isText ? name.slice(0, -textEnding.length) : name;
      const guide = (await loadGuides(files)).find((each) => each.slug === slug);
      if (guide === undefined) return await docsPage(files, prefix, docsTitle, 404);
      return isText ? await guideText(guide, request) : await docsPage(files, prefix, `${guide.title} · ${docsTitle}`);
    },
  };
};
