import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { eventually, until } from "../../until.ts";
import { barriersOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { dropFiles, fixturePath } from "../give-files.ts";
import { type BinaryServer, startBinary } from "../journeys/start-binary.ts";
import { openVisitor } from "../open-browser.ts";
import { holdMessage, openConsole } from "../open-console.ts";
import { mentions, shows, thereAre } from "../shows.ts";

interface Listed {
  id: string;
  name: string;
}

let server: BinaryServer;

const documents = async (): Promise<Listed[]> =>
  (await (await server.call("/api/document?limit=100")).json()) as Listed[];
const idOf = async (name: string): Promise<string> => {
  const found = (await documents()).find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no document ${name}`);
  return found.id;
};
/** A passage of the second page of the paper. */
const passageOf = async (id: string) => {
  const answer = await server.call(`/api/document/${id}/snippets?limit=100`);
  const snippets = (await answer.json()) as { page: number; start: number; end: number; content: string }[];
  const found = snippets.find(({ page, content }) => page === 2 && content.includes("diverse and disparate"));
  if (found === undefined) throw new Error("the paper has no such passage");
  return found;
};
const paper = "layout-parser-paper-fast.pdf";

/** Waits until it can be seen: it is brought there by scrolling, which takes a moment. */
const comesIntoView = (page: Page, element: Locator): Promise<void> =>
  until(async () => {
    const box = await element.boundingBox();
    return box !== null && box.y > 0 && box.y < (page.viewportSize()?.height ?? 0);
  }, `${element} is in view`);

/** How many pixels of the first drawn page are not white. */
const inkOf = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector("canvas[data-drawn]");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let ink = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] < 128) ink += 1;
    return ink;
  })()`);

await describeInBrowser("documents in the console", async (browser) => {
  server = await startBinary({}, { isFirstStart: true });
  return () => {
    test("from the printed link to the page that an answer comes from: three real files are dropped, read, asked about", async () => {
      const [link = ""] = /http:\S+#key=crl_\w+/.exec(server.printed()) ?? [];
      const context = await openVisitor(browser, [server.url], { viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      await page.goto(link);
      await page.locator(".first-steps").waitFor();
      await eventually(async () => expect(page.url()).toBe(`${server.url}/`));
      const names = [paper, "fake.docx", "umlauts-non-utf8.md"];
      await dropFiles(page, names.map(fixturePath));
      await page.getByText("3 documents are ready.").first().waitFor();
      await eventually(async () =>
        expect((await page.locator("tbody th").allTextContents()).sort()).toEqual([...names].sort()),
      );
      await thereAre(page.locator("tbody .state-word.good"), 3);

      await page.getByRole("link", { name: "Ask", exact: true }).click();
      await page.locator(".question-field").fill("What is LayoutParser?");
      await page.keyboard.press("Enter");
      await page.locator(".receipt").waitFor();
      await mentions(page.locator(".answer .text"), "LayoutParser");
      await mentions(page.locator(".source-name").first(), paper);
      await page.locator(".answer .mark").first().click();
      await page.waitForURL(new RegExp(`/documents/${await idOf(paper)}\\?page=`));
      await page.locator("canvas[data-drawn]").first().waitFor();
      expect(await inkOf(page)).toBeGreaterThan(1_000);
      // The sentence, on the drawn page and beside it in the text.
      for (const place of [".text-layer", ".prose"]) {
        const marks = page.locator(`${place} mark.passage`);
        await marks.first().waitFor();
        await eventually(async () => expect((await marks.allTextContents()).join("")).toContain("LayoutParser"));
        await comesIntoView(page, marks.first());
      }
    });

    test("the key is printed at the first start alone; who is signed in stays so through another", async () => {
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await server.bringDown("stop");
      await server.startAgain();
      expect(server.printed()).not.toContain("crl_");
      await page.goto(`${server.url}/documents`);
      await page.getByRole("link", { name: paper }).waitFor();
    });

    test("a document is asked about from its own page", async () => {
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await page.getByRole("link", { name: paper }).click();
      await page.getByRole("textbox", { name: "Ask this document" }).fill("What is LayoutParser?");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/ask\?/);
      await eventually(async () => expect(new URL(page.url()).searchParams.get("document")).toBe(await idOf(paper)));
      await eventually(async () => expect(new URL(page.url()).searchParams.get("q")).toBe("What is LayoutParser?"));
    });

    test("a passage is marked in the text and on the page of the PDF, both in view", async () => {
      const id = await idOf(paper);
      const { start, end, content } = await passageOf(id);
      const { page } = await openConsole(browser, server, {
        path: `/documents/${id}?page=2&start=${start}&end=${end}`,
        viewport: { width: 1440, height: 900 },
      });
      const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
      for (const place of [".prose", ".text-layer"]) {
        const marks = page.locator(`${place} mark.passage`);
        await marks.first().waitFor();
        // The page breaks a word at the end of a line: the same letters stand there. "2)" begins a list in Markdown.
        await eventually(async () => {
          const marked = letters((await marks.allTextContents()).join(""));
          expect(letters(content)).toEndWith(marked);
          expect(marked.length).toBeGreaterThan(letters(content).length - 3);
        });
        await comesIntoView(page, marks.first());
      }
    });

    test("the brackets lead through the pages, and the panes go together", async () => {
      const { page } = await openConsole(browser, server, {
        path: `/documents/${await idOf(paper)}`,
        viewport: { width: 1440, height: 900 },
      });
      await page.locator("canvas[data-drawn]").first().waitFor();
      await page.keyboard.press("]");
      await page.getByText("Page 2 of 2").waitFor();
      const tops = () =>
        page.evaluate(
          `[...document.querySelectorAll(".pane")].map((pane) => pane.querySelector("[data-page='2']").getBoundingClientRect().top - pane.getBoundingClientRect().top)`,
        ) as Promise<number[]>;
      await eventually(async () => expect(Math.max(...(await tops()).map(Math.abs))).toBeLessThan(400));
      await page.locator(".original-pane").hover();
      await page.mouse.wheel(0, -5_000);
      await page.getByText("Page 1 of 2").waitFor();
      await until(async () => (await page.evaluate(`document.querySelector(".left .pane").scrollTop < 300`)) === true);
    });

    test("snippets show how it was cut, and lead to their place", async () => {
      const { page } = await openConsole(browser, server, { path: `/documents/${await idOf(paper)}` });
      await page.getByRole("tab", { name: "Snippets" }).click();
      await eventually(async () => expect(await page.locator(".snippets-pane li").count()).toBeGreaterThan(5));
      await page.locator(".snippets-pane li a").last().click();
      await page.locator(".prose mark.passage").first().waitFor();
      await eventually(async () => expect(new URL(page.url()).searchParams.get("page")).toBe("2"));
    });

    test("a document is renamed, and deleted with ten seconds to take it back", async () => {
      const made = (await (
        await server.post("/api/ingest", { name: "Draft", text: "A short text." })
      ).json()) as Listed;
      const { page } = await openConsole(browser, server, { path: `/documents/${made.id}` });
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Final");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Final" }).waitFor();
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await holdMessage(page);
      await page.waitForURL(/\/documents$/);
      await page.locator("tbody tr").first().waitFor();
      await thereAre(page.getByRole("link", { name: "Final" }), 0);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("link", { name: "Final" }).waitFor();
      expect((await documents()).some(({ name }) => name === "Final")).toBe(true);
    });

    test("everything in the list by keyboard", async () => {
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await page.locator("tbody tr").first().waitFor();
      const names = await page.locator("tbody th").allTextContents();
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await page.keyboard.press("k");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByText("1 selected").waitFor();
      await shows(page.locator("tbody tr.selected th"), names[1] ?? "");
      await page.keyboard.press("x");
      // The keys go on after a click on a checkbox, which is no field to type in.
      await page.locator("tbody input[type=checkbox]").first().check();
      await page.locator("tbody input[type=checkbox]").first().uncheck();
      await page.keyboard.press("x");
      await page.getByText("1 selected").waitFor();
      await page.keyboard.press("x");
      await page.getByText("1 selected").waitFor({ state: "detached" });
      await page.keyboard.press("/");
      await page.keyboard.type("umlauts");
      await page.waitForURL(/search=umlauts/);
      await page.locator("tbody tr").nth(1).waitFor({ state: "detached" });
      // Not Escape first: it empties the field, and the list is whole again. The list may still be answering the search:
      // the key is for the link that is there at last.
      await eventually(async () => {
        await page.locator("tbody th a").press("Enter", { timeout: 5_000 });
        await page.getByRole("heading", { name: "umlauts-non-utf8.md" }).waitFor({ timeout: 5_000 });
      });
    });

    // Colors and widths do not depend on each other: two views show both of each.
    test.each([
      ["light", 1_440, 900],
      ["dark", 360, 740],
    ] as const)(
      "in %s colors, %d px wide, nothing keeps people out of list and document",
      async (colorScheme, width, height) => {
        const id = await idOf(paper);
        const { start, end } = await passageOf(id);
        const options = { viewport: { width, height }, colorScheme };
        const list = await openConsole(browser, server, { path: "/documents", ...options });
        await list.page.locator("tbody tr").first().waitFor();
        expect(await barriersOf(list.page)).toEqual([]);
        const wide = "document.documentElement.scrollWidth <= innerWidth";
        expect(await list.page.evaluate(wide)).toBe(true);
        await list.page.getByRole("button", { name: "Add documents" }).click();
        await list.page.getByRole("menuitem", { name: "A web page" }).click();
        await list.page.getByRole("dialog").waitFor();
        expect(await barriersOf(list.page)).toEqual([]);
        const path = `/documents/${id}?page=2&start=${start}&end=${end}`;
        const { page } = await openConsole(browser, server, { path, ...options });
        await page.locator(".prose mark.passage").first().waitFor();
        expect(await barriersOf(page)).toEqual([]);
        expect(await page.evaluate(wide)).toBe(true);
        if (width < 1_000) await page.getByRole("tab", { name: "Original" }).click();
        await page.locator(".text-layer mark.passage").first().waitFor();
        expect(await barriersOf(page)).toEqual([]);
      },
    );
  };
});
