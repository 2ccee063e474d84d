import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { guideGroups } from "../../../src/web/read-guides.ts";
import { startPageServer } from "../start-page-server.ts";

const server = await startPageServer();

const get = (path: string) => fetch(server.url + path);
const pages = readdirSync(new URL("../../../docs/", import.meta.url)).filter((name) => name.endsWith(".md"));
const slugs = ["readme", ...pages.map((name) => name.slice(0, -".md".length))].sort();

test.each(["/docs", "/docs/reference", "/docs/reference/ingestDocument", "/docs/guide/cli"])(
  "%s is open, and its policy lets it load from this server alone, nothing inline",
  async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("text/html");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain("unsafe-");
    const html = await answer.text();
    expect(html).not.toMatch(/https?:\/\/|\/\/[a-z]|<style|<script>/i);
    const loaded = [...html.matchAll(/(?:src|href|data-guides|data-reference)="(\/[^"]*)"/g)].map(([, to = ""]) => to);
    expect(loaded.filter((address) => address.startsWith("/pages/docs-"))).toHaveLength(2);
    for (const address of loaded)
      expect({ address, status: (await get(address)).status }).toEqual({ address, status: 200 });
  },
);

test("without JavaScript it has a title, a notice, and every guide as text", async () => {
  const html = await (await get("/docs")).text();
  expect(html).toContain("<h1>Carrel: guides and API reference</h1>");
  expect(html).toContain('<a href="/openapi.json">');
  const linked = [...html.matchAll(/href="\/docs\/guide\/([\w-]+)\.md"/g)].map(([, slug = ""]) => slug);
  expect([...new Set(linked)].sort()).toEqual(slugs);
  const text = await get("/docs/guide/cli.md");
  expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await text.text()).toBe(await Bun.file(new URL("../../../docs/cli.md", import.meta.url)).text());
});

test("every guide is in one group, and the groups name no other", () => {
  expect(guideGroups.flatMap(({ guides }) => [...guides]).sort()).toEqual(slugs);
});

test.each(["nothing", "nothing.md", "..%2F..%2FREADME", "__proto__", "%"])(
  "a guide that there is not is a page that says so: %s",
  async (name) => {
    const answer = await get(`/docs/guide/${name}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toStartWith("text/html");
  },
);

test("the plugin that makes /openapi.json adds no page of its own, which would load from elsewhere", async () => {
  const document = await get("/openapi.json");
  expect(document.headers.get("content-type")).toStartWith("application/json");
  expect(((await document.json()) as { openapi: string }).openapi).toBe("3.1.0");
  for (const path of ["/swagger", "/swagger/json", "/docs/json", "/docs/plugin"])
    expect((await get(path)).status).toBe(404);
});

/** With room above the 57 KiB that it takes; the console may take 90. */
const maxScriptBytes = 64 * 1024;

test("the first load carries one small script", async () => {
  const files = await server.program.deps.pageFiles();
  const bytes = (await files.get("docs.js")?.gzipped())?.length ?? 0;
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(maxScriptBytes);
});
