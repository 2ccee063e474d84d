import { describe, expect, setSystemTime, test } from "bun:test";
import { rm } from "node:fs/promises";
import { Secret } from "../../config/secret.ts";
import { createFetcher } from "../../src/ingest/fetch/fetcher.ts";
import { configuredPrincipal } from "../../src/program/operator.ts";
import { crawlSite } from "../../src/sites/configured-sites.ts";
import { type CrawlDependencies, createCrawlQueue } from "../../src/sites/crawl.ts";
import { createPageFetcher } from "../../src/sites/page-fetcher.ts";
import { createPageFilter, createSiteHeaders } from "../../src/sites/site-settings.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";
import { article, servePages, sitemap } from "./serve-pages.ts";

const allowed = { fetch: { allowPrivateAddresses: true }, scan: { pauseMs: 1 } };

const server = await startTestServer(allowed);
const { work, pages, store, log } = server.program.deps;
const deps = { work, fetcher: pages, principal: await configuredPrincipal(store), maxPages: 100, maxDepth: 3, log };

interface Listed {
  id: string;
  name: string;
  status: string;
  originalUrl: string;
  updatedAt: string;
}

const listed = async (from: TestServer, site: { url: string }): Promise<Listed[]> => {
  const filter = encodeURIComponent(JSON.stringify({ site: site.url }));
  return (await (await from.call(`/api/document?limit=100&sortOrder=asc&metadata=${filter}`)).json()) as Listed[];
};

const settled = async (from: TestServer, site: { url: string }): Promise<Listed[]> => {
  let documents: Listed[] = [];
  await until(async () => {
    documents = await listed(from, site);
    return documents.every(({ status }) => status === "processed" || status === "failed");
  }, "the documents come to an end");
  return documents;
};

const paths = (site: { url: string }, documents: Listed[]) =>
  documents.map(({ originalUrl }) => originalUrl.slice(site.url.length)).sort();

const crawl = (url: string, depth = 2, change: Partial<CrawlDependencies> = {}) =>
  crawlSite(
    { ...deps, ...change },
    { id: url, url: new URL(url).href, partition: null, depth },
    new AbortController().signal,
  );

/** Four pages, each linked from the one before; other things that are no pages of the site. */
const chain = () => {
  const site = servePages({
    "/": {
      body: article("Start", "The library has rules, hours and a history.", [
        "/one?b=2#part",
        "/picture.png",
        "/hidden",
        "https://elsewhere.example/",
        "mailto:desk@library.example",
      ]),
      etag: '"start"',
    },
    "/one?b=2": { body: article("One", "The first rule is to be quiet in the reading room.", ["two", "/"]) },
    "/two": {
      body: article("Two", "The second rule is to bring books back in time.", ["/three"]),
      lastModified: "Sat, 31 Jan 2026 09:30:00 GMT",
    },
    "/three": article("Three", "The third rule is known to nobody at all."),
    "/hidden": article("Hidden", "Not for robots, whoever sends them."),
    "/robots.txt": { body: "User-agent: *\nDisallow: /hidden\n", type: "text/plain" },
    "/picture.png": { body: "\u0089PNG", type: "image/png" },
  });
  return site;
};

