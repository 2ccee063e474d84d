import { atEnd } from "../at-end.ts";
export interface Page {
  body: string | Uint8Array<ArrayBuffer>;
  type?: string;
  etag?: string;
  lastModified?: string;
  status?: number;
  location?: string;
}

/** A web site on loopback that notes what it is asked for. */
export interface PageSite {
  url: string;
  pages: Map<string, Page>;
  /** Paths in the order in which they were asked for. */
  asked: string[];
  /** What was sent as `authorization` with each. */
  authorizations: (string | null)[];
  /** Of these, the ones answered 304. */
  unchanged: string[];
  /** The most requests that were under way at once. */
  mostAtOnce: number;
  /** How many times a path was asked for. */
  count(path: string): number;
  stop(): Promise<void>;
}

/** An article long enough to be read as one, with links. */
export const article = (title: string, text: string, links: readonly string[] = []): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><nav>${links
    .map((link) => `<a href="${link}">${link}</a>`)
    .join(" ")}</nav><main><article><h1>${title}</h1><p>${text}</p>
<p>This page is part of the handbook of the town library, which is read by visitors and by the staff alike.</p>
<p>Questions are answered at the desk on the ground floor, on every day on which the library is open.</p>
</article></main></body></html>`;

export const sitemap = (pages: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages
    .map((page) => `<url><loc>${page}</loc><lastmod>2026-01-31</lastmod></url>`)
    .join("")}</urlset>`;

export const sitemapIndex = (sitemaps: readonly string[]): string =>
  `<?xml version="1.0"?><sitemapindex>${sitemaps.map((one) => `<sitemap><loc>${one}</loc></sitemap>`).join("")}</sitemapindex>`;

export const servePages = (pages: Record<string, Page | string> = {}): PageSite => {
  const site: Omit<PageSite, "url" | "count" | "stop"> = {
    pages: new Map(),
    asked: [],
    authorizations: [],
    unchanged: [],
    mostAtOnce: 0,
  };
  for (const [path, page] of Object.entries(pages))
    site.pages.set(path, typeof page === "string" ? { body: page } : page);
  let underWay = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const path = pathname + search;
      site.asked.push(path);
      site.authorizations.push(request.headers.get("authorization"));
      underWay += 1;
      site.mostAtOnce = Math.max(site.mostAtOnce, underWay);
      await Bun.sleep(5);
      underWay -= 1;
      const page = site.pages.get(path);
      if (page === undefined) return new Response("not found", { status: 404 });
      const { etag, lastModified, location } = page;
      const headers = {
        "content-type": page.type ?? "text/html; charset=utf-8",
        ...(etag === undefined ? {} : { etag }),
        ...(lastModified === undefined ? {} : { "last-modified": lastModified }),
        ...(location === undefined ? {} : { location }),
      };
      const isSame =
        (etag !== undefined && request.headers.get("if-none-match") === etag) ||
        (lastModified !== undefined && request.headers.get("if-modified-since") === lastModified);
      if (isSame) {
        site.unchanged.push(path);
        return new Response(null, { status: 304, headers });
      }
      return new Response(page.body, { status: page.status ?? 200, headers });
    },
  });
  return Object.assign(site, {
    url: `http://127.0.0.1:${server.port}`,
    count: (path: string) => site.asked.filter((asked) => asked === path).length,
    stop: atEnd(() => server.stop(true)),
  });
};
