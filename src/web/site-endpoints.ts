import { Type } from "@sinclair/typebox";
import type { Config } from "../../config/schema.ts";
import type { VisitorLimits } from "../access/visitor-limits.ts";
import { drawnBrand } from "../chats/chat-json.ts";
import type { Chat } from "../domain/records.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import type { HttpDependencies } from "../http/dependencies.ts";
import { errorsHtml } from "../http/docs/error-page.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { escapeHtml } from "../http/html-page.ts";
import { htmlResponse } from "../http/respond.ts";
import { consolePage } from "./console-page.ts";
import { type LoadPageFiles, type PageFiles, pathOf } from "./page-files.ts";
import { pageResponse } from "./page-response.ts";
import { createPublicChats } from "./public-chat.ts";

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

/** Any text: an id that no chat can have, with NUL in it too, has the page of one that is not there. */
const chatPageParams = Type.Object({ id: Type.String({ description: "Identifier of the chat." }) });

const page = (description: string) => ({ 200: { mediaType: "text/html", description } });

/** The pages for people, beside the API page itself. */
export const siteEndpoints = (
  { config, store, pageFiles }: Pick<HttpDependencies, "config" | "store"> & { pageFiles: LoadPageFiles },
  limits: VisitorLimits,
): Endpoint[] => {
  const prefix = pathPrefixOf(config.server.baseUrl);
  const findPublicChat = createPublicChats(store, limits);
  return [
    endpoint({
      method: "GET",
      path: "/",
      operationId: "getHomePage",
      access: "open",
      tag: "Operation",
      summary: "The console",
      responses: page("The page for people: documents, questions, chats and settings."),
      errors: [],
      handle: async ({ request }) => consolePage("/", request, { files: await pageFiles(), prefix }, store),
    }),
    endpoint({
      method: "GET",
      path: "/chat/:id",
      operationId: "getChatPage",
      access: "open",
      tag: "Chats",
      summary: "The page of a public chat",
      description: "A chat that is not public has the page of one that is not there.",
      params: chatPageParams,
      responses: {
        ...page("The page for visitors."),
        404: { mediaType: "text/html", description: "There is no public chat of this id." },
      },
      errors: ["rate_limited"],
      async handle({ params, clientAddress }) {
        const chat = await findPublicChat(params.id, clientAddress);
        const files = await pageFiles();
        return chat === null ? notHerePage(files, prefix) : chatPage(chat, files, config);
      },
    }),
    endpoint({
      method: "GET",
      path: "/docs/errors",
      operationId: "getErrorPage",
      access: "open",
      tag: "Operation",
      summary: "What each error code means",
      responses: page("Every error code; `type` of a problem document points here."),
      errors: [],
      handle: () => htmlResponse(errorsHtml(prefix)),
    }),
  ] as Endpoint[];
};
