import { Type } from "@sinclair/typebox";
import type { Config } from "../../config/schema.ts";
import type { VisitorLimits } from "../access/visitor-limits.ts";
import { ApiError } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import { errorsHtml } from "../http/docs/error-page.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { fixedResponse } from "../http/fixed-content.ts";
import { frameOf, type HttpDependencies } from "../http/frame.ts";
import { htmlResponse } from "../http/respond.ts";
import type { Extension } from "../http/router.ts";
import type { Store } from "../store/contract.ts";
import type { LoadedPageFile, LoadPageFiles } from "./page-files.ts";
import {
  chatPage,
  consolePage,
  consolePaths,
  createDocsRoutes,
  createLogoFetcher,
  createPublicChats,
  notHerePage,
} from "./pages.ts";
import { pdfjsDataPath } from "./pdfjs/pdfjs-data.ts";

/** Where pdf.js, in the console, finds its decoders, fonts and CMaps. */
const pdfjsDataFolder = "/pages/pdfjs/";

const keptForEver = "public, max-age=31536000, immutable";
const keptForADay = "public, max-age=86400";
const keptForMinutes = "public, max-age=300";
const logoCache = "private, max-age=3600";

interface PageRequest {
  request: Request;
  /** Null where the path holds an invalid `%` sequence. */
  params: Record<string, string | null>;
}

/** What browsers load beside the pages: the logo of a public chat, the widget, scripts and styles. */
export const createPageRoutes = (
  { config, store, pageFiles }: { config: Config; store: Store; pageFiles: LoadPageFiles },
  limits: VisitorLimits,
): Extension => {
  const fetchLogo = createLogoFetcher(config);

  const prefix = pathPrefixOf(config.server.baseUrl);
  const findPublicChat = createPublicChats(store, limits);
  const pages: Record<string, (page: PageRequest) => Promise<Response>> = {
    ...Object.fromEntries(
      consolePaths.map((path) => [
        path,
        async ({ request }: PageRequest) => consolePage(path, request, { files: await pageFiles(), prefix }, store),
      ]),
    ),
    ...createDocsRoutes(pageFiles, prefix),
    async "/chat/:id/logo"({ request, params }) {
      const { clientAddress, signal } = frameOf(request);
      const chat = await findPublicChat(params.id ?? "", clientAddress);
      const logo = chat?.logoUrl ? await fetchLogo(chat.logoUrl, signal) : null;
      if (logo === null) throw notFound("file_not_found");
      const { bytes, mimeType } = logo;
      const policy = "sandbox; default-src 'none'";
      return new Response(bytes.slice(), {
        headers: { "content-type": mimeType, "cache-control": logoCache, "content-security-policy": policy },
      });
    },
    async "/embed.js"({ request }) {
      return fileResponse((await pageFiles()).get("embed.js"), request, keptForMinutes);
    },
    async "/pages/:name"({ request, params }) {
      const file = [...(await pageFiles()).values()].find(({ name }) => name === params.name);
      return fileResponse(file, request, keptForEver);
    },
  };

  pages[`${pdfjsDataFolder}:name`] = async ({ params }) => {
    const path = await pdfjsDataPath(params.name ?? "");
    if (path === undefined) throw new ApiError("route_not_found", "pdf.js has no such file.");
    return new Response(Bun.file(path), {
      headers: { "content-type": "application/octet-stream", "cache-control": keptForADay },
    });
  };

  return {
    paths: Object.keys(pages),
    mount(app) {
      // Elysia reads the text of what it is given to learn which parts of a request it uses, and complains of what it
      // cannot read on standard output: it gets a function of one form.
      for (const [path, answer] of Object.entries(pages))
        app.get(path, (context) => answer(context), { detail: { hide: true } });
    },
  };
};

/** @throws ApiError route_not_found */
const fileResponse = async (file: LoadedPageFile | undefined, request: Request, cache: string): Promise<Response> => {
  if (file === undefined) throw new ApiError("route_not_found", "No page uses a file of this name.");
  return await fixedResponse(file, request, {
    "content-type": file.mimeType,
    "cache-control": cache,
    // A script that runs as a worker has no policy but its own.
    "content-security-policy": "connect-src 'self'",
  });
};

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
