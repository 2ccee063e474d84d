import { describe, expect, test } from "bun:test";
import { startTestServer } from "../start-server.ts";
import { until } from "../until.ts";
import { article, type PageSite, servePages, sitemap, sitemapIndex } from "./serve-pages.ts";

const server = await startTestServer({ fetch: { allowPrivateAddresses: true }, scan: { pauseMs: 1, maxPages: 8 } });

interface Scanned {
  documents: { id: string; url: string; status: string }[];
  warnings: string[];
}

const scan = async (rootDomain: string, rest: object = {}) => {
  const response = await server.post("/api/scanSitemap", { rootDomain, ...rest });
  return { status: response.status, body: (await response.json()) as Scanned & { code: string; detail: string } };
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
const settled = async (id: string): Promise<any> => {
  let document = { status: "" };
  await until(async () => {
    document = (await (await server.call(`/api/document/${id}`)).json()) as { status: string };
    return ["processed", "failed"].includes(document.status);
  }, "the document comes to an end");
  return document;
};

const total = async (): Promise<number> =>
  Number((await server.call("/api/document?limit=1")).headers.get("x-total-count"));

const library = (change: Parameters<typeof servePages>[0] = {}): PageSite => {
  const site = servePages({
    "/winter": article("Winter", "In winter the library opens at nine in the morning."),
    "/summer": article("Summer", "In summer the library opens at eight in the morning."),
    "/private/plans": article("Plans", "Nobody is to read of these plans."),
    ...change,
  });
  return site;
};

describe("POST /api/scanSitemap", () => {
  test("the sitemap that robots.txt names: pages become documents; scanned again nothing is doubled", async () => {
    const site = library({ "/away": { body: "", status: 302, location: "/private/plans" } });
    const pages = ["/winter", "/summer", "/private/plans", "/away", "/winter#top", "/missing"];
    site.pages.set("/robots.txt", {
      body: `User-agent: *\nDisallow: /private/\n\nSitemap: ${site.url}/maps/main.xml\n`,
      type: "text/plain",
    });
    site.pages.set("/maps/main.xml", {
      body: sitemap([...pages.map((path) => site.url + path), "https://elsewhere.example/page"]),
      type: "application/xml",
    });
    const before = await total();
    const { status, body } = await scan(site.url, { partition: "Library" });
    expect(status).toBe(200);
    expect(body.documents.map(({ url }) => url.slice(site.url.length))).toEqual([
      "/winter",
      "/summer",
      "/away",
      "/missing",
    ]);
    expect(body.warnings).toHaveLength(2);
    const documents = await Promise.all(body.documents.map(({ id }) => settled(id)));
    expect(documents[0]).toMatchObject({
      status: "processed",
      name: "Winter",
      originalUrl: `${site.url}/winter`,
      metadata: { externalId: `${site.url}/winter`, site: site.url },
      partitionId: expect.any(String),
    });
    expect(documents[2]).toMatchObject({ status: "failed", error: expect.stringContaining("robots.txt") });
    expect(documents[3]).toMatchObject({ status: "failed", error: expect.stringContaining("404") });
    expect(site.count("/private/plans")).toBe(0);
    expect(site.count("/robots.txt")).toBe(1);
    expect(site.mostAtOnce).toBe(1);

    site.pages.set("/robots.txt", { body: `Sitemap: ${site.url}/maps/none.xml\n`, type: "text/plain" });
    expect(await scan(site.url)).toMatchObject({ status: 422, body: { code: "fetch_failed" } });
    site.pages.set("/robots.txt", { body: `Sitemap: ${site.url}/maps/main.xml\n`, type: "text/plain" });
    site.pages.set("/maps/main.xml", {
      body: sitemap(body.documents.map(({ url }) => url)),
      type: "application/xml",
    });
    const again = await scan(site.url, { partition: "Library" });
    expect(again.body.documents.map(({ id }) => id)).toEqual(body.documents.map(({ id }) => id));
    const later = await Promise.all(again.body.documents.map(({ id }) => settled(id)));
    expect(later[0]).toMatchObject({ status: "processed", name: "Winter", progress: { chunks: 1, embedded: 1 } });
    expect(await total()).toBe(before + 4);
    const answer = await server.post("/api/query", { query: "When does the library open in summer?" });
    expect(((await answer.json()) as { answer: string }).answer).toContain("eight");
  });

  test("/sitemap.xml where robots.txt names none, an index of gzipped files, a bare host", async () => {
    const site = library();
    site.pages.set("/sitemap.xml", {
      body: sitemapIndex([`${site.url}/a.xml.gz`, `${site.url}/b.txt`, `${site.url}/no`]),
    });
    site.pages.set("/a.xml.gz", {
      body: Bun.gzipSync(sitemap([`${site.url}/winter`])) as Uint8Array<ArrayBuffer>,
      type: "application/gzip",
    });
    site.pages.set("/b.txt", { body: `${site.url}/summer\n${site.url}/winter\n`, type: "text/plain" });
    const { status, body } = await scan(site.url.replace("http://", ""));
    expect([status, body.documents.map(({ url }) => url)]).toEqual([200, [`${site.url}/winter`, `${site.url}/summer`]]);
    expect(body.warnings).toEqual([expect.stringContaining("404")]);
    await Promise.all(body.documents.map(({ id }) => settled(id)));
  });

  test("no sitemap, no such host, no host, a page in its place, an unknown partition", async () => {
    const site = library();
    const none = await scan(site.url);
    expect([none.status, none.body.code]).toEqual([422, "fetch_failed"]);
    expect(none.body.detail).toContain("No sitemap was found");
    site.pages.set("/sitemap.xml", { body: article("Not found", "There is no such page.") });
    expect((await scan(site.url)).status).toBe(422);
    await site.stop();
    expect((await scan(site.url)).body.code).toBe("fetch_failed");
    expect((await scan("ftp://files.example")).body.code).toBe("invalid_request");
    expect((await scan("a b")).status).toBe(400);
    expect((await scan(site.url, { partitionId: Bun.randomUUIDv7() })).status).toBe(404);
  });

  test("limits: pages, and indexes within indexes", async () => {
    const site = servePages();
    const pages = Array.from({ length: 10 }, (_, page) => `${site.url}/page-${page}`);
    site.pages.set("/sitemap.xml", { body: sitemap(pages) });
    const { body } = await scan(site.url);
    expect(body.documents).toHaveLength(8);
    expect(body.warnings.join()).toContain("scan.maxPages");
    const deep = servePages();
    for (let level = 0; level < 8; level++)
      deep.pages.set(level === 0 ? "/sitemap.xml" : `/level-${level}`, {
        body: sitemapIndex([`${deep.url}/level-${level + 1}`]),
      });
    const nested = await scan(deep.url);
    expect([nested.status, nested.body.documents]).toEqual([200, []]);
    expect(nested.body.warnings.join()).toContain("scan.maxDepth");
    expect(deep.asked.length).toBeLessThan(7);
    await Promise.all(body.documents.map(({ id }) => settled(id)));
  });

  test("a server in trouble forbids everything by its robots.txt", async () => {
    const site = library();
    site.pages.set("/robots.txt", { body: "oops", status: 503 });
    site.pages.set("/sitemap.xml", { body: sitemap([`${site.url}/winter`]) });
    const { status, body } = await scan(site.url);
    expect([status, body.code, site.asked]).toEqual([422, "fetch_failed", ["/robots.txt"]]);
  });

  test("private addresses are refused unless the configuration allows them", async () => {
    const closed = await startTestServer();
    const site = library();
    const refused = await closed.post("/api/scanSitemap", { rootDomain: site.url });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, "address_refused"]);
    const page = await closed.post("/api/scanPageContent", { url: `${site.url}/winter` });
    expect([page.status, ((await page.json()) as { code: string }).code]).toEqual([400, "address_refused"]);
    expect(site.asked).toEqual([]);
  });
});

