import { type FixedContent, fixedContent, fixedResponse } from "../http/fixed-content.ts";
import { escapeHtml } from "../http/html-page.ts";
import { type LoadPageFiles, type PageFiles, pageResponse, pathOf } from "./page-files.ts";
import type { Guide } from "./read-guides.ts";

/** Addresses of the views of `/docs`; the script shows the one that is asked for. */
const docsPaths = ["/docs", "/docs/guide/:name", "/docs/reference", "/docs/reference/:name"] as const;

const guidesOf = new WeakMap<PageFiles, Promise<Guide[]>>();

/** The guides that the page files carry, in order. */
const loadGuides = (files: PageFiles): Promise<Guide[]> => {
  const known = guidesOf.get(files);
  if (known !== undefined) return known;
  const loading = (async () => {
    const bytes = await files.get("guides.json")?.bytes();
    return JSON.parse(new TextDecoder().decode(bytes)) as Guide[];
  })();
  guidesOf.set(files, loading);
  return loading;
};

/**
 * Guides and API reference: one page for all its views. Without JavaScript it is a list of links to the guides as text.
 * @param prefix of every path, as browsers reach the server @param status 404 where the address names a guide that there is not
 */
const docsPage = async (files: PageFiles, prefix: string, title: string, status = 200): Promise<Response> =>
  pageResponse({
    title,
    styles: [pathOf(files, "docs.css", prefix)],
    scripts: [pathOf(files, "docs.js", prefix)],
    status,
    body: `<div id="docs" data-guides="${pathOf(files, "guides.json", prefix)}" data-reference="${prefix}/openapi.full.json">
<main class="plain">
<h1>Carrel: guides and API reference</h1>
<p>With JavaScript, this page shows and searches them. Without it, the guides can be read as text, and every operation of the API is in <a href="${prefix}/openapi.json">/openapi.json</a> and in the guide <a href="${prefix}/docs/guide/api.md">HTTP API</a>.</p>
${listed(await loadGuides(files), prefix)}
<p><a href="${prefix}/docs/errors">What each error code means</a>. <a href="${prefix}/">The console</a>.</p>
</main>
</div>`,
  });

const listed = (guides: readonly Guide[], prefix: string): string =>
  [...Map.groupBy(guides, ({ group }) => group)]
    .map(
      ([group, members]) =>
        `<h2>${escapeHtml(group)}</h2>\n<ul>\n${members
          .map(({ slug, title }) => `<li><a href="${prefix}/docs/guide/${slug}.md">${escapeHtml(title)}</a></li>`)
          .join("\n")}\n</ul>`,
    )
    .join("\n");

const textsOf = new WeakMap<Guide, FixedContent>();

/** The Markdown of a guide, as text. */
const guideText = async (guide: Guide, request: Request): Promise<Response> => {
  const content = textsOf.get(guide) ?? fixedContent(async () => new TextEncoder().encode(guide.text));
  textsOf.set(guide, content);
  return await fixedResponse(content, request, {
    // As plain text: browsers show it, they do not offer to save it.
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; sandbox",
  });
};

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
