import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import type { Endpoint } from "../endpoint.ts";
import { fixedContent, fixedResponse } from "../fixed-content.ts";
import type { Extension } from "../router.ts";
import { leanDocument } from "./lean-document.ts";
import { openApiDocument } from "./openapi-document.ts";

const documentPath = "/openapi.json";
const wholePath = "/openapi.full.json";

/**
 * `/openapi.full.json` and, for generators of clients, `/openapi.json`, made from the declarations of the operations when
 * first asked for. `/docs` (src/web/pages.ts) shows the whole one. @param prefix of every path, as clients reach the server
 */
export const createApiReference = (endpoints: readonly Endpoint[], version: string, prefix: string): Extension => ({
  paths: [documentPath, wholePath],
  mount(app) {
    const documentOf = () => openApiDocument(endpoints, version, prefix);
    const whole = fixedContent(async () => new TextEncoder().encode(JSON.stringify(documentOf())));
    const lean = fixedContent(() => writtenByPlugin(leanDocument(documentOf())));
    const headers = { "content-type": "application/json", "cache-control": "no-cache" };
    app.get(wholePath, ({ request }) => fixedResponse(whole, request, headers), { detail: { hide: true } });
    app.get(documentPath, ({ request }) => fixedResponse(lean, request, headers), { detail: { hide: true } });
  },
});

/**
 * The plugin makes the document, on a router of its own: there its page, which would load scripts from elsewhere, is not
 * reached, and what it answers can be kept and compressed.
 */
const writtenByPlugin = async (documentation: Record<string, unknown>): Promise<Uint8Array<ArrayBuffer>> => {
  const plugin = new Elysia().use(
    swagger({
      // Of two routes for one path the router takes the later, which is that of the document.
      path: documentPath,
      specPath: documentPath,
      excludeStaticFile: false,
      documentation,
    }),
  );
  const answer = await plugin.handle(new Request(`http://localhost${documentPath}`));
  return new Uint8Array(await answer.arrayBuffer());
};
