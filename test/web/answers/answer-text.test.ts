import { expect, test } from "bun:test";
import type { BrowserContextOptions } from "playwright-core";
import { eventually } from "../../until.ts";
import { barriersOf, overflowOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { openVisitor } from "../open-browser.ts";
import { lists, shows, thereAre } from "../shows.ts";
import { startPageServer } from "../start-page-server.ts";
import { type FakeModelServer, startFakeModelServer } from "./fake-model-server.ts";

/** What a model may write, on the public page: the console shows answers by the same component. */
await describeInBrowser("the text of an answer", async (browser) => {
  const model = startFakeModelServer();
  const server = await startPageServer(
    {},
    {
      configure: ({ models }) =>
        Object.assign(models.answer, {
          provider: "openai",
          model: "parrot",
          baseUrl: model.url,
          contextTokens: 8_192,
        }),
    },
  );
  await server.post("/api/ingest", { name: "Handbook", text: "In winter the reading room opens at nine." });
  const chat = await server.post("/api/chat", { title: "Library", public: true });
  const chatId = ((await chat.json()) as { id: string }).id;
  return () => {
    const answered = async (script: FakeModelServer["script"], options: BrowserContextOptions = {}) => {
      model.script = script;
      const context = await openVisitor(browser, [server.url], { viewport: { width: 360, height: 740 }, ...options });
      const page = await context.newPage();
      await page.goto(`${server.url}/chat/${chatId}`);
      await page.locator("#message").fill("When does the reading room open in winter?");
      await page.keyboard.press("Enter");
      return { page, text: page.locator(".answer .text") };
    };

    test("code has a copy button that gives the code alone, without a clipboard too", async () => {
      const { page, text } = await answered(["Use this [1]:\n\n```ts\nconst x = [1];\n```\n"]);
      await page.locator(".answer .actions").waitFor();
      // As on http://nas, where browsers offer no clipboard: what is copied is read from the event.
      await page.evaluate(`
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        addEventListener("copy", () => { globalThis.copied = document.activeElement.value; }, true);
      `);
      await text.locator(".copy-code").click();
      await eventually(async () => expect(await page.evaluate("copied")).toBe("const x = [1];\n"));
      await shows(text.locator(".copy-code"), "Copied");
      // A mark in code is code.
      await thereAre(text.locator(".mark"), 1);
    });

    test("formulas stay as they are written", async () => {
      const { page, text } = await answered([
        "The sum $a_1 * b_1 + a_2 * b_2$ and \\(\\frac{x_1}{y}\\) cost $5 or $10.\n\n$$\nE = \\sum_i m_i * c^2\n$$\n",
      ]);
      await page.locator(".answer .actions").waitFor();
      await lists(text.locator("p code"), ["a_1 * b_1 + a_2 * b_2", "\\frac{x_1}{y}"]);
      await shows(text.locator("pre code"), "E = \\sum_i m_i * c^2");
      await eventually(async () => expect(await text.locator("p").first().textContent()).toEndWith("cost $5 or $10."));
      expect(await text.locator("em, sub").count()).toBe(0);
    });

    test("wide tables and long lines scroll in themselves, and can be reached", async () => {
      const row = `| ${Array.from({ length: 40 }, (_, at) => `column ${at}`).join(" | ")} |`;
      const line = `|${"---|".repeat(40)}`;
      const { page, text } = await answered([`${row}\n${line}\n${row}\n\n\`\`\`\n${"y".repeat(400)}\n\`\`\`\n`]);
      await page.locator(".answer .actions").waitFor();
      expect(await overflowOf(page)).toBe(0);
      const part = text.locator(".table-part");
      const wider = "((part) => part.scrollWidth > part.clientWidth)(document.querySelector('.table-part'))";
      expect(await page.evaluate(wider)).toBe(true);
      await part.focus();
      expect(await barriersOf(page)).toEqual([]);
    });

    test("each block is written in its own direction", async () => {
      const { page } = await answered(["Opening hours:\n\nتفتح القاعة الساعة 9 [1]\n\n- في الشتاء\n\n`code`"]);
      await page.locator(".answer .actions").waitFor();
      const blocks = "[...document.querySelectorAll('.answer .text > :is(p, ul)')]";
      expect(await page.evaluate(`${blocks}.map((block) => getComputedStyle(block).direction)`)).toEqual([
        "ltr",
        "rtl",
        "rtl",
        "ltr",
      ]);
    });

    test("what has been read stays while the answer grows: the focus is not lost", async () => {
      const gate = Promise.withResolvers<void>();
      const { page, text } = await answered(["First [1].\n\nSecond", () => gate.promise, " grows [1]."]);
      await text.locator(".mark").first().focus();
      gate.resolve();
      await page.locator(".answer .actions").waitFor();
      // The model does not tell when: the sentence of the document follows, with a mark of its own.
      await thereAre(text.locator(".mark"), 3);
      await eventually(async () =>
        expect(await page.evaluate("document.activeElement === document.querySelector('.answer .mark')")).toBe(true),
      );
    });

    test("what a reader should know of an answer stands below it, in words", async () => {
      const { page } = await answered(["At nine [1]."]);
      await page.locator(".answer .actions").waitFor();
      await page.route("**/message", async (route) => {
        const body = await (await route.fetch()).text();
        await route.fulfill({
          contentType: "text/event-stream",
          body: body.replace(/"doubt":(?:null|"\w+")/, '"doubt":"unsupported"'),
        });
      });
      await page.locator("#message").fill("When does the reading room open?");
      await page.keyboard.press("Enter");
      const doubt = page.locator(".answer").last().locator(".doubt");
      await eventually(async () =>
        expect(await doubt.textContent()).toStartWith("The documents do not bear this answer out."),
      );
      expect(await barriersOf(page)).toEqual([]);
    });

    test("an answer says when it was given, in the reader's zone", async () => {
      const { page } = await answered(["At nine [1]."], { timezoneId: "Asia/Kolkata", locale: "en-GB" });
      await page.locator(".answer .actions").waitFor();
      const given = (await page.locator(".answer time").getAttribute("datetime")) ?? "";
      const there = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Asia/Kolkata" });
      await shows(page.locator(".answer time"), there.format(new Date(given)));
    });
  };
});
