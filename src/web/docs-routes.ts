import { docsPage, type docsPaths, guideText, loadGuides } from "./docs-page.ts";
import type { LoadPageFiles } from "./page-files.ts";

const title = "Guides and API";
const textEnding = ".md";

interface PageRequest {
  request: Request;
  params: Record<string, string | null>;
}

/** `/docs`: guides and API reference, open to everybody. `/docs/guide/NAME.md` is a guide as text. @param prefix of every path */
export const createDocsRoutes = (
  pageFiles: LoadPageFiles,
  prefix: string,
): Record<(typeof docsPaths)[number], (page: PageRequest) => Promise<Response>> => {
  const show = async (): Promise<Response> => await docsPage(await pageFiles(), prefix, title);
  return {
    "/docs": show,
    "/docs/reference": show,
    // Which operations there are, the page learns from /openapi.json.
    "/docs/reference/:name": show,
    async "/docs/guide/:name"({ request, params }) {
      const files = await pageFiles();
      const name = params.name ?? "";
      const isText = name.endsWith(textEnding);
      const slug = isText ? name.slice(0, -textEnding.length) : name;
      const guide = (await loadGuides(files)).find((each) => each.slug === slug);
      if (guide === undefined) return await docsPage(files, prefix, title, 404);
      return isText ? await guideText(guide, request) : await docsPage(files, prefix, `${guide.title} · ${title}`);
    },
  };
};
