import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { startTestServer, type TestServer } from "../start-server.ts";
import { barriersOf } from "./barriers.ts";
import { chromiumPath, whyNoBrowser } from "./chromium.ts";
import { openBrowser, openVisitor } from "./open-browser.ts";

setDefaultTimeout(120_000);

let server: TestServer;
let browser: Browser;
let site: Bun.Server<undefined>;
let chatId = "";

describe.skipIf(chromiumPath === null)(
  `a public chat${chromiumPath === null ? `: skipped, ${whyNoBrowser}` : ""}`,
  () => {
    beforeAll(async () => {
      server = await startTestServer({ publicChats: { allowedOrigins: ["*"] } });
      await server.post("/api/ingest", {
        name: "Opening hours",
        text: "In winter the library opens at nine. <img src=http://evil.example/a.png onerror=alert(1)> is no picture.",
      });
      const settings = { title: "Library", public: true, brandSettings: { color: "#ffee00", placeholder: "Ask us" } };
      chatId = ((await (await server.post("/api/chat", settings)).json()) as { id: string }).id;
      site = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: () =>
          new Response(
            `<!doctype html><title>Shop</title><style>div, iframe, button { color: red !important; display: none; opacity: 0 }</style><p id="own">Shop</p>
<script src="${server.url}/embed.js" data-chat="${chatId}" data-label="Ask" async></script>`,
            { headers: { "content-type": "text/html" } },
          ),
      });
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await site?.stop(true);
      await server?.stop();
    });

    const open = async (colorScheme: "light" | "dark" = "light") => {
      const visitor = await openVisitor(browser, { viewport: { width: 360, height: 740 }, colorScheme });
      const page = await visitor.context.newPage();
      await page.goto(`${server.url}/chat/${chatId}`);
      await page.waitForSelector("#message");
      return { ...visitor, page };
    };
    const ask = async (page: Page, question: string): Promise<void> => {
      await page.fill("#message", question);
      await page.keyboard.press("Enter");
      await page.locator(".answer").last().locator(".actions").waitFor();
    };

    test("answers by keyboard alone, and a mark leads to its source", async () => {
      const { page, faults, context } = await open();
      await page.keyboard.press("Tab");
      await ask(page, "When does the library open in winter?");
      expect(await page.locator(".answer .text").textContent()).toContain("opens at nine");
      await page.locator(".mark").first().focus();
      await page.keyboard.press("Enter");
      expect(await page.locator(".sources .shown").textContent()).toContain("opens at nine");
      expect(faults.errors).toEqual([]);
      expect([...faults.hosts]).toEqual([new URL(server.url).host]);
      await context.close();
    });

    test("markup in a document runs no script and loads no picture", async () => {
      const { page, faults, context } = await open();
      await ask(page, "What is no picture?");
      await page.locator(".sources summary").click();
      expect(await page.locator("main img").count()).toBe(0);
      expect([...faults.hosts]).toEqual([new URL(server.url).host]);
      await context.close();
    });

    test("a visitor finds the conversation again after a reload, and can begin a new one", async () => {
      const { page, context } = await open();
      await ask(page, "When does the library open in winter?");
      await page.reload();
      await page.locator(".question").first().waitFor();
      expect(await page.locator(".question .text").textContent()).toBe("When does the library open in winter?");
      await page.getByRole("button", { name: "New conversation" }).click();
      expect(await page.locator(".turn").count()).toBe(0);
      await context.close();
    });

    test.each(["light", "dark"] as const)("nothing keeps people out in %s colors", async (colorScheme) => {
      const { page, context } = await open(colorScheme);
      await ask(page, "When does the library open in winter?");
      await page.locator(".sources summary").click();
      expect(await barriersOf(page)).toEqual([]);
      await context.close();
    });

    test("the widget opens on another site by keyboard, and two visitors do not see each other", async () => {
      const visit = async (question: string) => {
        const visitor = await openVisitor(browser, { viewport: { width: 1000, height: 800 } });
        const page = await visitor.context.newPage();
        await page.goto(site.url.href);
        // The widget's tree is closed to the site; the first stop of the keyboard is its button.
        await page.waitForFunction("document.body.lastElementChild?.tagName === 'DIV'");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        const frame = await frameOf(page);
        await frame.fill("#message", question);
        await frame.press("#message", "Enter");
        await frame.locator(".answer .actions").waitFor();
        return { ...visitor, page, frame };
      };
      const frameOf = async (page: Page) => {
        for (;;) {
          const frame = page.frames().find((one) => one.url().includes("/chat/"));
          if (frame !== undefined) {
            await frame.waitForSelector("#message");
            return frame;
          }
          await Bun.sleep(50);
        }
      };
      const first = await visit("When does the library open in winter?");
      const second = await visit("What is no picture?");
      expect(await second.frame.locator(".question").allTextContents()).toEqual([
        expect.stringContaining("no picture"),
      ]);
      await first.page.reload();
      await first.context.close();
      await second.frame.press("#message", "Escape");
      expect(second.faults.errors).toEqual([]);
      await second.context.close();
    });
  },
);
