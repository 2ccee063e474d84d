import { describe, expect, test } from "bun:test";
import { ApiError } from "../../src/domain/errors.ts";
import { findPages } from "../../src/sites/find-pages.ts";
import type { PageFetcher } from "../../src/sites/page-fetcher.ts";
import { readOnThread } from "../../src/sites/site-thread.ts";
import { threadCpuMs } from "../thread-cpu.ts";

const never = new AbortController().signal;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const base = "https://a.example/";
const address = `${base}robots.txt`;

/** Longest CPU time that this thread took meanwhile between two turns of its event loop, in milliseconds. */
const heldWhile = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let last = threadCpuMs();
  const timer = setInterval(() => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  await work();
  clearInterval(timer);
  return longest;
};

describe("a site made to be read for ever", () => {
  test("holds nobody up: elements that never close, sitemaps nested without end", async () => {
    const held = await heldWhile(async () => {
      const page = `<a href="/x">${"<a>".repeat(300_000)}${"</b>".repeat(300_000)}`;
      expect(await readOnThread({ kind: "links", bytes: bytes(page), base }, never)).toMatchObject({
        links: [`${base}x`],
      });
      const deep = `<urlset>${"<url>".repeat(500_000)}`;
      expect(await readOnThread({ kind: "sitemap", bytes: bytes(deep), base, site: base }, never)).toBeNull();
      const many = `<urlset>${Array.from({ length: 60_000 }, (_, at) => `<url><loc>${base}${at}</loc></url>`).join("")}</urlset>`;
      const listed = await readOnThread({ kind: "sitemap", bytes: bytes(many), base, site: base }, never);
      expect(listed?.pages.length).toBe(50_000);
    });
    expect(held).toBeLessThan(2_000);
  });

  test("a robots.txt of wildcards is refused, one of many names over many rules is read", async () => {
    const stars = `User-agent: *\n${`Disallow: /${"*a".repeat(500)}b\n`.repeat(500)}`;
    const pages = [`${base}${"a".repeat(1_000)}`];
    expect(await readOnThread({ kind: "allowed", address, text: stars, pages }, never)).toBeNull();
    const names = `${"User-agent: x\n".repeat(15_000)}User-agent: carrel\n${"Disallow: /no\n".repeat(15_000)}Allow: /no/but\nCrawl-delay: 2\nSitemap: ${base}s.xml`;
    const asked = [`${base}no/1`, `${base}no/but`, `${base}yes`];
    expect(await readOnThread({ kind: "allowed", address, text: names, pages: asked }, never)).toEqual([
      false,
      true,
      true,
    ]);
    expect(await readOnThread({ kind: "robots", address, text: names }, never)).toEqual({
      crawlDelayMs: 2_000,
      sitemaps: [`${base}s.xml`],
    });
  });

  test("a robots.txt of 40,000 rules is not compared with 50,000 pages", async () => {
    const text = `User-agent: *\n${Array.from({ length: 40_000 }, (_, at) => `Disallow: /b${at}\n`).join("")}`;
    const pages = Array.from({ length: 50_000 }, (_, at) => `${base}a${at}`);
    expect(await readOnThread({ kind: "allowed", address, text, pages }, never)).toBeNull();
    const few = await readOnThread({ kind: "allowed", address, text, pages: [`${base}b7`, `${base}a`] }, never);
    expect(few).toEqual([false, true]);
  });

  test("sitemaps that cannot be read count among those that are", async () => {
    let asked = 0;
    const refused = new ApiError("fetch_failed", "It does not answer.");
    const many = (of: string) => Array.from({ length: 500 }, (_, at) => `${base}${of}-${at}.xml`);
    const fetchSitemap = async (address: string) => {
      asked += 1;
      // Each index names others, most of which fail.
      if (asked % 10 !== 1) throw refused;
      const listed = many(`of-${asked}`).map((inner) => `<sitemap><loc>${inner}</loc></sitemap>`);
      return { bytes: bytes(`<sitemapindex>${listed.join("")}</sitemapindex>`), finalUrl: address };
    };
    const rules = { allowed: async () => [], crawlDelayMs: 0, sitemaps: many("first") };
    const fetcher = { fetchSitemap, rulesFor: async () => rules, forgetRules: () => {} } as unknown as PageFetcher;
    const { warnings } = await findPages(fetcher, base, { maxPages: 10, maxDepth: 10 }, never);
    expect(asked).toBe(200);
    expect(warnings).toContain("Only 200 sitemap files were read.");
  });

  test("pages of other sites are left out and told of", async () => {
    const map = `<urlset><url><loc>${base}1</loc></url><url><loc>https://b.example/</loc></url><url><loc>${base}1</loc></url></urlset>`;
    expect(await readOnThread({ kind: "sitemap", bytes: bytes(map), base, site: base }, never)).toEqual({
      pages: [`${base}1`],
      sitemaps: [],
      hasForeign: true,
    });
  });
});
