import { expect, test } from "bun:test";
import { eventually } from "../until.ts";
import { barriersOf, overflowOf } from "./barriers.ts";
import { describeInBrowser } from "./describe-in-browser.ts";
import { openConsole } from "./open-console.ts";
import { showBackup } from "./show-backup.ts";
import { mentions, shows, thereAre } from "./shows.ts";
import { startPageServer } from "./start-page-server.ts";

const hostile = '<img src="http://evil.example/a.png" onerror="alert(1)">';

await describeInBrowser("audit log and health in the console", async (browser) => {
  const server = await startPageServer();
  const chat = (await server.ask("POST", "/api/chat", { json: { title: "Front desk" } })).body;
  await server.ask("PUT", `/api/chat/${chat.id}`, { json: { public: true } });
  const makeKey = async (at: number): Promise<string> =>
    (await server.ask("POST", "/api/key", { json: { name: `${hostile} ${at}` } })).body.id;
  await server.ask("DELETE", `/api/key/${await makeKey(0)}`);
  await Promise.all(Array.from({ length: 103 }, (_, at) => makeKey(at + 1)));
  await server.ask("POST", "/api/session", { json: { key: `crl_${"x".repeat(43)}` } });
  await makeKey(104);
  return () => {
    test("the audit log tells who did what; it is filtered, paged, and kept in the address", async () => {
      const { page } = await openConsole(browser, server, { path: "/settings?tab=audit" });
      const rows = page.locator(".audit tbody tr");
      await rows.first().waitFor();
      await thereAre(rows, 100);
      await page.getByRole("button", { name: /^Show more/ }).click();
      await rows.nth(105).waitFor();
      await mentions(rows.first(), "Signed in");
      await mentions(rows.nth(1), `name: ${hostile} 104`);
      expect(await page.locator("img").count()).toBe(0);

      await page.getByRole("combobox", { name: "Change" }).selectOption("Key revoked");
      await rows.nth(1).waitFor({ state: "detached" });
      await mentions(rows, `name: ${hostile} 0 · role: reader`);
      await page.reload();
      await rows.first().waitFor();
      await thereAre(rows, 1);
      await page.getByRole("combobox", { name: "Change" }).selectOption("Key refused");
      await shows(rows.locator("td.name p").last(), "from 127.0.0.1");
      await page.getByRole("combobox", { name: "Change" }).selectOption("Chat made public");
      await rows.filter({ hasText: "Chat made public" }).getByRole("link").waitFor();
      await page.getByRole("combobox", { name: "Change" }).selectOption("Backup made");
      await page.getByText("Nothing of this kind").waitFor();
      const asked = page.waitForRequest((request) => request.url().includes("since="));
      await page.getByRole("combobox", { name: "Period" }).selectOption("The last 7 days");
      const since = new URL((await asked).url()).searchParams.get("since") ?? "";
      expect(Math.round((Date.now() - Date.parse(since)) / 86_400_000)).toBe(7);
    });

    test("keys that are limited to a partition, and others than admins, do not see it", async () => {
      const { id: partitionId } = (await server.ask("POST", "/api/partition", { json: { name: "House" } })).body;
      const limited = await server.issueKey({ role: "admin", partitionId });
      const { page } = await openConsole(browser, server, { path: "/settings?tab=audit", key: limited });
      await page.getByRole("heading", { name: "Only admins of the whole organization" }).waitFor();
      expect(await page.getByRole("tab").count()).toBe(0);
    });

    test("an admin of another organization sees what is of its own, and why not the rest", async () => {
      const foreign = await server.issueKey({ role: "admin", organization: "Second team" });
      const { page } = await openConsole(browser, server, { path: "/settings", key: foreign });
      for (const tab of ["Server", "Settings"]) {
        await page.getByRole("tab", { name: tab, exact: true }).click();
        await page.getByRole("heading", { name: "This is for admins of the organization “default”" }).waitFor();
      }
      await page.getByRole("tab", { name: "Webhooks" }).click();
      await page.getByText("Nothing was sent in the last week.").waitFor();
      await page.getByRole("tab", { name: "Audit log" }).click();
      await page.locator(".audit tbody tr", { hasText: "Signed in" }).waitFor();
      expect(await page.locator("body").textContent()).not.toContain("carrel.yaml");
    });

    test.each([
      ["light", 1280],
      ["dark", 320],
    ] as const)("axe finds nothing serious, nothing is too wide: %s, %d px", async (colorScheme, width) => {
      const options = { colorScheme, viewport: { width, height: 720 }, reducedMotion: "reduce" } as const;
      const { page } = await openConsole(browser, server, { path: "/settings?tab=audit", ...options });
      await page.locator(".audit tbody tr").first().waitFor();
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    });

    test("health is told: ready, not ready with the reason, a model that fails", async () => {
      const { page } = await openConsole(browser, server, { path: "/settings" });
      const health = page.locator(".health");
      await health.getByText("Ready: it answers").waitFor();
      await mentions(health, "carrel doctor");
      await health.getByRole("button", { name: "Check everything" }).click();
      const backup = health.locator(".findings li", { hasText: "There is no backup." });
      await backup.getByText("What to do: Set backup.path").waitFor();
      expect(await backup.locator("code").textContent()).toBe("carrel backup TARGET");
      await health.getByText(/^\d+ things are fine$/).click();
      await health.getByText("The built-in parser reads files.").waitFor();
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.route("**/api/doctor", (route) =>
        route.fulfill({
          json: {
            checkedAt: new Date().toISOString(),
            findings: [{ check: "clock", status: "failed", detail: `The clock says ${hostile}.`, fix: "Set it." }],
          },
        }),
      );
      await health.getByRole("button", { name: "Check again" }).click();
      await health.getByText("1 thing does not work").waitFor();
      await health.getByText(`The clock says ${hostile}.`).waitFor();
      await page.unroute("**/api/doctor");
      await page.route("**/health/ready", (route) =>
        route.fulfill({
          status: 503,
          json: { status: "unready", problems: ["disk_full"], models: [{ use: "answer", state: "failing" }] },
        }),
      );
      await page.reload();
      await health.getByText("The disk is full.").waitFor();
      await health.getByText("Writes the answers: the last call failed").waitFor();
      expect(await barriersOf(page)).toEqual([]);
    });

    test("a backup that failed says why", async () => {
      const { page } = await openConsole(browser, server);
      const backup = {
        id: "1",
        createdAt: "2026-01-31T09:30:00.000Z",
        status: "failed",
        bytes: 0,
        newBytes: 0,
        documents: null,
        target: "/backups",
        error: "The folder /backups cannot be written to.",
      };
      await showBackup(page, backup);
      await page.locator("tr", { hasText: "failed" }).getByText(backup.error).waitFor();
      expect(await barriersOf(page)).toEqual([]);
    });

    test("the palette offers nothing that acts on a focused row; its keys and the list under ? stay", async () => {
      await server.ask("POST", "/api/ingest", { json: { name: "One", text: "A text." } });
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await page.locator("tbody tr").first().waitFor();
      await page.keyboard.press("Control+k");
      const options = page.getByRole("dialog").getByRole("option");
      await options.first().waitFor();
      const offered = (await options.allTextContents()).join("\n");
      expect(offered).toContain("Add documents");
      for (const title of ["Next document", "Previous document", "Select the document"])
        expect(offered).not.toContain(title);
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await mentions(page.getByRole("dialog"), "Next document");
      await page.keyboard.press("Escape");
      await page.keyboard.press("j");
      await eventually(async () => expect(await page.evaluate("document.activeElement.textContent")).toBe("One"));
    });
  };
});