describe("a page's site", () => {
  test("links are followed so deep, on the same origin, as robots.txt has it, one page at a time", async () => {
    const site = chain();
    expect(await crawl(site.url)).toMatchObject({ visited: 3, changed: 3, removed: 0, failed: 1 });
    const documents = await settled(server, site);
    expect(paths(site, documents)).toEqual(["/", "/one?b=2", "/two"]);
    expect(documents.map(({ name }) => name).sort()).toEqual(["One", "Start", "Two"]);
    expect([site.count("/hidden"), site.count("/picture.png"), site.count("/three")]).toEqual([0, 0, 0]);
    // What the crawl fetched is not fetched again by the jobs.
    expect([site.count("/"), site.count("/one?b=2"), site.mostAtOnce]).toEqual([1, 1, 1]);
  });

  test("crawled again: 304 and the same content cost nothing; changed pages are replaced, gone ones removed", async () => {
    const site = chain();
    await crawl(site.url, 3);
    const first = await settled(server, site);
    expect(paths(site, first)).toEqual(["/", "/one?b=2", "/three", "/two"]);
    expect(await crawl(site.url, 3)).toMatchObject({ visited: 4, changed: 0, removed: 0 });
    expect(site.unchanged.sort()).toEqual(["/", "/two"]);
    expect(await settled(server, site)).toEqual(first);

    site.pages.set("/one?b=2", { body: article("One", "The first rule is to speak softly.", ["/two"]) });
    site.pages.delete("/three");
    expect(await crawl(site.url, 3)).toMatchObject({ changed: 1, removed: 1 });
    const second = await settled(server, site);
    expect(paths(site, second)).toEqual(["/", "/one?b=2", "/two"]);
    const one = second.find(({ name }) => name === "One");
    expect(one?.id).toBe(first.find(({ name }) => name === "One")?.id as string);
    const text = await (await server.call(`/api/document/${one?.id}/text`)).text();
    expect(text).toContain("speak softly");
  });

  test("no longer linked is not gone; a document that somebody deleted comes back", async () => {
    const site = chain();
    await crawl(site.url, 3);
    const first = await settled(server, site);
    site.pages.set("/one?b=2", { body: article("One", "The first rule is to be quiet in the reading room.") });
    const start = first.find(({ name }) => name === "Start");
    await server.call(`/api/document/${start?.id}`, { method: "DELETE" });
    expect(await crawl(site.url, 3)).toMatchObject({ removed: 0, changed: 2 });
    expect(paths(site, await settled(server, site))).toEqual(["/", "/one?b=2", "/three", "/two"]);
  });

  test("a site that is down deletes nothing; a page that is in trouble stays", async () => {
    const site = chain();
    await crawl(site.url);
    await settled(server, site);
    site.pages.set("/two", { body: "oops", status: 500 });
    expect(await crawl(site.url)).toMatchObject({ removed: 0 });
    site.pages.set("/", { body: "oops", status: 404 });
    await expect(crawl(site.url)).rejects.toThrow("404");
    await crawl(site.url).catch(() => {});
    expect(await listed(server, site)).toHaveLength(3);
  });

  test("redirects: the page is known by where it is, and nothing follows one off the site", async () => {
    const site = chain();
    site.pages.set("/old", { body: "", status: 301, location: "/two" });
    site.pages.set("/off", { body: "", status: 302, location: "http://127.0.0.2:1/" });
    site.pages.set("/", { body: article("Start", "The library has rules.", ["/old", "/off", "/two"]) });
    await crawl(site.url, 1);
    expect(paths(site, await settled(server, site))).toEqual(["/", "/two"]);
    const moved = servePages({
      "/": { body: "", status: 302, location: "/en/" },
      "/en/": article("English", "The library in English.", ["more"]),
      "/en/more": article("More", "There is more to read of the library here."),
    });
    await crawl(moved.url, 1);
    expect(paths(moved, await settled(server, moved))).toEqual(["/en/", "/en/more"]);
    expect(await crawl(moved.url, 1)).toMatchObject({ changed: 0, removed: 0 });
  });

  test("as many pages as the limit has", async () => {
    const links = Array.from({ length: 20 }, (_, page) => `/page-${page}`);
    const site = servePages({ "/": article("Start", "Many pages are linked here.", links) });
    for (const [page, link] of links.entries())
      site.pages.set(link, { body: article(`Page ${page}`, `Text ${page}.`) });
    expect(await crawl(site.url, 1, { maxPages: 4 })).toMatchObject({ visited: 4 });
    await settled(server, site);
  });
});

const canonicalTo = (url: string, page: string): string =>
  page.replace("</title>", `</title><link rel="canonical" href="${url}">`);

