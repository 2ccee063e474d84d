import { expect, test } from "bun:test";
import { eventually, until } from "../../until.ts";
import { barriersOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { type BinaryServer, startBinary } from "../journeys/start-binary.ts";
import { holdMessage, openConsole } from "../open-console.ts";
import { thereAre } from "../shows.ts";

let server: BinaryServer;

/** More than a page of the list; the higher the number, the longer the text. */
const leaves = 130;
const pageRows = 100;

const total = async (query: string): Promise<number> => {
  const answer = await server.call(`/api/document?limit=1&${query}`);
  await answer.arrayBuffer();
  return Number(answer.headers.get("x-total-count"));
};

await describeInBrowser("orders of the list, and what is chosen over its pages", async (browser) => {
  server = await startBinary();
  const lines = Array.from({ length: leaves }, (_, at) =>
    JSON.stringify({ name: `leaf ${(at * 7) % leaves}`, text: `A leaf${" falls".repeat(1 + ((at * 7) % leaves))}.` }),
  );
  const body = [...lines, JSON.stringify({ name: "Root", text: "A root." })].join("\n");
  const headers = { "content-type": "application/x-ndjson" };
  await (await server.call("/api/ingest/batch", { method: "POST", headers, body })).text();
  await until(async () => (await total("status=processed")) === leaves + 1);
  return () => {
    test("the list is ordered by name and size over its pages, and keeps that through a reload", async () => {
      const { page } = await openConsole(browser, server, { path: "/documents?search=leaf" });
      const first = () => page.locator("tbody th").first().textContent();
      await page.getByRole("button", { name: "Name: order by name, A to Z" }).click();
      await page.waitForURL(/order=a-z/);
      await eventually(async () => expect(await first()).toBe("leaf 0"));
      expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("ascending");
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await eventually(async () => expect(await first()).toBe(`leaf ${pageRows}`));
      await page.getByRole("button", { name: "Name, name, A to Z: order by name, Z to A" }).click();
      await eventually(async () => expect(await first()).toBe(`leaf ${leaves - 1}`));
      await page.reload();
      await eventually(async () => expect(await first()).toBe(`leaf ${leaves - 1}`));
      await page.getByRole("button", { name: "Size: order by longest text first" }).click();
      await page.getByRole("button", { name: "Size, longest text first: order by shortest text first" }).click();
      await eventually(async () => expect(await first()).toBe("leaf 0"));
      // Phones show no heads of columns.
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole("combobox", { name: "Order" }).selectOption({ label: "oldest first" });
      await page.waitForURL(/order=oldest/);
    });

    test("all that match are chosen over the pages, and deleted after a question: not while it can be undone", async () => {
      const { page } = await openConsole(browser, server, { path: "/documents?search=leaf" });
      const rows = page.locator("tbody tr");
      await thereAre(rows, pageRows);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByText(`${pageRows} selected`).waitFor();
      await page.getByRole("button", { name: `Select all ${leaves} that match` }).click();
      await page.getByText(`${leaves} selected`).waitFor();
      // They stay selected on the other page.
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await thereAre(page.locator("tbody tr.selected"), leaves - pageRows);
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole("link", { name: "Previous", exact: true }).click();
      await thereAre(page.locator("tbody tr.selected"), pageRows);
      await page.getByRole("button", { name: "Delete" }).click();
      const question = page.getByRole("dialog", { name: `Delete ${leaves} documents` });
      await question.waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await question.getByRole("button", { name: "Delete" }).click();
      await page.getByText(`${leaves} documents deleted.`).waitFor();
      await page.getByText("Every document of this page is being deleted").waitFor();
      await holdMessage(page);
      expect(await total("searchValue=leaf")).toBe(leaves);
      await page.getByRole("button", { name: "Undo" }).click();
      await thereAre(rows, pageRows);
    });

    test("documents are moved to a partition, and put back where each was", async () => {
      const { body: archive } = await server.ask("POST", "/api/partition", { json: { name: "Archive" } });
      const { body: desk } = await server.ask("POST", "/api/partition", { json: { name: "Desk" } });
      for (const partitionId of [desk.id, null])
        await server.post("/api/ingest", { name: `Branch of ${partitionId}`, text: `${partitionId}`, partitionId });
      const { page } = await openConsole(browser, server, { path: "/documents?search=branch" });
      await thereAre(page.locator("tbody tr"), 2);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByRole("button", { name: "Move to …" }).click();
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await page.getByText("2 documents moved.").waitFor();
      await holdMessage(page);
      expect(await total(`partitionId=${archive.id}`)).toBe(2);
      await page.getByRole("button", { name: "Undo" }).click();
      await until(async () => (await total(`partitionId=${archive.id}`)) === 0);
      await until(async () => (await total(`partitionId=${desk.id}`)) === 1);
    });

    test("a deletion of many is stopped on its way: what is left is shown again, and nothing else is deleted", async () => {
      const { page } = await openConsole(browser, server, { path: "/documents?search=leaf" });
      const deletions: (() => Promise<void>)[] = [];
      await page.route("**/api/document/*", async (route) => {
        if (route.request().method() !== "DELETE") return await route.continue();
        deletions.push(() => route.continue());
      });
      const rows = page.locator("tbody tr");
      await thereAre(rows, pageRows);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.locator(".toast", { hasText: "deleted." }).getByRole("button", { name: "Close" }).click();
      const work = page.locator(".toast.work", { hasText: `0 of ${pageRows}` });
      await work.waitFor();
      expect(await work.getByRole("progressbar", { name: "Deleting documents" }).getAttribute("max")).toBe(
        `${pageRows}`,
      );
      await until(() => deletions.length === 4, "as many are under way as may be at once");
      await work.getByRole("button", { name: "Stop" }).click();
      for (const go of deletions) await go();
      await page.getByText(`Stopped: 4 of ${pageRows} were done, the others are as they were.`).waitFor();
      expect(await total("searchValue=leaf")).toBe(leaves - 4);
      await thereAre(rows, pageRows);
      expect(await total("searchValue=Root")).toBe(1);
    });
  };
});