describe("POST /api/scanPageContent", () => {
  const scanPage = async (body: object) => {
    const response = await server.post("/api/scanPageContent", body);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
    return { status: response.status, body: (await response.json()) as any };
  };

  test("ingests a page; again it is replaced, with what it carried", async () => {
    const site = library();
    const url = `${site.url}/winter`;
    const first = await scanPage({ url: `${url}#hours`, partition: "Pages", metadata: { source: "site" } });
    expect(first).toMatchObject({
      status: 200,
      body: { name: "Winter", status: "processed", originalUrl: url, metadata: { source: "site" }, unchanged: false },
    });
    expect(first.body.text).toContain("nine in the morning");
    const second = await scanPage({ url });
    expect(second.body).toMatchObject({ id: first.body.id, unchanged: true, metadata: { source: "site" } });
    site.pages.set("/winter", { body: article("Winter", "In winter the library opens at ten in the morning.") });
    const third = await scanPage({ url, name: "Hours" });
    expect(third.body).toMatchObject({ id: first.body.id, unchanged: false, name: "Hours" });
    expect(third.body.text).toContain("ten in the morning");
  });

  test("what robots.txt forbids is not fetched; what is not there is said", async () => {
    const site = library({
      "/robots.txt": { body: "User-agent: Carrel\nDisallow: /private\n", type: "text/plain" },
    });
    const forbidden = await scanPage({ url: `${site.url}/private/plans` });
    expect([forbidden.status, forbidden.body.code]).toEqual([422, "fetch_failed"]);
    expect(forbidden.body.detail).toContain("robots.txt");
    expect(site.asked).toEqual(["/robots.txt"]);
    expect((await scanPage({ url: `${site.url}/missing` })).body.detail).toContain("404");
    // What robots.txt says now counts, not what it said a moment ago.
    expect((await scanPage({ url: `${site.url}/winter` })).status).toBe(200);
    site.pages.set("/robots.txt", { body: "User-agent: *\nDisallow: /winter\n", type: "text/plain" });
    const before = site.count("/winter");
    expect((await scanPage({ url: `${site.url}/winter` })).body.detail).toContain("robots.txt");
    expect(site.count("/winter")).toBe(before);
    expect((await scanPage({ url: "winter" })).status).toBe(400);
  });
});