describe("one page under several addresses is one document", () => {
  test("tracking parameters, sessions, slashes, index pages, the canonical address, the same text; no login form", async () => {
    const text = (at: number) => `Page ${at} tells of the pump number ${at} in the cellar.`;
    const site = servePages({
      "/": article("Start", "The library has pages.", [
        "/p/1?utm_source=nav&fbclid=x",
        "/p/1",
        "/p/2/",
        "/p/2",
        "/p/3/index.html",
        "/p/3/",
        "/p/4;jsessionid=AB12?PHPSESSID=1&b=2",
        "/p/4?b=2",
        "/p/7",
        "/canon",
        "/print/5",
        "/p/5",
        "/lost",
        "/login?next=/p/9",
        "/gone/",
        "/gone",
      ]),
      "/p/1": article("One", text(1)),
      "/p/2": article("Two", text(2)),
      "/p/2/": article("Two", text(2)),
      "/p/3/": article("Three", text(3)),
      "/p/3/index.html": article("Three", text(3)),
      "/p/4?b=2": article("Four", text(4)),
      "/p/5": article("Five", text(5)),
      // The same text, under another navigation.
      "/print/5": article("Five", text(5), ["/p/1"]),
      "/lost": canonicalTo("/nowhere", article("Lost", text(8))),
      "/login?next=/p/9":
        "<html><title>Sign in</title><body><h1>Sign in</h1><form><input name=u><input type=password></form></body></html>",
      "/gone": article("Gone", text(10)),
    });
    for (const path of ["/p/7", "/canon"])
      site.pages.set(path, { body: canonicalTo(`${site.url}/canon`, article("Canon", text(7))) });
    await crawl(site.url, 1);
    const first = await settled(server, site);
    const expected = ["/", "/canon", "/gone", "/lost", "/p/1", "/p/2/", "/p/3/index.html", "/p/4?b=2", "/print/5"];
    expect(paths(site, first)).toEqual(expected);
    expect(first.every(({ status }) => status === "processed")).toBe(true);
    // Again: nothing new, nothing removed; what becomes a page of its own gets its document.
    expect(await crawl(site.url, 1)).toMatchObject({ changed: 0, removed: 0 });
    site.pages.set("/p/7", { body: article("Seven", text(77)) });
    expect(await crawl(site.url, 1)).toMatchObject({ changed: 1, removed: 0 });
    expect(paths(site, await settled(server, site))).toEqual([...expected, "/p/7"].sort());
    // And what names another address as its own from now on loses it.
    site.pages.set("/p/1", { body: canonicalTo("/canon", article("One", text(1))) });
    expect(await crawl(site.url, 1)).toMatchObject({ removed: 1 });
  });

  test("a calendar ends, pages that are left out are removed", async () => {
    const site = servePages({
      "/": article("Start", "The library has a calendar.", ["/cal?d=0", "/drafts/a", "/about"]),
    });
    for (let day = 0; day < 300; day++) {
      const next = Array.from({ length: 30 }, (_, step) => `/cal?d=${day + step + 1}`);
      site.pages.set(`/cal?d=${day}`, { body: article(`Day ${day}`, `On day ${day} the library is open.`, next) });
    }
    site.pages.set("/drafts/a", { body: article("Draft", "A draft of the rules of the library.") });
    site.pages.set("/about", { body: article("About", "About the library, its staff and its cellar.") });
    await crawl(site.url, 10, { maxPages: 1_000 });
    const all = await settled(server, site);
    expect(all.length).toBeLessThan(60);
    const isLeftOut = createPageFilter(["/cal?*", "drafts/"]);
    const filtered = { id: site.url, url: new URL(site.url).href, partition: null, depth: 10, isLeftOut };
    await crawlSite(deps, filtered, new AbortController().signal);
    expect(paths(site, await settled(server, site))).toEqual(["/", "/about"]);
  });
});

test("headers of a site go to its own host alone, and are shown nowhere", async () => {
  const dataDir = await temporaryFolder("sites");
  const other = servePages({ "/": article("Elsewhere", "Another host tells of other things.") });
  const site = servePages({
    "/robots.txt": { body: "User-agent: *\nDisallow: /hidden\n", type: "text/plain" },
    "/": article("Intranet", "The intranet is for the staff.", ["/rules", "/off"]),
    "/rules": article("Rules", "The rules of the intranet are short."),
    "/off": { body: "", status: 302, location: other.url.replace("127.0.0.1", "localhost") },
  });
  const secret = "Basic c2VjcmV0OndvcmQ=";
  const started = await startTestServer(
    {
      ...allowed,
      sites: [
        {
          url: site.url,
          partition: null,
          depth: 1,
          every: "24h",
          exclude: [],
          headers: { authorization: new Secret(secret) },
        },
        { url: `${other.url}/`, partition: null, depth: 1, every: "24h", exclude: [], headers: {} },
      ],
    },
    {},
    dataDir,
  );
  await until(async () => (await listed(started, site)).length === 2 && (await listed(started, other)).length === 1);
  expect(new Set(site.authorizations)).toEqual(new Set([secret]));
  expect(new Set(other.authorizations)).toEqual(new Set([null]));
  const settings = JSON.stringify((await started.ask("GET", "/api/settings")).body);
  expect(settings).toContain("authorization");
  expect(settings).not.toContain("c2VjcmV0");
  await started.stop();
  await site.stop();
  await other.stop();
  await rm(dataDir, { recursive: true, force: true });
  const headersFor = createSiteHeaders("https://in.example/", { a: new Secret("b") });
  expect(headersFor?.(new URL("https://in.example/x"))).toEqual({ a: "b" });
  for (const url of ["http://in.example/", "https://in.example:8443/", "https://out.example/"])
    expect(headersFor?.(new URL(url))).toEqual({});
});

