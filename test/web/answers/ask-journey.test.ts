import { expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { eventually, until } from "../../until.ts";
import { barriersOf, overflowOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { startBinary } from "../journeys/start-binary.ts";
import { lists, mentions, shows } from "../shows.ts";
import { never, startFakeModelServer } from "./fake-model-server.ts";
import { shiftsOf } from "./layout-shift.ts";
import { openWatched } from "./sign-in.ts";

const hours = "# Hours\n\nThe reading room opens at eight in summer. In winter the reading room opens at nine.";
const question = "When does the reading room open in winter?";
const hostileName = '<img src=http://evil.example/a.png onerror="document.title=1">.txt';

await describeInBrowser("asking", async (browser) => {
  const model = startFakeModelServer();
  const server = await startBinary(model.settings);
  const ingest = async (name: string, text: string, more = {}): Promise<string> =>
    ((await (await server.post("/api/ingest", { name, text, ...more })).json()) as { id: string }).id;
  const handbookId = await ingest("Handbook", hours, { partition: "Library", metadata: { year: 2025 } });
  await ingest(hostileName, "The lamps of the cellar are lit at dusk by the keeper of the cellar.");
  await ingest("قواعد المكتبة", "تفتح قاعة القراءة في الشتاء الساعة التاسعة صباحا.");
  return () => {
    const open = async (path = "/ask", options: BrowserContextOptions = {}) => {
      const opened = await openWatched(browser, server, path, options);
      await opened.page.waitForSelector(".question-field");
      return opened;
    };
    const focused = (page: Page): Promise<unknown> => page.evaluate("document.activeElement?.className");

    test("by keyboard alone: asks, points at a source, and opens the document at the sentence that is meant", async () => {
      model.script = ["In winter it opens at nine [1]."];
      const { page } = await open();
      await eventually(async () => expect(await focused(page)).toBe("question-field"));
      await page.keyboard.type(question);
      await page.keyboard.press("Enter");
      await page.locator(".receipt").waitFor();
      await mentions(page.locator(".answer .text"), "In winter it opens at nine");
      expect(await page.locator(".receipt summary").textContent()).toMatch(
        /^Searched 3 documents, 3 passages · kept \d · (not )?sure · .+ parrot Why this answer$/,
      );
      await eventually(async () =>
        expect(page.url()).toBe(`${server.url}/ask?${new URLSearchParams({ q: question })}`),
      );

      const card = page.locator(".source-card").first();
      await lists(card.locator("mark"), ["In winter the reading room opens at nine."]);
      // From the question box: the scope, the button, the mark.
      for (let step = 0; step < 10 && (await focused(page)) !== "mark pointed"; step++)
        await page.keyboard.press("Tab");
      expect(await focused(page)).toBe("mark pointed");
      expect(await card.getAttribute("class")).toBe("source-card pointed");

      const before = model.requests;
      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.url}/documents/**`);
      const link = new URL(page.url());
      expect(link.pathname).toBe(`/documents/${handbookId}`);
      const [start, end] = ["start", "end"].map((name) => Number(link.searchParams.get(name)));
      expect(hours.slice(start, end)).toBe("In winter the reading room opens at nine.");
      // The way back shows the answer again, without asking again.
      await page.goBack();
      await mentions(page.locator(".answer .text"), "In winter it opens at nine");
      expect(model.requests).toBe(before);
    });

    test("says that the documents do not hold it, with what comes near", async () => {
      const { page } = await open();
      // What is near is no more than that: the search for it is given words that find something.
      await page.route("**/api/search", (route) => route.continue({ postData: '{"query": "open in summer"}' }));
      await page.fill(".question-field", "What is the capital of Peru?");
      await page.keyboard.press("Enter");
      await page.locator(".not-found li").first().waitFor();
      await shows(page.locator(".not-found h3"), "The documents do not hold an answer to this question.");
      await mentions(page.locator(".not-found .source-card").first(), "in summer");
      expect(await barriersOf(page)).toEqual([]);
    });

    test("a scope is chosen, stands in the address, and holds after a reload", async () => {
      model.script = ["At nine [1]."];
      const { page } = await open();
      await page.fill(".question-field", question);
      await page.locator(".scope-chip").click();
      await page.getByLabel("A partition").check();
      await page.locator(".scope-picker select").first().selectOption({ label: "Library" });
      await page.getByRole("button", { name: "Add a condition" }).click();
      await page.getByLabel("Key").fill("year");
      await page.getByLabel("Comparison").selectOption("≥");
      await page.getByLabel("Value").fill("2024");
      await shows(page.locator(".scope-chip bdi"), "Partition Library · year ≥ 2024");
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.locator(".receipt").waitFor();
      await mentions(page.locator(".receipt summary"), "Searched 1 document, 1 passage");
      await page.reload();
      await page.locator(".receipt").waitFor();
      await mentions(page.locator(".receipt summary"), "Searched 1 document, 1 passage");
      await page.locator(".scope-chip", { hasText: "Library" }).waitFor();
    });

    test("a prompt of one's own is shown as the model gets it", async () => {
      model.script = ["Nine."];
      const { page } = await open(`/ask?${new URLSearchParams({ q: question, document: handbookId })}`);
      await page.locator(".receipt").waitFor();
      await page.getByRole("button", { name: "Prompt" }).click();
      await page.getByLabel("Your own prompt").fill("In one word.\n\n{contextText}\n\n{query}");
      await page.locator(".prompt-turn pre", { hasText: "[1] Handbook" }).waitFor();
      const shown = (await page.locator(".prompt-turn pre").textContent()) ?? "";
      const before = model.requests;
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Ask again" }).click();
      // The answer before was the same.
      await until(() => model.requests > before, "it is asked again");
      await page.getByText("Nine.", { exact: true }).waitFor();
      await page.locator(".receipt").waitFor();
      expect(model.lastMessages).toEqual([{ role: "user", content: shown }]);
      expect(shown).toMatch(/^In one word\.\n\n\[1\] Handbook \(added \d{4}-\d\d-\d\d\)\n# Hours\n/);
    });

    test("an answer is stopped, and asked again", async () => {
      model.script = ["The beginning ", never, "and the end."];
      const { page } = await open();
      await page.fill(".question-field", question);
      await page.keyboard.press("Enter");
      await page.getByText("The beginning").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("You stopped this answer.").waitFor();
      await mentions(page.locator(".answer .text"), "The beginning");
      model.script = ["Whole."];
      await page.getByRole("button", { name: "Ask again" }).click();
      await page.getByText("Whole.").waitFor();
    });

    test("nothing moves while an answer is written", async () => {
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 360, height: 740 },
      ]) {
        const words = `${"Many words of a long answer follow one another here. ".repeat(6)}[1]\n\n`;
        const slowly = () => Bun.sleep(30);
        model.script = Array.from({ length: 24 }, () => [slowly, words]).flat();
        const { page } = await open("/ask", { viewport });
        await page.fill(".question-field", question);
        await page.keyboard.press("Enter");
        // What moves within half a second of a key is the reader's doing: the answer takes longer.
        await page.locator(".receipt").waitFor();
        await Bun.sleep(200);
        expect(await shiftsOf(page)).toEqual([]);
        expect(await page.evaluate("scrollY")).toBe(0);
      }
    });

    test("hostile names and answers run no script and load no picture", async () => {
      model.script = [
        "Lit at dusk [1]. <img src=http://evil.example/b.png> ![x](http://evil.example/c.png) [a](javascript:alert(1))",
      ];
      const { page } = await open();
      await page.fill(".question-field", "When are the lamps of the cellar lit?");
      await page.keyboard.press("Enter");
      await page.locator(".receipt").waitFor();
      await eventually(async () =>
        expect(await page.locator(".source-name bdi").allTextContents()).toContain(hostileName),
      );
      expect(await page.locator("main img").count()).toBe(0);
      expect(await page.locator(".answer .text a[href^=javascript]").count()).toBe(0);
    });

    test.each(["light", "dark"] as const)("nothing keeps people out in %s colors", async (colorScheme) => {
      model.script = ["At nine [1].\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nتفتح القاعة"];
      const { page } = await open("/ask", { colorScheme });
      await page.fill(".question-field", question);
      await page.keyboard.press("Enter");
      await page.locator(".receipt summary").click();
      expect(await barriersOf(page)).toEqual([]);
      await page.locator(".scope-chip").click();
      await page.getByLabel("A document").check();
      await page.getByRole("radio", { name: "Handbook" }).waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole("button", { name: "Prompt" }).click();
      await page.locator(".prompt-preview .prompt-turn").first().waitFor();
      expect(await barriersOf(page)).toEqual([]);
    });

    test("fits a phone, also with long words", async () => {
      model.script = [`${"x".repeat(300)} [1]\n\n\`\`\`\n${"y".repeat(300)}\n\`\`\``];
      for (const width of [320, 360]) {
        const { page } = await open("/ask", { viewport: { width, height: 740 }, hasTouch: true });
        await page.fill(".question-field", question);
        await page.keyboard.press("Enter");
        await page.locator(".receipt summary").click();
        await page.locator(".source-card").first().waitFor();
        expect(await overflowOf(page)).toBe(0);
      }
    });
  };
});
