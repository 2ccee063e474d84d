import { expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { guideEntries } from "../../../src/web/browser/docs/search-entries.ts";
import { guideGroups, readGuides } from "../../../src/web/read-guides.ts";
import { eventually } from "../../until.ts";
import { barriersOf, overflowOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { openVisitor } from "../open-browser.ts";
import { press } from "../open-console.ts";
import { mentions, thereAre } from "../shows.ts";
import { startPageServer } from "../start-page-server.ts";

const slugs = guideGroups.flatMap(({ guides }) => guides);
/** Wide tables, long words, code, lists, every kind of view; axe looks at the first ones in every size. */
const views = [
  "/docs",
  "/docs/guide/configuration",
  "/docs/reference/ingestDocument",
  "/docs/reference",
  "/docs/guide/bad-input",
  "/docs/reference/records",
  "/docs/errors",
];
const alwaysLookedAt = 3;

/** `/docs` in a real browser, under the page's own policy. */
await describeInBrowser("guides and API reference", async (browser) => {
  const server = await startPageServer();
  await server.post("/api/ingest", { name: "Shown in the page", text: "words" });
  return () => {
    const openDocs = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await openVisitor(browser, [server.url], { viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      await page.goto(server.url + path);
      await page.locator("#content h1").first().waitFor();
      return page;
    };

    const find = async (page: Page, text: string): Promise<void> => {
      await page.keyboard.press("/");
      await page.keyboard.type(text);
      await page.getByRole("option").first().waitFor();
    };
    /** Waits until guides and operations can be found: lines that come later would move the one that is chosen. */
    const untilIndexed = async (page: Page): Promise<void> => {
      for (const [text, name] of [
        ["audit log", /^Who did it: the audit log/],
        ["list documents", /^List documents/],
      ] as const) {
        await find(page, text);
        await page.getByRole("option", { name }).waitFor();
        // The list closes, then the field is left.
        await press(page, "Escape", "Escape");
      }
    };
    const addressOf = (page: Page): string => page.url().slice(server.url.length);

    test("by keyboard alone: an operation and a section of a guide are found and opened", async () => {
      const page = await openDocs("/docs");
      await untilIndexed(page);
      await find(page, "list docum");
      await page.getByRole("option", { name: /^List documents/ }).waitFor();
      for (let at = 0; at < 10; at += 1) {
        if (
          ((await page.locator("[role=option][aria-selected=true]").textContent()) ?? "").startsWith("List documents")
        )
          break;
        await page.keyboard.press("ArrowDown");
      }
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "List documents" }).waitFor();
      expect(addressOf(page)).toBe("/docs/reference/listDocuments");
      await eventually(async () => expect(await page.title()).toBe("List documents · Carrel"));

      // A word that is typed wrong, and the name of a code.
      await find(page, "partiton");
      await eventually(async () => expect(await page.getByRole("option").first().textContent()).toMatch(/partition/i));
      await press(page, "Escape", "Escape");
      await find(page, "audit log");
      await page.getByRole("option", { name: /^Who did it: the audit log/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: /^Who did it: the audit log/ }).waitFor();
      expect(addressOf(page)).toBe("/docs/guide/operations#who-did-it-the-audit-log");
      await eventually(async () => {
        const top = await page.evaluate(
          "document.getElementById('who-did-it-the-audit-log').getBoundingClientRect().top",
        );
        expect(top).toBeGreaterThan(0);
        expect(top).toBeLessThan(200);
      });
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "List documents" }).waitFor();
    });

    test("an operation tells all that the document has of it, and its lists name every group once", async () => {
      const page = await openDocs("/docs/reference/listDocuments");
      for (const part of ["/api/document", "Any key", "searchValue", "partition_not_found", "overloaded", "curl "])
        await mentions(page.locator("#content"), part);
      await page.getByText("Fields of Document").click();
      await page.getByText("Address of the extracted text as Markdown.").waitFor();
      await page.getByRole("link", { name: "DocumentStatus" }).first().click();
      await page.getByRole("heading", { level: 2, name: "DocumentStatus", exact: true }).waitFor();
      expect(addressOf(page)).toBe("/docs/reference/records#DocumentStatus");
      await page.goto(`${server.url}/docs/reference#askQuestion`);
      const line = page.locator("#askQuestion");
      await line.waitFor();
      await eventually(async () =>
        expect(await line.getByRole("link").getAttribute("href")).toBe("/docs/reference/askQuestion"),
      );
      await eventually(async () => expect(await page.locator("#content h2").allTextContents()).toContain("Questions"));
      await thereAre(page.locator(".operations li", { hasText: "Change a document" }), 1);
    });

    test("every guide is shown, and every link in it leads to a place that there is", async () => {
      const page = await openDocs("/docs");
      const ids = new Map<string, Set<string>>();
      const links: { slug: string; href: string }[] = [];
      for (const slug of slugs) {
        await page.locator(`.list a[href="/docs/guide/${slug}"]`).click();
        await page.locator(`.list a[href="/docs/guide/${slug}"][aria-current=page]`).waitFor();
        await page.locator("article .text h1").waitFor();
        const found = (await page.evaluate(`({
          ids: [...document.querySelectorAll("article [id]")].map((each) => each.id),
          links: [...document.querySelectorAll("article a")].map((each) => each.getAttribute("href")),
        })`)) as { ids: string[]; links: (string | null)[] };
        ids.set(slug, new Set(found.ids));
        for (const href of found.links) links.push({ slug, href: href ?? "" });
      }
      expect(links.length).toBeGreaterThan(200);
      for (const { slug, href } of links) {
        if (/^https?:\/\//.test(href)) continue;
        const [path = "", id = ""] = href.split("#");
        const target = path === "" ? slug : (/^\/docs\/guide\/([\w-]+?)(?:\.md)?$/.exec(path)?.[1] ?? null);
        if (target === null) expect(["/", "/docs", "/docs/reference"], `${slug}: ${href}`).toContain(path);
        else expect(slugs, `${slug}: ${href}`).toContain(target);
        if (id !== "") expect(ids.get(target ?? ""), `${slug}: ${href}`).toContain(id);
      }
      // So does what the search leads to.
      for (const { address } of guideEntries(await readGuides())) {
        const [, slug = "", id = ""] = /^\/docs\/guide\/([\w-]+)(?:#(.*))?$/.exec(address) ?? [];
        if (id !== "") expect(ids.get(slug), address).toContain(id);
      }
      // One click more, as a reader does it: a link to a heading of another guide.
      await page.goto(`${server.url}/docs/guide/quality`);
      await page.locator('article a[href="/docs/guide/evaluation#refusal"]').first().click();
      await page.getByRole("heading", { name: /^Refusal/ }).waitFor();
      await eventually(async () => expect(await page.evaluate("scrollY > 0")).toBe(true));
    });

    test.each([
      ["light", { width: 1440, height: 900 }],
      ["dark", { width: 320, height: 600 }],
    ] as const)("axe finds nothing serious, nothing is too wide: %s, %p", async (colorScheme, viewport) => {
      const page = await openDocs("/docs", { colorScheme, viewport, reducedMotion: "reduce" });
      for (const [at, view] of views.entries()) {
        await page.goto(server.url + view);
        await page.locator("h1").first().waitFor();
        // Both documents are there.
        if (view !== "/docs/errors") await page.locator(".list details").first().waitFor({ state: "attached" });
        if (at < alwaysLookedAt || viewport.width > 1000)
          expect({ view, found: await barriersOf(page) }).toEqual({ view, found: [] });
        expect({ view, overflow: await overflowOf(page) }).toEqual({ view, overflow: 0 });
      }
      await page.goto(`${server.url}/docs/reference/ingestDocument`);
      await find(page, "backup");
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      if (viewport.width < 900) {
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Contents" }).click();
        await page.locator('.list a[href="/docs/guide/cli"]').click();
        await page.getByRole("heading", { level: 1, name: "Commands" }).waitFor();
        await eventually(async () => expect(await page.locator(".list").isVisible()).toBe(false));
      }
    });

    test("without JavaScript the guides are links to their text", async () => {
      const context = await openVisitor(browser, [server.url], { javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${server.url}/docs`);
      await page.getByRole("heading", { name: "Carrel: guides and API reference" }).waitFor();
      await page.getByRole("link", { name: "Backup and restore" }).click();
      await mentions(page.locator("body"), "# Backup and restore");
    });

    test("a server that does not answer is told of, and asked again", async () => {
      const context = await openVisitor(browser, [server.url]);
      const page = await context.newPage();
      let isAway = true;
      await page.route("**/openapi.full.json", (route) => (isAway ? route.abort() : route.continue()));
      await page.goto(`${server.url}/docs/reference/getDocument`);
      await page.getByRole("alert").waitFor();
      isAway = false;
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("heading", { level: 1, name: "Get a document with its text" }).waitFor();
      await thereAre(page.getByRole("alert"), 0);
    });
  };
});
