import { expect, test } from "bun:test";
import { eventually, until } from "../until.ts";
import { barriersOf } from "./barriers.ts";
import { describeInBrowser } from "./describe-in-browser.ts";
import { type BinaryServer, startBinary } from "./journeys/start-binary.ts";
import { openConsole } from "./open-console.ts";
import { mentions, thereAre } from "./shows.ts";

let server: BinaryServer;

/** A key that has expired. It must not have when it is made, which a slow machine takes its time for. */
const expiredKey = async (): Promise<string> => {
  for (let lifeMs = 1_500; ; lifeMs *= 2) {
    const expiresAt = new Date(Date.now() + lifeMs);
    const { status, body } = await server.ask("POST", "/api/key", { json: { name: "Short", expiresAt } });
    if (status !== 200) continue;
    await until(() => Date.now() > expiresAt.getTime());
    return body.key;
  }
};

await describeInBrowser("signing in to the console", async (browser) => {
  server = await startBinary();
  return () => {
    test("the link of the first start signs in, and its key stays nowhere", async () => {
      const { page } = await openConsole(browser, server);
      await eventually(async () => expect(page.url()).toBe(`${server.url}/`));
      await mentions(page.locator(".rail-key"), "Admin");
      // Neither a step back nor what the page stores brings the key up again.
      await page.getByRole("link", { name: "Keys" }).click();
      await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
      await page.goBack();
      await eventually(async () => expect(page.url()).toBe(`${server.url}/`));
      const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
      expect(kept).not.toContain("crl_");
      await page.reload();
      await page.locator(".rail").waitFor();
    });

    test("a link with another key, pasted into an open console, changes who is signed in", async () => {
      const { page } = await openConsole(browser, server);
      const reader = await server.issueKey({ role: "reader", name: "For reading" });
      await page.evaluate(`location.hash = "key=${reader}"`);
      await page.locator(".rail-key", { hasText: "For reading" }).waitFor();
      await eventually(async () => expect(page.url()).toBe(`${server.url}/`));
    });

    test("a key is typed in; a wrong one is told, an expired one too, and the view that was asked for follows", async () => {
      const { page } = await openConsole(browser, server, { key: null, path: "/partitions" });
      // The field has the focus: nothing but the keyboard is needed.
      await page.keyboard.type("crl_wrong");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: "unknown or was revoked" }).waitFor();
      await page.keyboard.type(await expiredKey());
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: "has expired" }).waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.keyboard.type(`  ${server.key} `);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Partitions", level: 1 }).waitFor();
      await eventually(async () => expect(page.url()).toBe(`${server.url}/partitions`));
    });

    test("a key that is revoked is thrown out with a reason; another one goes on at the same view", async () => {
      const made = (await server.ask("POST", "/api/key", { json: { name: "Soon gone", role: "writer" } })).body;
      const { page } = await openConsole(browser, server, { key: made.key, path: "/partitions" });
      await page.getByRole("heading", { name: "Partitions", level: 1 }).waitFor();
      await server.ask("DELETE", `/api/key/${made.id}`);
      // By itself, within the time in which the rail asks how the server is.
      await page.getByRole("status").filter({ hasText: "You were signed out" }).waitFor();
      await thereAre(page.locator(".rail"), 0);
      await page.fill("input[name=key]", server.key);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Partitions", level: 1 }).waitFor();
    });

    test("signing out ends the session", async () => {
      const { page } = await openConsole(browser, server);
      await page.locator(".rail-foot button").click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.locator("input[name=key]").waitFor();
      await page.reload();
      await page.locator("input[name=key]").waitFor();
      expect(await page.getByText("You were signed out").count()).toBe(0);
    });

    test("after ten wrong keys the page says to wait", async () => {
      const own = await startBinary();
      const { page, context } = await openConsole(browser, own, { key: null });
      for (let at = 0; at < 10; at += 1)
        await own.ask("POST", "/api/session", { key: null, json: { key: `crl_wrong${at}` } });
      await page.fill("input[name=key]", own.key);
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: "Wait a minute" }).waitFor();
      await context.close();
    });
  };
});
