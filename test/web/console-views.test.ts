import { expect, test } from "bun:test";
import { Secret } from "../../config/secret.ts";
import { serve } from "../serve.ts";
import { eventually, until } from "../until.ts";
import { barriersOf, overflowOf } from "./barriers.ts";
import { describeInBrowser } from "./describe-in-browser.ts";
import { openConsole } from "./open-console.ts";
import { showBackup } from "./show-backup.ts";
import { lists, mentions, thereAre } from "./shows.ts";
import { startPageServer } from "./start-page-server.ts";

let received = 0;

const hostile = '<img src="http://evil.example/a.png" onerror="alert(1)">';
const views = [
  "partitions",
  "keys",
  "settings",
  "settings?tab=settings",
  "settings?tab=webhooks",
  "settings?tab=audit",
];

await describeInBrowser("views of the console", async (browser) => {
  const receiver = serve(() => {
    received += 1;
    return new Response("no", { status: received === 1 ? 410 : 200 });
  });
  const server = await startPageServer(
    {
      webhooks: [{ url: `${receiver.url}/`, secret: new Secret("whsec_c2VjcmV0c2VjcmV0"), events: [] }],
    },
    { settingSources: new Map([["webhooks", "carrel.yaml:12"]]) },
  );
  const document = { name: hostile, text: "The library opens at nine.", partition: `${hostile} مستندات` };
  const partitionId = (await server.ask("POST", "/api/ingest", { json: document })).body.partitionId;
  await server.post("/api/key", { name: hostile, partitionId, expiresAt: "2099-01-31T00:00:00Z" });
  return () => {
    test.each([
      ["light", { width: 1280, height: 800 }],
      ["dark", { width: 320, height: 600 }],
    ] as const)("axe finds nothing serious, nothing is too wide: %s, %p", async (colorScheme, viewport) => {
      const { page } = await openConsole(browser, server, {
        colorScheme,
        viewport,
        // A dialog that is still coming up has not its contrast yet.
        reducedMotion: "reduce",
      });
      for (const view of views) {
        await page.goto(`${server.url}/${view}`);
        await page.locator("main table, main .parts").first().waitFor();
        expect({ view, found: await barriersOf(page) }).toEqual({ view, found: [] });
        expect({ view, isTooWide: (await overflowOf(page)) > 0 }).toEqual({ view, isTooWide: false });
      }
      for (const opened of ["Control+k", "?"]) {
        await page.keyboard.press(opened);
        await page.getByRole("dialog").waitFor();
        expect({ opened, found: await barriersOf(page) }).toEqual({ opened, found: [] });
        await page.keyboard.press("Escape");
      }
    });

    test("names of strangers are shown as they are: no script runs, no picture is loaded", async () => {
      const { page } = await openConsole(browser, server, { path: "/partitions" });
      await page.getByRole("link", { name: hostile }).waitFor();
      expect(await page.getByRole("link", { name: hostile }).getAttribute("href")).toBe(
        `/documents?partition=${partitionId}`,
      );
      await server.post("/api/ingest", { name: "Of no partition", text: "It is elsewhere." });
      await page.getByRole("link", { name: hostile }).click();
      await lists(page.locator("table.documents tbody th"), [hostile]);
      await page.goto(`${server.url}/keys`);
      await page.locator("td", { hasText: "onerror" }).first().waitFor();
      expect(await page.locator("img").count()).toBe(0);
    });

    test("settings tell value, source and meaning; models and parsers are tried", async () => {
      const { page } = await openConsole(browser, server, { path: "/settings" });
      await page.getByRole("button", { name: "Try it: Reads files" }).click();
      await page.getByText("A sample PDF was read.").waitFor();
      await page.getByRole("tab", { name: "Settings" }).click();
      const row = page.locator("tr", { has: page.getByText("webhooks", { exact: true }) });
      await row.waitFor();
      const text = await row.textContent();
      for (const part of ["carrel.yaml:12", "(hidden)", `${receiver.url}/…`]) expect(text).toContain(part);
      expect(await page.content()).not.toContain("whsec_");
      await page.getByRole("checkbox", { name: "Only what was set" }).check();
      await thereAre(page.locator("tbody tr"), 1);
      await page.reload();
      await page.getByRole("tab", { name: "Settings", selected: true }).waitFor();
    });

    test("webhooks are listed; a delivery that failed is shown with its reason, and sent again", async () => {
      const { page } = await openConsole(browser, server, { path: "/settings?tab=webhooks" });
      const listed = page.locator("li", { hasText: "every event" });
      await eventually(async () =>
        expect(await listed.textContent()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/…every event$/),
      );
      const before = received;
      await page.getByRole("button", { name: "Send again: document.processed" }).first().click();
      await page.locator(".toast", { hasText: "being sent again" }).waitFor();
      await until(() => received > before, "the delivery is sent again");
    });

    test("readers and writers see what their key may do", async () => {
      const reader = await server.issueKey({ role: "reader", name: "Reading" });
      const { page } = await openConsole(browser, server, { key: reader, path: "/keys" });
      await page.getByRole("heading", { name: "Only admins manage keys" }).waitFor();
      expect(await page.locator(".rights li").allTextContents()).toEqual([
        "Read documents, ask questions, send messages",
        "Not allowed: Add, change and delete documents, chats and partitions",
        "Not allowed: Issue and revoke keys, see settings and webhooks",
      ]);
      await page.goto(`${server.url}/settings`);
      await page.getByRole("heading", { name: "Only admins of the whole organization" }).waitFor();
      await page.goto(`${server.url}/partitions`);
      await page.locator("td").first().waitFor();
      expect(await page.getByRole("button", { name: "New partition" }).count()).toBe(0);
      await page.getByRole("button", { name: /^Actions for/ }).click();
      await lists(page.getByRole("menuitem"), ["Show its documents"]);
    });

    test("a partition with documents is deleted with them or without them", async () => {
      const documents: string[] = [];
      for (const partition of ["Kept", "Erased"])
        documents.push(
          (await server.ask("POST", "/api/ingest", { json: { name: partition, text: "A text.", partition } })).body.id,
        );
      const { page } = await openConsole(browser, server, { path: "/partitions" });
      for (const [name, choice] of [
        ["Kept", "Keep them"],
        ["Erased", "Delete them too"],
      ] as const) {
        await page.getByRole("button", { name: `Actions for ${name}` }).click();
        await page.getByRole("menuitem", { name: "Delete" }).click();
        await page.getByRole("radio", { name: choice }).check();
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
        await page.getByRole("link", { name, exact: true }).waitFor({ state: "detached" });
      }
      const statuses = await Promise.all(
        documents.map(async (id) => (await server.ask("GET", `/api/document/${id}`)).status),
      );
      expect(statuses).toEqual([200, 404]);
    });

    test("a new partition is told of as new once: after that there is one of that name", async () => {
      const { page } = await openConsole(browser, server, { path: "/partitions" });
      for (const told of ["Partition “Twice” created", "There is a partition “Twice” already"]) {
        await page.locator("td").first().waitFor();
        await page.getByRole("button", { name: "New partition" }).first().click();
        await page.getByRole("textbox", { name: "Name" }).fill("Twice");
        await page.keyboard.press("Enter");
        await page.locator(".toast", { hasText: told }).waitFor();
        await page.locator("td", { hasText: "Twice" }).first().waitFor();
      }
      await thereAre(page.locator("td.name", { hasText: "Twice" }), 1);
    });

    test("a name that is taken is told in the dialog, which stays", async () => {
      for (const name of ["One", "Two"]) await server.post("/api/partition", { name });
      const { page } = await openConsole(browser, server, { path: "/partitions" });
      await page.getByRole("button", { name: "Actions for Two" }).click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await page.keyboard.type("One");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByRole("alert").waitFor();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Three");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "Three" }).waitFor();
    });

    test("backups are listed where the server makes them", async () => {
      const { page } = await openConsole(browser, server);
      const backup = { id: "1", createdAt: "2026-01-31T09:30:00.000Z", status: "completed", bytes: 5_400_000 };
      await showBackup(page, { ...backup, newBytes: 100, documents: 12, target: "/backups", error: null });
      await page.getByRole("heading", { name: "Backups" }).waitFor();
      await mentions(page.locator("tr", { hasText: "completed" }), "5.4 MB");
    });

    test("first steps: the guides are loaded and can be asked, each step is ticked", async () => {
      const own = await startPageServer();
      const { page } = await openConsole(browser, own, { permissions: ["clipboard-write"] });
      await page.keyboard.press("Control+k");
      await page.keyboard.type("first steps");
      await page.keyboard.press("Enter");
      // The empty list behind the dialog shows them too.
      const steps = page.locator("dialog");
      await steps.locator(".first-steps").waitFor();
      expect(await barriersOf(page)).toEqual([]);
      expect(await steps.locator(".first-steps .done").count()).toBe(0);
      await steps.getByRole("button", { name: "Load the guides" }).click();
      await steps.getByText("guides are being read").waitFor();
      await steps.locator(".first-steps > li.done").first().waitFor();
      // Once more changes nothing.
      const before = (await own.ask("GET", "/api/document")).headers.get("x-total-count");
      await steps.getByRole("button", { name: "Load the guides" }).click();
      // The button says something else until it is done.
      await steps.getByRole("button", { name: "Load the guides" }).waitFor();
      expect((await own.ask("GET", "/api/document")).headers.get("x-total-count")).toBe(before);
      await steps.getByRole("tab", { name: "Python" }).click();
      await mentions(steps.locator(".first-steps > li:nth-child(3) pre"), `"${own.url}/api/query"`);
      await steps.locator(".first-steps > li:nth-child(3)").getByRole("button", { name: "Copy" }).click();
      // The clipboard answers the page in its own time.
      await steps.locator(".first-steps > li:nth-child(3).done").waitFor();
      await until(async () => {
        const read = await own.ask("GET", "/api/document?status=processed&limit=1");
        return read.headers.get("x-total-count") === before;
      }, "all guides are read");
      const { body } = await own.ask("POST", "/api/query", { json: { query: "Which program reads pictures?" } });
      expect(body.answer).toContain("tesseract");
    });
  };
});
