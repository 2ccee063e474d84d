import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isSameSite, looksLikePage, pageAddress } from "../../src/sites/page-address.ts";
import { signsOf } from "../../src/sites/site-reading.ts";
import { readSitemap } from "../../src/sites/sitemap.ts";

const noPause = async () => {};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("sitemaps", () => {
  test.each([
    [
      "the addresses of pages alone, whatever stands beside them",
      `<urlset xmlns:image="i"><url><loc>\n <![CDATA[https://a.example/x]]>?a=1&amp;b=2 </loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url></urlset>`,
      { pages: ["https://a.example/x?a=1&b=2"], sitemaps: [] },
    ],
    [
      "an index, in a namespace of its own",
      `<?xml version="1.0"?><sm:sitemapindex><sm:sitemap><sm:loc>https://a.example/1.xml</sm:loc></sm:sitemap></sm:sitemapindex>`,
      { pages: [], sitemaps: ["https://a.example/1.xml"] },
    ],
    [
      "lines",
      "\ufeffhttps://a.example/1\r\n\r\nhttps://a.example/2",
      { pages: ["https://a.example/1", "https://a.example/2"], sitemaps: [] },
    ],
    ["a page", "<!doctype html><html><body>Not found</body></html>", null],
    [
      "entities that multiply",
      `<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>`,
      { pages: ["&b;"], sitemaps: [] },
    ],
    ["words", "not found", null],
    ["nothing", "", null],
  ])("%s", async (_name, text, expected) => {
    expect(await readSitemap(bytes(text), noPause)).toEqual(expected);
  });

  test("a gzip bomb is none", async () => {
    expect(await readSitemap(Bun.gzipSync(new Uint8Array(60_000_000)), noPause)).toBeNull();
  });

  test("any bytes are read or refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (input) => {
        const found = await readSitemap(input, noPause);
        expect(found === null || Array.isArray(found.pages)).toBe(true);
      }),
    );
  });
});

describe("links", () => {
  test("are resolved against the page or its base, each once, without fragments", async () => {
    const html = `<base href="/en/"><a href="a?x=1#top">A</a><a href="/en/a?x=1">A</a><a href="mailto:a@b">m</a><a>none</a><area href="//c.example/">`;
    expect((await signsOf(bytes(html), "https://b.example/start", noPause)).links).toEqual([
      "https://b.example/en/a?x=1",
      "https://c.example/",
    ]);
  });

  test("whatever a page holds, they are addresses of pages", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), async (hrefs) => {
        const html = hrefs.map((href) => `<a href="${href}">x</a>`).join("");
        for (const link of (await signsOf(bytes(html), "https://b.example/", noPause)).links)
          expect(pageAddress(link)).toBe(link);
      }),
    );
  });

  test("what is no page of the site", () => {
    expect(pageAddress("https://user:secret@a.example/")).toBeNull();
    expect(pageAddress("file:///etc/passwd")).toBeNull();
    expect(pageAddress(`https://a.example/${"x".repeat(1_100)}`)).toBeNull();
    expect(isSameSite("http://www.a.example/x", "https://a.example/")).toBe(true);
    expect(isSameSite("https://a.example:8443/", "https://a.example/")).toBe(false);
    expect(isSameSite("https://b.a.example/", "https://a.example/")).toBe(false);
    expect([looksLikePage("https://a.example/x.PNG"), looksLikePage("https://a.example/x.html")]).toEqual([
      false,
      true,
    ]);
  });
});
