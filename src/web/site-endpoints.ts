import { errorsHtml } from "../http/docs/error-page.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { htmlResponse } from "../http/respond.ts";
import { homeHtml } from "./home-page.ts";

const page = (description: string) => ({ 200: { mediaType: "text/html", description } });

/** The pages for people, beside the API page itself. */
export const siteEndpoints = (version: string): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/",
      operationId: "getHomePage",
      access: "open",
      tag: "Operation",
      summary: "What this server is",
      responses: page("A page that says so and links to the API."),
      errors: [],
      handle: ({ baseUrl }) => htmlResponse(homeHtml(baseUrl, version)),
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
