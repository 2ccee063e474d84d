import { errorsHtml } from "../http/docs/error-page.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { htmlResponse } from "../http/respond.ts";
import { consolePage } from "./console-page.ts";
import type { LoadPageFiles } from "./page-files.ts";

const page = (description: string) => ({ 200: { mediaType: "text/html", description } });

/** The pages for people, beside the API page itself. */
export const siteEndpoints = (pageFiles: LoadPageFiles): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/",
      operationId: "getHomePage",
      access: "open",
      tag: "Operation",
      summary: "The console",
      responses: page("The page for people: documents, questions, chats and settings."),
      errors: [],
      handle: async () => consolePage(await pageFiles()),
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
      handle: () => htmlResponse(errorsHtml()),
    }),
  ] as Endpoint[];