test("a sitemap's site: its pages, and those it no longer lists until they are gone", async () => {
  const site = chain();
  const list = (...listedPaths: string[]) =>
    site.pages.set("/sitemap.xml", {
      body: sitemap(listedPaths.map((path) => site.url + path)),
      type: "application/xml",
      etag: `"${listedPaths.length}"`,
    });
  list("/two", "/three", "/hidden");
  await crawl(`${site.url}/sitemap.xml`);
  expect(paths(site, await settled(server, site))).toEqual(["/three", "/two"]);
  expect(await crawl(`${site.url}/sitemap.xml`)).toMatchObject({ visited: 3, changed: 0 });
  expect(site.unchanged).toContain("/sitemap.xml");
  list("/two");
  site.pages.delete("/three");
  expect(await crawl(`${site.url}/sitemap.xml`)).toMatchObject({ removed: 1 });
  expect(paths(site, await settled(server, site))).toEqual(["/two"]);
});

test("configured sites are crawled at the start and on schedule, not again by every start", async () => {
  const dataDir = await temporaryFolder("sites");
  const site = chain();
  const sites = (every: string) => [
    { url: site.url, partition: "Handbook", depth: 1, every, exclude: [], headers: {} },
  ];
  const first = await startTestServer({ ...allowed, sites: sites("1s") }, {}, dataDir);
  await until(() => site.count("/") >= 3);
  const documents = await settled(first, site);
  expect(paths(site, documents)).toEqual(["/", "/one?b=2"]);
  expect((await (await first.call("/api/partition")).json()) as object[]).toMatchObject([{ name: "Handbook" }]);
  await first.stop();
  const asked = site.asked.length;
  // A site that is new is crawled at once: when that is done, the first one's turn has been and gone.
  const added = chain();
  const also = { url: added.url, partition: "Added", depth: 1, every: "24h", exclude: [], headers: {} };
  const second = await startTestServer({ ...allowed, sites: [...sites("24h"), also] }, {}, dataDir);
  await until(async () => (await listed(second, added)).length === 2);
  expect(site.asked.length).toBe(asked);
  expect(await listed(second, site)).toHaveLength(2);
  await second.stop();
  await site.stop();
  await added.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test("a visit that a wrong clock dated years ahead does not end the schedule", async () => {
  const dataDir = await temporaryFolder("sites");
  const site = chain();
  const sites = [{ url: site.url, partition: "Handbook", depth: 1, every: "1s", exclude: [], headers: {} }];
  setSystemTime(new Date(Date.now() + 3_650 * 86_400_000));
  try {
    const ahead = await startTestServer({ ...allowed, sites }, {}, dataDir);
    await until(() => site.count("/") >= 2);
    await ahead.stop();
  } finally {
    setSystemTime();
  }
  const asked = site.count("/");
  const corrected = await startTestServer({ ...allowed, sites }, {}, dataDir);
  await until(() => site.count("/") > asked);
  await corrected.stop();
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test("between two fetches from a host lies a pause, the longer one of setting and robots.txt", async () => {
  const site = servePages({
    "/a": article("A", "The first page of two."),
    "/b": article("B", "The second page of two."),
    "/robots.txt": { body: "User-agent: *\nCrawl-delay: 0.2\n", type: "text/plain" },
  });
  const fetchUrl = createFetcher({ allowPrivateAddresses: true, maxBytes: 1_000_000, timeoutMs: 5_000 });
  const { fetchPage } = createPageFetcher({ fetchUrl, pauseMs: 1 });
  const { signal } = new AbortController();
  const times = await Promise.all(
    ["/a", "/b"].map(async (path) => {
      await fetchPage(site.url + path, { signal });
      return performance.now();
    }),
  );
  expect(Math.abs((times[1] ?? 0) - (times[0] ?? 0))).toBeGreaterThan(150);
  const gone = new AbortController();
  const waiting = fetchPage(`${site.url}/a`, { signal: gone.signal });
  gone.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
});

test("each address is visited once, in order, and no more than the limit allows", () => {
  const queue = createCrawlQueue("a", 3);
  queue.add("b", 1);
  queue.add("b", 2);
  queue.add("a", 1);
  queue.add("c", 1);
  queue.add("d", 1);
  expect([queue.next(), queue.next(), queue.next()]).toEqual([
    { url: "a", depth: 0 },
    { url: "b", depth: 1 },
    { url: "c", depth: 1 },
  ]);
  expect(queue.isEmpty).toBe(true);
  expect(queue.next()).toBeUndefined();
});

test("an address that a redirect leads to is claimed once, and not queued afterwards", () => {
  const queue = createCrawlQueue("a", 10);
  expect(queue.claim("b")).toBe(true);
  expect(queue.claim("b")).toBe(false);
  queue.next();
  queue.add("b", 1);
  expect(queue.isEmpty).toBe(true);
});
