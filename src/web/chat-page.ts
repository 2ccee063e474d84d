import type { Config } from "../../config/schema.ts";
import { drawnBrand } from "../chats/chat-json.ts";
import type { Chat } from "../domain/records.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import { escapeHtml } from "../http/html-page.ts";
import { type PageFiles, pathOf } from "./page-files.ts";
import { pageResponse } from "./page-response.ts";

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
    body: `<main><h1>Not here</h1><p>There is no public chat at this address.</p></main>`,
  });
