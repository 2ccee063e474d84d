import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../until.ts";
import { describeInBrowser } from "./describe-in-browser.ts";
import { startBinary } from "./journeys/start-binary.ts";
import { goByKeys, openConsole, press } from "./open-console.ts";
import { mentions, thereAre } from "./shows.ts";

const focused = (page: Page): Promise<string> => page.evaluate("document.activeElement?.textContent ?? ''");

await describeInBrowser("the console by keyboard", async (browser) => {
  const server = await startBinary();
  return () => {
    test("keys go to views: the heading gets the focus, the tab its title", async () => {
      const { page } = await openConsole(browser, server);
      for (const [key, title] of [
        ["p", "Partitions"],
        ["k", "Keys"],
        ["s", "Settings"],
      ] as const) {
        await goByKeys(page, key);
        await page.getByRole("heading", { name: title, level: 1 }).waitFor();
        await eventually(async () => expect(await page.title()).toBe(`${title} · Carrel`));
        await eventually(async () => expect(await focused(page)).toBe(title));
      }
      await press(page, "?");
      await mentions(page.getByRole("dialog"), "Go to Partitions");
      await press(page, "Escape");
      await thereAre(page.getByRole("dialog"), 0);
    });

    test("a partition and a key are created, the key is used, and both are removed", async () => {
      const { page } = await openConsole(browser, server);
      await press(page, "Control+k");
      await page.keyboard.type("partit");
      await press(page, "Enter");
      await page.getByRole("heading", { name: "Partitions", level: 1 }).waitFor();
      await press(page, "n");
      await page.keyboard.type("Handbook");
      await press(page, "Enter");
      await page.getByRole("link", { name: "Handbook" }).waitFor();
      // Under a dialog no key goes to a view.
      await page.getByRole("dialog").waitFor({ state: "detached" });

      await goByKeys(page, "k");
      await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
      await press(page, "n");
      await page.locator("option", { hasText: "Handbook" }).waitFor({ state: "attached" });
      await page.keyboard.type("Importer");
      await press(page, "Tab", "w", "Tab", "H", "Tab", "ArrowDown", "Tab", "Tab", "Enter");
      const box = page.getByRole("dialog", { name: "Copy this key now" });
      await box.waitFor();
      const key = (await box.locator(".issued-key").textContent())?.trim() ?? "";
      // It is shown once: Escape does not close it, however often it is pressed.
      await press(page, "Escape", "Escape", "Escape");
      expect(await box.isVisible()).toBe(true);
      await mentions(box.locator("pre"), `Authorization: Bearer ${key}`);
      const used = (await server.ask("GET", "/api/session", { key })).body;
      expect(used).toMatchObject({ name: "Importer", role: "writer" });
      expect(Date.parse(used.expiresAt)).toBeGreaterThan(Date.now());
      const partitions = (await server.ask("GET", "/api/partition")).body;
      expect(used.partitionId).toBe(partitions[0].id);
      await press(page, "Tab", "Tab", "Tab", "Enter");
      await box.waitFor({ state: "detached" });
      expect(await page.content()).not.toContain(key);

      await page.getByRole("button", { name: "Revoke “Importer”" }).focus();
      await press(page, "Enter");
      await page.getByRole("dialog").waitFor();
      // Cancel has the focus: a second Enter harms nothing.
      await eventually(async () => expect(await focused(page)).toBe("Cancel"));
      await press(page, "Tab", "Enter");
      await page.locator("tr", { hasText: "Importer" }).waitFor({ state: "detached" });
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect((await server.ask("GET", "/api/session", { key })).status).toBe(401);

      await goByKeys(page, "p");
      await page.getByRole("button", { name: "Actions for Handbook" }).focus();
      await press(page, "Enter", "ArrowUp", "Enter");
      await page.getByRole("dialog", { name: "Delete “Handbook”" }).waitFor();
      await press(page, "Tab", "Enter");
      await page.getByRole("heading", { name: "No partitions yet" }).waitFor();
    });

    test("the palette finds documents and chats by name", async () => {
      await server.post("/api/ingest", { name: "Annual report 2025", text: "A report of the year." });
      await server.post("/api/chat", { name: "Report questions" });
      const { page } = await openConsole(browser, server);
      await press(page, "Control+k");
      await page.keyboard.type("report");
      await page.getByRole("option", { name: "Annual report 2025" }).waitFor();
      await page.getByRole("option", { name: "Report questions" }).waitFor();
      await press(page, "Enter");
      await page.waitForURL(/\/documents\/[0-9a-f-]{36}$/);
    });

    test("typing into a field runs no shortcut", async () => {
      const { page } = await openConsole(browser, server, { path: "/partitions" });
      await page.getByRole("heading", { name: "Partitions", level: 1 }).waitFor();
      await press(page, "/");
      await page.keyboard.type("gkn?");
      await eventually(async () => expect(await page.inputValue("input[type=search]")).toBe("gkn?"));
      await eventually(async () => expect(page.url()).toBe(`${server.url}/partitions`));
      await thereAre(page.getByRole("dialog"), 0);
    });

    test("a restart of the server is told and recovered from", async () => {
      const { page } = await openConsole(browser, server, { path: "/partitions" });
      await page.getByRole("heading", { name: "No partitions yet" }).waitFor();
      // Made where the page did not hear of it: it shows only what it loads after the restart.
      await server.post("/api/partition", { name: "Made meanwhile" });
      await server.bringDown("stop");
      await page.locator(".rail-server.lost", { hasText: "Cannot be reached" }).waitFor();
      await server.startAgain();
      await page.locator(".toast", { hasText: "The server is back" }).waitFor();
      await page.getByRole("link", { name: "Made meanwhile" }).waitFor();
      await page.locator(".rail-server.ready").waitFor();
    });
  };
});
