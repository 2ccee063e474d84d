import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Config } from "../../../config/schema.ts";
import { eventually } from "../../until.ts";
import { barriersOf, overflowOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { openVisitor } from "../open-browser.ts";
import { lists } from "../shows.ts";
import { startPageServer } from "../start-page-server.ts";
import { startFakeModelServer } from "./fake-model-server.ts";
import { openWatched } from "./sign-in.ts";

const question = "When is the boiler serviced?";
const phone = { width: 390, height: 844 };

await describeInBrowser("what is said of answers, and why they are as they are", async (browser) => {
  const model = startFakeModelServer();
  model.script = ["The boiler is serviced each October. [1]"];
  const configure = ({ models: { answer } }: Config): void => {
    Object.assign(answer, { provider: "openai", model: "parrot", baseUrl: model.url, contextTokens: 8_192 });
  };
  const server = await startPageServer({}, { configure });
  const handbook = (
    await server.ask("POST", "/api/ingest", {
      json: { name: "Staff handbook", text: "# Heating\n\nThe boiler is serviced each October." },
    })
  ).body.id;
  await server.post("/api/ingest", { name: "Ferry", text: "The boiler of the ferry is old." });
  return () => {
    const said = async () =>
      (await server.ask("GET", "/api/feedback")).body.map(
        ({ rating, reason, comment, expected, byVisitor }: Record<string, unknown>) => ({
          rating,
          reason,
          comment,
          expected,
          byVisitor,
        }),
      );
    const nothing = { documentId: null, text: null };
    const thumb = (page: Page, name: "Good answer" | "Bad answer") => page.getByRole("button", { name });
    const pressed = async (page: Page) => [
      await thumb(page, "Good answer").getAttribute("aria-pressed"),
      await thumb(page, "Bad answer").getAttribute("aria-pressed"),
    ];

    test("in the console: rated by keyboard, changed after a reload, taken back; the receipt is read again", async () => {
      const chat = (await server.ask("POST", "/api/chat", { json: { title: "Desk" } })).body.id;
      const { page } = await openWatched(browser, server, `/chats/${chat}`, { viewport: phone });
      await page.locator(".composer textarea").fill(question);
      await page.keyboard.press("Enter");
      await thumb(page, "Bad answer").focus();
      await page.keyboard.press("Enter");
      const form = page.getByRole("form", { name: "What was wrong with this answer" });
      await form.getByText("Something is missing").click();
      await form.getByLabel("What should have been found").fill("the month and the firm");
      await form.getByRole("button", { name: "Name the document" }).click();
      await form.getByText("Staff handbook").click();
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await form.getByRole("button", { name: "Send" }).click();
      await form.waitFor({ state: "detached" });
      const expected = { documentId: handbook, text: "the month and the firm" };
      const first = { rating: "down", reason: "incomplete", comment: null, expected, byVisitor: false };
      expect(await said()).toEqual([first]);

      await page.reload();
      await eventually(async () => expect(await pressed(page)).toEqual(["false", "true"]));
      await page.getByRole("button", { name: "Change what you said" }).click();
      expect(await form.getByLabel("Something is missing").isChecked()).toBe(true);
      await form.getByText("Staff handbook").waitFor();
      await form.getByLabel("Note").fill("Ask Larch.");
      await form.getByLabel("Note").press("Escape");
      await form.waitFor({ state: "detached" });
      expect(await said()).toEqual([first]);
      await thumb(page, "Good answer").click();
      await eventually(async () => expect(await pressed(page)).toEqual(["true", "false"]));
      expect(await said()).toEqual([{ ...first, rating: "up", reason: null, expected: nothing }]);
      await thumb(page, "Good answer").click();
      await eventually(async () => expect(await pressed(page)).toEqual(["false", "false"]));
      expect(await said()).toEqual([]);

      expect(await page.locator(".turn-sources summary").textContent()).toBe("1 source, 1 more passage that was read");
      await page.getByText("Why this answer").click();
      const why = page.locator(".why-answer");
      await why.getByText("1st by words, 1st by meaning").waitFor();
      await why.getByText("By words: 2 passages").click();
      await why
        .getByText(/^[\d.]+ · used as source 1$/)
        .first()
        .waitFor();
      await why.getByText("What the model was given").click();
      await lists(
        why.locator("pre"),
        model.lastMessages.map(({ content }) => content),
      );
      const told = (await why.textContent()) ?? "";
      expect(told).toContain("parrot (openai)");
      expect(told).not.toMatch(/\d ?%|[a-z]_[a-z]|\bnull\b|model_vectors/);
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await why.getByRole("link", { name: "Staff handbook, Heating" }).first().click();
      await page.getByRole("heading", { name: "Staff handbook" }).waitFor();
    });

    test("on a public page: a visitor says it of an answer, finds it again and takes it back", async () => {
      const chat = (await server.ask("POST", "/api/chat", { json: { title: "Desk", public: true } })).body.id;
      const context = await openVisitor(browser, [server.url], { viewport: phone });
      const page = await context.newPage();
      await page.goto(`${server.url}/chat/${chat}`);
      await page.fill("#message", question);
      await page.keyboard.press("Enter");
      await thumb(page, "Bad answer").click();
      const form = page.getByRole("form", { name: "What was wrong with this answer" });
      await form.getByText("It is out of date").click();
      await form.getByLabel("Note").fill("It is September now.");
      expect(await form.getByRole("button", { name: "Name the document" }).count()).toBe(0);
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await form.getByRole("button", { name: "Send" }).click();
      await form.waitFor({ state: "detached" });
      expect(await said()).toEqual([
        { rating: "down", reason: "outdated", comment: "It is September now.", expected: nothing, byVisitor: true },
      ]);
      expect(await page.getByText("Why this answer").count()).toBe(0);
      await page.reload();
      await eventually(async () => expect(await pressed(page)).toEqual(["false", "true"]));
      await thumb(page, "Bad answer").click();
      await eventually(async () => expect(await pressed(page)).toEqual(["false", "false"]));
      expect(await said()).toEqual([]);
    });
  };
});
