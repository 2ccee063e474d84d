import { Type } from "@sinclair/typebox";
import type { VisitorLimits } from "../access/visitor-limits.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import { errorsHtml } from "../http/docs/error-page.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import type { HttpDependencies } from "../http/frame.ts";
import { htmlResponse } from "../http/respond.ts";
import { chatPage, createPublicChats, notHerePage } from "./chat-page.ts";
import { consolePage } from "./console-page.ts";
import type { LoadPageFiles } from "./page-files.ts";

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
