import { principalOfSession, sessionTokenIn } from "../access/session.ts";
import { ApiError } from "../domain/errors.ts";
import { splitUrl } from "../http/frame.ts";
import { escapeHtml } from "../http/html-page.ts";
import { type keyJson, keyJsonOf } from "../keys/schema.ts";
import type { Store } from "../store/contract.ts";
import { type PageFiles, pageResponse, pathOf, pathsOfScript } from "./page-files.ts";

/**
 * Addresses of the console's views; the script shows the one that is asked for. Where the view is a script of its own, its
 * id: the page names it, so that it is loaded beside the first one and not after it.
 */
const views = {
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
type ConsolePath = "/" | keyof typeof views;

export const consolePaths = Object.keys(views) as (keyof typeof views)[];

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
  const view = path === "/" ? null : views[path];
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
