import { expect, test } from "bun:test";
import { freePort } from "../free-port.ts";
import { startTestServer } from "../start-server.ts";
import { barriersOf, overflowOf } from "../web/barriers.ts";
import { describeInBrowser } from "../web/describe-in-browser.ts";
import { openVisitor } from "../web/open-browser.ts";

/** The page on which a user lets a program in, in a browser. */

await describeInBrowser("letting a program in", async (browser) => {
  const port = await freePort();
  const server = await startTestServer({ server: { port, baseUrl: `http://127.0.0.1:${port}` }, mcp: { oauth: true } });
  await server.post("/api/partition", { name: "house" });
  return () => {
    test("signs in, says who asks and for what, and goes back with a code for what was chosen", async () => {
      const callback = `${server.url}/docs`;
      const name = `<b>Assistant</b> "x"`;
      const redirect = callback.replace("127.0.0.1", "localhost");
      const { client_id } = (
        await server.ask("POST", "/oauth/register", { json: { client_name: name, redirect_uris: [redirect] } })
      ).body;
      const query = new URLSearchParams({
        ...{ response_type: "code", client_id, redirect_uri: redirect, state: "s", scope: "read write" },
        ...{ code_challenge: "x".repeat(43), code_challenge_method: "S256" },
      });
      const context = await openVisitor(browser, [server.url, redirect], { viewport: { width: 375, height: 700 } });
      const page = await context.newPage();
      await page.goto(`${server.url}/oauth/authorize?${query}`);
      await page.getByLabel("API key").fill(server.key);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: `Let ${name} read your documents?` }).waitFor();
      expect(await page.locator("main").textContent()).toContain(new URL(redirect).host);
      expect([await barriersOf(page), await overflowOf(page)]).toEqual([[], 0]);
      await page.getByLabel("It may").selectOption("reader");
      await page.getByLabel("In", { exact: true }).selectOption({ label: "house" });
      await page.getByRole("button", { name: "Let it in" }).click();
      await page.waitForURL(`${redirect}?**`);
      const said = new URL(page.url()).searchParams;
      expect([said.get("state"), said.get("iss"), (said.get("code") ?? "").length]).toEqual(["s", server.url, 43]);
    });
  };
});
