import { createHash } from "node:crypto";
import { swagger } from "@elysiajs/swagger";
import scriptFile from "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" };
import { readCarriedFile } from "../../system/carried-file.ts";
import type { Endpoint } from "../endpoint.ts";
import { htmlResponse } from "../respond.ts";
import type { Extension } from "../router.ts";
import { referencePolicy } from "./html-page.ts";
import { openApiDocument } from "./openapi-document.ts";
import { referenceHtml } from "./reference-page.ts";

/**
 * `/openapi.json`, made from the declarations of the operations, and `/docs`, which shows it with a script that this
 * server serves itself.
 */
export const createApiReference = async (endpoints: readonly Endpoint[], version: string): Promise<Extension> => {
  // As it is carried, which changes with its content too: unpacking it would cost each start some milliseconds.
  const hash = createHash("sha256")
    .update(await Bun.file(scriptFile).bytes())
    .digest("hex")
    .slice(0, 16);
  const scriptPath = `/docs/reference-${hash}.js`;
  const document = openApiDocument(endpoints, version);

  return {
    paths: ["/docs", "/openapi.json", scriptPath],
    mount(app) {
      app.use(
        swagger({
          path: "/docs",
          specPath: "/openapi.json",
          excludeStaticFile: false,
          documentation: document as Record<string, unknown>,
        }),
      );
      // Replaces the plugin's page, which has an inline script: of two routes for one path the router takes the later.
      app.get(
        "/docs",
        () => htmlResponse(referenceHtml(scriptPath), { headers: { "content-security-policy": referencePolicy } }),
        { detail: { hide: true } },
      );
      app.get(
        scriptPath,
        async () =>
          new Response(await readCarriedFile(scriptFile), {
            headers: {
              "content-type": "text/javascript; charset=utf-8",
              "cache-control": "public, max-age=31536000, immutable",
            },
          }),
        { detail: { hide: true } },
      );
    },
  };
};
