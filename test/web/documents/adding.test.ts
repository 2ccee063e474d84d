import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { article, servePages, sitemap } from "../../sites/serve-pages.ts";
import type { TestServer } from "../../start-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { eventually } from "../../until.ts";
import { barriersOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { openConsole } from "../open-console.ts";
import { startPageServer } from "../start-page-server.ts";

let server: TestServer;

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
const documents = async (): Promise<any[]> => (await server.ask("GET", "/api/document?limit=100")).body;

/** Drops what lies at a path, as the browser itself gives it to the page: a folder with all that is in it. */
const dropPath = async (page: Page, path: string): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 400, y: 400, data });
  await page.getByText("Drop files or folders to add them").waitFor();
  await session.send("Input.dispatchDragEvent", { type: "drop", x: 400, y: 400, data });
};

const openAdding = async (page: Page, item: string): Promise<void> => {
  await page.getByRole("button", { name: "Add documents" }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
  await page.getByRole("dialog").waitFor();
};

await describeInBrowser("adding documents in the console", async (browser) => {
  server = await startPageServer({ fetch: { allowPrivateAddresses: true }, scan: { pauseMs: 1 } });
  const folder = await temporaryFolder("drop");
  return () => {
    test("a folder is dropped: the files of all its folders are added, hidden ones are not", async () => {
      const dropped = join(folder, "handbook");
      await mkdir(join(dropped, "winter", "deep"), { recursive: true });
      await mkdir(join(dropped, ".git"));
      const files = ["opening.md", "winter/heating.md", "winter/deep/snow.md", ".git/config", ".hidden.md"];
      for (const file of files) await Bun.write(join(dropped, file), `# ${file}\n\nA page of the handbook.\n`);
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await dropPath(page, dropped);
      await page.getByText("3 documents are ready.").first().waitFor();
      expect((await documents()).map(({ metadata }) => metadata.path).sort()).toEqual([
        "handbook/opening.md",
        "handbook/winter/deep/snow.md",
        "handbook/winter/heating.md",
      ]);
    });

    test("text is added with its name, into a new partition", async () => {
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await openAdding(page, "Text");
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole("textbox", { name: "Name" }).fill("Opening hours");
      await page.getByRole("textbox", { name: "Text" }).fill("The library opens at nine.");
      await page.getByRole("combobox", { name: "Partition" }).selectOption({ label: "A new partition …" });
      await page.getByRole("textbox", { name: "Name of the new partition" }).fill("House");
      await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByText("1 document is ready.").first().waitFor();
      const made = (await documents()).find(({ name }) => name === "Opening hours");
      const answer = await server.ask("POST", "/api/query", {
        json: { query: "When does the library open?", partitionId: made?.partitionId },
      });
      expect(answer.body.answer).toContain("nine");
    });

    test("a site is read by its sitemap; what was left out and a site without one are told", async () => {
      const site = servePages({
        "/winter": article("Winter", "In winter the library opens at nine in the morning."),
        "/summer": article("Summer", "In summer the library opens at eight in the morning."),
      });
      site.pages.set("/robots.txt", {
        body: `User-agent: *\nDisallow: /private/\nSitemap: ${site.url}/map.xml\n`,
        type: "text/plain",
      });
      const pages = ["/winter", "/summer", "/private/plans"].map((path) => site.url + path);
      site.pages.set("/map.xml", { body: sitemap(pages), type: "application/xml" });
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await openAdding(page, "A site");
      expect(await barriersOf(page)).toEqual([]);
      const field = page.getByRole("textbox", { name: "Site" });
      await field.fill(`${site.url}/no-map.xml`);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByRole("alert").waitFor();
      await field.fill(site.url);
      await page.keyboard.press("Enter");
      await page.getByText("2 pages found; they are being read.").waitFor();
      await eventually(async () =>
        expect(await page.getByRole("dialog").locator("li").allTextContents()).toHaveLength(1),
      );
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByText("2 documents are ready.").first().waitFor();
      expect((await documents()).map(({ name }) => name)).toEqual(expect.arrayContaining(["Winter", "Summer"]));
    });
  };
});
