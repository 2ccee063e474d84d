import { swagger } from "@elysiajs/swagger";
import type { Endpoint } from "../endpoint.ts";
import type { Extension } from "../router.ts";
import { openApiDocument } from "./openapi-document.ts";

const documentPath = "/openapi.json";

/** `/openapi.json`, made from the declarations of the operations. `/docs` (src/web/docs-page.ts) shows it. */
export const createApiReference = (endpoints: readonly Endpoint[], version: string): Extension => ({
  paths: [documentPath],
  mount(app) {
    app.use(
      swagger({
        // The plugin's own page would load scripts from elsewhere: of two routes for one path the router takes the later,
        // which is that of the document.
        path: documentPath,
        specPath: documentPath,
        excludeStaticFile: false,
        documentation: openApiDocument(endpoints, version) as Record<string, unknown>,
      }),
    );
  },
});
