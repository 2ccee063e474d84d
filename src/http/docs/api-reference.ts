import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import type { Endpoint } from "../endpoint.ts";
import { fixedContent, fixedResponse } from "../fixed-content.ts";
import type { Extension } from "../router.ts";
import { openApiDocument } from "./openapi-document.ts";

const documentPath = "/openapi.json";

/**
 * `/openapi.json`, made from the declarations of the operations when it is first asked for. `/docs` (src/web/docs-page.ts)
 * shows it. @param prefix of every path, as clients reach the server
 */
export const createApiReference = (endpoints: readonly Endpoint[], version: string, prefix: string): Extension => ({
  paths: [documentPath],
  mount(app) {
    // The plugin makes the document, on a router of its own: there its page, which would load scripts from elsewhere, is
    // not reached, and what it answers can be kept and compressed.
    const plugin = new Elysia().use(
      swagger({
        // Of two routes for one path the router takes the later, which is that of the document.
        path: documentPath,
        specPath: documentPath,
        excludeStaticFile: false,
        documentation: openApiDocument(endpoints, version, prefix) as Record<string, unknown>,
      }),
    );
    const content = fixedContent(
      async () =>
        new Uint8Array(await (await plugin.handle(new Request(`http://localhost${documentPath}`))).arrayBuffer()),
    );
    const headers = { "content-type": "application/json", "cache-control": "no-cache" };
    app.get(documentPath, ({ request }) => fixedResponse(content, request, headers), { detail: { hide: true } });
  },
});
