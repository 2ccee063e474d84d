import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../../until.ts";
import { barriersOf, overflowOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { openVisitor } from "../open-browser.ts";
import { lists } from "../shows.ts";
import { startPageServer } from "../start-page-server.ts";
import { openWatched } from "./sign-in.ts";

const rows = Array.from(
  { length: 102 },
  (_, at) => `| P${at + 1} | Bridge project ${at + 1} | ${at % 3 === 0 ? "closed" : "open"} | Department ${at % 7} |`,
);
const projects = `# Projects\n\n| Id | Name | Status | Department |\n|---|---|---|---|\n${rows.join("\n")}\n`;
const handbook = `---
title: Staff handbook
---
# Staff handbook

## Heating

The boiler is serviced **each October** by [Larch](http://evil.example/larch).[^1]

- the pump runs at 2 bar
- ![plan](http://evil.example/plan.png) the valve is V7

[^1]: As agreed.
`;

await describeInBrowser("each kind of answer", async (browser) => {
  const server = await startPageServer();
  await server.post("/api/ingest", { name: "Projects.csv", text: projects });
  await server.post("/api/ingest", { name: "Staff handbook", text: handbook });
  return () => {
    const asked = async (page: Page, question: string): Promise<void> => {
      await page.goto(`${server.url}/ask?${new URLSearchParams({ q: question })}`);
      await page.locator(".receipt").waitFor();
    };
    const said = (page: Page) => page.locator(".receipt").textContent();

    test("is told by words in Ask: no shares, no empty sources, no refusal where there is none", async () => {
      const { page } = await openWatched(browser, server, "/ask");
      await asked(page, "What is the capital of Peru?");
      await page.locator(".not-found").waitFor();
      expect(await said(page)).toContain("· not in the documents ·");

      await asked(page, "How many projects are closed?");
      await eventually(async () => expect(await said(page)).toContain("all 102 rows of Projects.csv; Status: closed"));
      expect(await said(page)).toContain("· sure ·");

      for (const [question, words] of [
        ["Which documents are there?", "From the list of documents"],
        ["hello", "No document was searched"],
      ] as const) {
        await asked(page, question);
        expect(await said(page)).toContain(words);
        expect(await page.locator(".answer-sources, .not-found").count()).toBe(0);
        expect(await page.locator(".answer .text").textContent()).not.toBe("");
      }
      expect(await page.locator("main").textContent()).not.toMatch(/\d %/);
    });

    test("has passages that are drawn: tables under their column names, lists, links as their text", async () => {
      const { page } = await openWatched(browser, server, "/ask", {
        viewport: { width: 390, height: 844 },
      });
      await asked(page, "List all closed projects");
      const table = page.locator(".source-card .passage-text table").first();
      await lists(table.locator("th"), ["Id", "Name", "Status", "Department"]);
      expect(await page.locator(".answer .text tbody tr").count()).toBeGreaterThan(10);
      expect(await overflowOf(page)).toBe(0);

      await asked(page, "When is the boiler serviced?");
      const passage = page.locator(".source-card", { hasText: "boiler" }).locator(".passage-text");
      await eventually(async () =>
        expect((await passage.locator("mark").allTextContents()).join("")).toBe(
          "The boiler is serviced each October by Larch.",
        ),
      );
      expect(await passage.locator("li").count()).toBe(2);
      expect(await passage.locator("a, img, h1, h2").count()).toBe(0);
      expect(await passage.textContent()).not.toMatch(/[#*|^␂␃]|title:/);
      expect(await barriersOf(page)).toEqual([]);
    });

    test("on the public page: the marked sources first, the others folded, none where nothing was read", async () => {
      const chat = (await server.ask("POST", "/api/chat", { json: { title: "Desk", public: true } })).body.id;
      const context = await openVisitor(browser, [server.url], { viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      await page.goto(`${server.url}/chat/${chat}`);
      const ask = async (question: string) => {
        const before = await page.locator(".answer").count();
        await page.fill("#message", question);
        await page.keyboard.press("Enter");
        const answer = page.locator(".answer").nth(before);
        await answer.locator(".actions").waitFor();
        return answer;
      };
      const answer = await ask("When is the boiler serviced?");
      await answer.locator(".sources > summary").click();
      const numbers = (part: string) =>
        answer.locator(part).evaluateAll((items) => items.map((item) => (item as unknown as { value: number }).value));
      const marked = new Set((await answer.locator(".mark").allTextContents()).map(Number));
      await eventually(async () => expect(await numbers(".sources > ol > li")).toEqual([...marked]));
      expect(await answer.locator(".more-sources > summary").textContent()).toMatch(
        /^\d+ more passages? that (was|were) read$/,
      );
      expect(await answer.locator(".more-sources li").first().isVisible()).toBe(false);
      expect((await numbers(".more-sources li")).some((number) => marked.has(number))).toBe(false);
      expect(await (await ask("thanks!")).locator(".sources").count()).toBe(0);
      expect(await overflowOf(page)).toBe(0);
    });

    test("before the first: asks that fit what is there, and once how a model would write answers", async () => {
      const { page } = await openWatched(browser, server, "/documents");
      // The server looks at its own machine, where a test cannot say what is there.
      await page.route("**/api/settings/answer-model", (route) =>
        route.fulfill({
          json: {
            provider: "builtin",
            model: null,
            ollama: { address: "http://127.0.0.1:11434", models: ["qwen3:8b", 'a"b'] },
          },
        }),
      );
      await page.goto(`${server.url}/ask`);
      const note = page.locator(".quoting-note");
      await note.getByText("An Ollama with qwen3:8b answers").waitFor();
      await note.locator("summary").click();
      await note.getByLabel("Model").selectOption('a"b');
      await lists(note.locator("pre"), [
        'models:\n  answer: { provider: ollama, model: "a\\"b" }',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration reads the variable
        'models:\n  answer: { provider: openai, model: "gpt-4.1-mini", apiKey: "${OPENAI_API_KEY}" }',
      ]);
      expect(await barriersOf(page)).toEqual([]);
      await note.getByRole("button", { name: "Do not show this again" }).click();
      await note.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Summarize Staff handbook" }).click();
      await page.locator(".receipt", { hasText: /Read \d passages? from its parts/ }).waitFor();
      await page.goto(`${server.url}/chats`);
      await page.locator(".chat-list").waitFor();
      expect(await note.count()).toBe(0);
      await page.goto(`${server.url}/settings`);
      await note.waitFor();
    });
  };
});
