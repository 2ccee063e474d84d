import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { atEnd } from "../at-end.ts";
import { openWidget } from "./answers/open-widget.ts";
import { barriersOf } from "./barriers.ts";
import { describeInBrowser } from "./describe-in-browser.ts";
import { startBinary } from "./journeys/start-binary.ts";
import { openVisitor } from "./open-browser.ts";
import { openConsole } from "./open-console.ts";
import { mentions, shows, thereAre } from "./shows.ts";

/** As the console offers it. */
let embedCode = "";

await describeInBrowser("a public chat", async (browser) => {
  // To browsers another site, not only another origin: cookies of the frame are those of a third party.
  const site = Bun.serve({
    port: 0,
    hostname: "localhost",
    fetch: () =>
      new Response(
        `<!doctype html><title>Shop</title><style>div, iframe, button { color: red !important; display: none; opacity: 0 }</style><p id="own">Shop</p>
${embedCode}`,
        { headers: { "content-type": "text/html" } },
      ),
  });
  atEnd(() => site.stop(true));
  const server = await startBinary({ CARREL_PUBLIC_CHATS_ALLOWED_ORIGINS: site.url.origin });
  await server.post("/api/ingest", {
    name: "Opening hours",
    text: "In winter the library opens at nine. <img src=http://evil.example/a.png onerror=alert(1)> is no picture.",
  });
  const settings = { title: "Library", brandSettings: { color: "#ffee00", placeholder: "Ask us" } };
  const chatId = ((await (await server.post("/api/chat", settings)).json()) as { id: string }).id;
  return () => {
    test("is made public in the console, which gives the code for other sites", async () => {
      expect((await fetch(`${server.url}/chat/${chatId}`)).status).toBe(404);
      const visit = await openConsole(browser, server, { path: `/chats/${chatId}` });
      await visit.page.getByRole("button", { name: "Settings", exact: true }).click();
      await visit.page.getByRole("button", { name: "Make public" }).click();
      const asked = visit.page.getByRole("dialog", { name: "Make this chat public?" });
      await asked.getByText("can then read from 1 document, without a key").waitFor();
      expect(await barriersOf(visit.page)).toEqual([]);
      await asked.getByRole("button", { name: "Cancel" }).click();
      await asked.waitFor({ state: "detached" });
      expect((await fetch(`${server.url}/chat/${chatId}`)).status).toBe(404);
      await visit.page.getByRole("button", { name: "Make public" }).click();
      await asked.getByRole("button", { name: "Make public" }).click();
      await visit.page.getByRole("button", { name: "Make private" }).waitFor();
      embedCode = (await visit.page.locator(".code-box pre").textContent()) ?? "";
      expect(embedCode).toStartWith(`<script src="${server.url}/embed.js" data-chat="${chatId}"`);
      expect((await fetch(`${server.url}/chat/${chatId}`)).status).toBe(200);
    });

    const open = async (colorScheme: "light" | "dark" = "light") => {
      const context = await openVisitor(browser, [server.url], { viewport: { width: 360, height: 740 }, colorScheme });
      const page = await context.newPage();
      await page.goto(`${server.url}/chat/${chatId}`);
      await page.waitForSelector("#message");
      return { page };
    };
    const ask = async (page: Page, question: string): Promise<void> => {
      await page.fill("#message", question);
      await page.keyboard.press("Enter");
      await page.locator(".answer").last().locator(".actions").waitFor();
    };

    test("answers by keyboard alone, and a mark leads to its source", async () => {
      const { page } = await open();
      await page.keyboard.press("Tab");
      await ask(page, "When does the library open in winter?");
      await mentions(page.locator(".answer .text"), "opens at nine");
      await page.locator(".mark").first().focus();
      await page.keyboard.press("Enter");
      await mentions(page.locator(".sources .shown"), "opens at nine");
    });

    test("markup in a document runs no script and loads no picture", async () => {
      const { page } = await open();
      await ask(page, "What is no picture?");
      await page.locator(".sources summary").click();
      expect(await page.locator("main img").count()).toBe(0);
    });

    test("a visitor finds the conversation again after a reload, and can begin a new one", async () => {
      const { page } = await open();
      await ask(page, "When does the library open in winter?");
      await page.reload();
      await page.locator(".question").first().waitFor();
      await shows(page.locator(".question .text"), "When does the library open in winter?");
      await page.getByRole("button", { name: "New conversation" }).click();
      await thereAre(page.locator(".turn"), 0);
    });

    test.each(["light", "dark"] as const)("nothing keeps people out in %s colors", async (colorScheme) => {
      const { page } = await open(colorScheme);
      await ask(page, "When does the library open in winter?");
      await page.locator(".sources summary").click();
      expect(await barriersOf(page)).toEqual([]);
    });

    test("the widget opens on another site by keyboard, and two visitors do not see each other", async () => {
      const visit = async (question: string) => {
        const addresses = [server.url, site.url.href];
        const context = await openVisitor(browser, addresses, { viewport: { width: 1000, height: 800 } });
        const page = await context.newPage();
        await page.goto(site.url.href);
        const frame = await openWidget(page);
        await frame.fill("#message", question);
        await frame.press("#message", "Enter");
        await frame.locator(".answer .actions").waitFor();
        return { context, page, frame };
      };
      const first = await visit("When does the library open in winter?");
      const second = await visit("What is no picture?");
      expect(await second.frame.locator(".question").allTextContents()).toEqual([
        expect.stringContaining("no picture"),
      ]);
      // The browser keeps nothing for a frame of another site: after a reload the widget begins anew, and still works.
      await first.page.reload();
      const again = await openWidget(first.page);
      expect(await again.locator(".question").count()).toBe(0);
      await again.fill("#message", "What is no picture?");
      await again.press("#message", "Enter");
      await again.locator(".answer .actions").waitFor();
      await thereAre(again.locator(".question"), 1);
      await second.frame.press("#message", "Escape");
      for (const { context } of [first, second]) expect(await context.cookies()).toEqual([]);
    });
  };
});
