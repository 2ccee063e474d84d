import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../../until.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { startBinary } from "../journeys/start-binary.ts";
import { mentions, shows } from "../shows.ts";
import { never, startFakeModelServer } from "./fake-model-server.ts";
import { shiftsOf } from "./layout-shift.ts";
import { openWatched } from "./sign-in.ts";

const question = "When does the reading room open in winter?";

await describeInBrowser("a restart while an answer is written", async (browser) => {
  const model = startFakeModelServer();
  const server = await startBinary(model.settings);
  await server.post("/api/ingest", { name: "Handbook", text: "In winter the reading room opens at nine." });
  const chat = await server.post("/api/chat", { title: "Library", public: true });
  const chatId = ((await chat.json()) as { id: string }).id;
  return () => {
    const open = (path: string) => openWatched(browser, server, path, path.startsWith("/chat/") ? { key: null } : {});
    const ask = async (page: Page, field: string): Promise<void> => {
      await page.locator(field).fill(question);
      await page.keyboard.press("Enter");
    };

    test("is told by the ask view, which keeps what arrived", async () => {
      model.script = ["At nine, ", never];
      const { page } = await open("/ask");
      await ask(page, ".question-field");
      await page.getByText("At nine,").waitFor();
      await server.bringDown("kill");
      await page.getByText("The connection was lost while the answer was written.").waitFor();
      await mentions(page.locator(".answer .text"), "At nine,");
      await eventually(async () => expect(await page.locator(".question-field").inputValue()).toBe(question));
      await server.startAgain();
      await page.getByText("The server is back. What had arrived").waitFor();
      model.script = ["At nine, an hour later [1]."];
      await page.getByRole("button", { name: "Ask again" }).click();
      await page.locator(".receipt").waitFor();
      await mentions(page.locator(".answer .text"), "an hour later");
    });

    test("before anything arrived: the ask view asks again by itself", async () => {
      const { page } = await open("/ask");
      await page.locator(".question-field").waitFor();
      await server.bringDown("kill");
      await ask(page, ".question-field");
      await page.getByText("The question is asked again as soon as it is back.").waitFor();
      model.script = ["At nine [1]."];
      await server.startAgain();
      await page.locator(".receipt").waitFor();
      await mentions(page.locator(".answer .text"), "At nine");
    });

    test("is told by a chat of the console, which reads what is stored and offers to ask again", async () => {
      model.script = ["At nine, ", never];
      const { page } = await open(`/chats/${chatId}`);
      await ask(page, ".composer textarea");
      await page.getByText("At nine,").waitFor();
      await server.bringDown("stop");
      await page.getByText("The server cannot be reached. Waiting for it").waitFor();
      await server.startAgain();
      await page.getByText("This question has no answer.").waitFor();
      model.script = ["At nine, an hour later [1]."];
      await page.getByRole("button", { name: "Ask again" }).click();
      await page.locator(".receipt").waitFor();
      await mentions(page.locator(".turn.answer").last(), "an hour later");
    });

    test("is told by the public page, which recovers", async () => {
      model.script = ["At nine, ", never];
      const { page } = await open(`/chat/${chatId}`);
      await ask(page, "#message");
      await page.getByText("At nine,").waitFor();
      await server.bringDown("stop");
      await page.getByText("The server cannot be reached. Trying again").waitFor();
      await server.startAgain();
      await page.getByText("The connection is back.").waitFor();
      await shows(page.locator(".question .text").last(), question);
      await shows(page.locator(".question .notice").last(), "This question has no answer yet.");
      model.script = ["At nine, an hour later [1]."];
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("an hour later").waitFor();
    });

    test("nothing on the public page moves while an answer is written", async () => {
      const words = `${"Many words of a long answer follow one another here. ".repeat(6)}\n\n`;
      model.script = Array.from({ length: 24 }, () => [() => Bun.sleep(30), words]).flat();
      const { page } = await open(`/chat/${chatId}`);
      await ask(page, "#message");
      await page.locator(".answer .actions").last().waitFor();
      await Bun.sleep(200);
      expect(await shiftsOf(page)).toEqual([]);
    });
  };
});
