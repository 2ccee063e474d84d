import { expect, test } from "bun:test";
import type { BrowserContextOptions } from "playwright-core";
import { eventually, until } from "../../until.ts";
import { barriersOf, overflowOf, settle } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { startBinary } from "../journeys/start-binary.ts";
import { holdMessage } from "../open-console.ts";
import { lists, mentions, shows, thereAre } from "../shows.ts";
import { startFakeModelServer } from "./fake-model-server.ts";
import { shiftsOf } from "./layout-shift.ts";
import { openWatched } from "./sign-in.ts";

const question = "When does the reading room open in winter?";

await describeInBrowser("chats in the console", async (browser) => {
  const model = startFakeModelServer();
  const server = await startBinary(model.settings);
  const made = await server.post("/api/ingest", {
    name: "Handbook",
    text: "The room has lamps. In winter the reading room opens at nine.",
    partition: "Library",
  });
  const documentId = ((await made.json()) as { id: string }).id;
  return () => {
    const open = (path: string, options: BrowserContextOptions & { key?: string } = {}) =>
      openWatched(browser, server, path, options);
    const makeChat = async (settings: object): Promise<string> =>
      ((await (await server.post("/api/chat", settings)).json()) as { id: string }).id;
    const visit = async (chatId: string, message: string): Promise<string> => {
      const answer = await fetch(`${server.url}/api/chat/${chatId}/message`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message }),
      });
      expect(answer.status).toBe(200);
      return answer.headers.get("x-visitor-token") ?? "";
    };

    test("by keyboard alone: a chat is begun, is named by its first words, and its sources lead to the document", async () => {
      model.script = ["At nine [1]."];
      const { page } = await open("/chats");
      await page.getByRole("button", { name: "New chat" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.getByRole("radio", { name: "A partition" }).check();
      await page.locator("dialog .scope-picker select").first().selectOption({ label: "Library" });
      await page.getByRole("button", { name: "Create" }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.url}/chats/*`);
      await page.locator(".composer textarea").waitFor();
      await page.keyboard.type(question);
      await page.keyboard.press("Enter");
      await page.locator(".receipt").waitFor();
      await page.locator(".thread-header h2", { hasText: question }).waitFor();
      await shows(page.locator(".thread-header .chip"), "Partition Library");
      await page.locator(".chat-list .chat-name", { hasText: question }).waitFor();
      await page.locator(".turn-sources summary").focus();
      await page.keyboard.press("Enter");
      await mentions(page.locator(".source-name"), "Handbook");
      await shows(page.locator(".source-card mark"), "In winter the reading room opens at nine.");
      await page.locator(".answer .mark").focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.url}/documents/${documentId}?start=20&end=61`);
    });

    test("a chat is made public with a brand that is seen before it is saved, and with the code for other sites", async () => {
      const chatId = await makeChat({ name: "Desk", brandSettings: { color: "#123456", theme: { own: true } } });
      const { page } = await open(`/chats/${chatId}`);
      await page.getByRole("button", { name: "Settings", exact: true }).click();
      expect((await fetch(`${server.url}/chat/${chatId}`)).status).toBe(404);
      await page.getByRole("button", { name: "Make public" }).click();
      const asked = page.getByRole("dialog", { name: "Make this chat public?" });
      await asked.getByText(/can then read from \d+ documents?, without a key/).waitFor();
      await asked.getByLabel("What the chat answers from").selectOption({ label: "Library (1 document)" });
      await asked.getByText("can then read from 1 document, without a key").waitFor();
      await asked.getByRole("button", { name: "Make public" }).click();
      await page.getByRole("button", { name: "Make private" }).waitFor();
      const { body: made } = await server.ask("GET", `/api/chat/${chatId}`);
      expect(made).toMatchObject({ public: true, partitionId: expect.any(String) });
      await page.getByLabel("Title").fill('Ask the "desk"');
      await page.getByRole("textbox", { name: "Color", exact: true }).fill("#ffee00");
      await page.getByLabel("Text in the empty field").fill("Ask us");
      await shows(page.locator(".preview-head"), 'Ask the "desk"');
      await shows(page.locator(".preview-composer bdi"), "Ask us");
      const head = "getComputedStyle(document.querySelector('.preview-head'))";
      await settle(page);
      const preview = await page.evaluate(`[${head}.backgroundColor, ${head}.color]`);
      await page.getByLabel("Button's label").fill("Ask & see");
      await shows(
        page.locator(".code-box pre"),
        `<script src="${server.url}/embed.js" data-chat="${chatId}" data-label="Ask &amp; see" data-side="right" async></script>`,
      );
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The settings are saved.").waitFor();
      const stored = (await (await server.call(`/api/chat/${chatId}`)).json()) as Record<string, unknown>;
      expect(stored).toMatchObject({ name: "Desk", title: 'Ask the "desk"', public: true });
      expect(stored.brandSettings).toEqual({ theme: { own: true }, color: "#ffee00", placeholder: "Ask us" });
      // The page has the colors that the preview showed.
      await page.goto(`${server.url}/chat/${chatId}`);
      await page.locator("#message").waitFor();
      const header = "getComputedStyle(document.querySelector('header'))";
      await eventually(async () =>
        expect(await page.evaluate(`[${header}.backgroundColor, ${header}.color]`)).toEqual(preview),
      );
    });

    test("conversations of visitors are read, each by itself, and not written in", async () => {
      model.script = ["At nine [1]."];
      const chatId = await makeChat({ title: "Desk", public: true });
      await visit(chatId, question);
      await visit(chatId, "Has the room lamps?");
      const { page } = await open(`/chats/${chatId}`);
      await page.locator(".person-choice option").nth(2).waitFor({ state: "attached" });
      const people = await page.locator(".person-choice option").allTextContents();
      expect(people.map((name) => name.replace(/Visitor \S+/, "Visitor"))).toEqual([
        "Yours (0)",
        "Visitor (1)",
        "Visitor (1)",
      ]);
      await page.locator(".person-choice select").selectOption({ index: 2 });
      await lists(page.locator(".turn.question"), [expect.stringContaining(question)]);
      await thereAre(page.locator(".composer"), 0);
      expect(await barriersOf(page)).toEqual([]);
    });

    test("a chat is deleted ten seconds later, unless that is undone", async () => {
      const kept = await makeChat({ name: "Kept after all" });
      const gone = await makeChat({ name: "Gone" });
      const { page } = await open(`/chats/${kept}`);
      await page.getByRole("button", { name: "Delete" }).click();
      await holdMessage(page);
      await thereAre(page.locator(".chat-name", { hasText: "Kept after all" }), 0);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.locator(".chat-name", { hasText: "Kept after all" }).click();
      await page.locator(".thread-header h2", { hasText: "Kept after all" }).waitFor();
      await page.locator(".chat-name", { hasText: "Gone" }).click();
      await page.locator(".thread-header h2", { hasText: "Gone" }).waitFor();
      await page.getByRole("button", { name: "Delete" }).click();
      await holdMessage(page);
      expect((await server.call(`/api/chat/${gone}`)).status).toBe(200);
      await page.locator(".toast .icon-only").click();
      await until(async () => (await server.call(`/api/chat/${gone}`)).status === 404);
      expect((await server.call(`/api/chat/${kept}`)).status).toBe(200);
    });

    test("a reader asks, and is offered nothing that a reader may not do", async () => {
      model.script = ["At nine [1]."];
      const chatId = await makeChat({ name: "For readers" });
      const key = await server.issueKey({ role: "reader", userId: "reader-1" });
      const { page } = await open(`/chats/${chatId}`, { key });
      await page.locator(".composer textarea").fill(question);
      await page.keyboard.press("Enter");
      await page.locator(".receipt").waitFor();
      for (const name of ["New chat", "Settings", "Delete"])
        expect(await page.locator("main").getByRole("button", { name, exact: true }).count()).toBe(0);
    });

    test("chats are searched by name; one that is not there says so", async () => {
      await makeChat({ name: "A needle in the hay" });
      const { page } = await open("/chats/unknown-chat");
      await page.getByText("This chat does not exist").waitFor();
      await page.getByRole("searchbox", { name: "Search chats" }).fill("NEEDLE");
      await thereAre(page.locator(".chat-name"), 1);
      await shows(page.locator(".chat-name"), "A needle in the hay");
    });

    test.each(["light", "dark"] as const)(
      "nothing keeps people out in %s colors, and nothing moves",
      async (colorScheme) => {
        const words = `${"Many words of a long answer follow one another here. ".repeat(6)}[1]\n\n`;
        model.script = Array.from({ length: 20 }, () => [() => Bun.sleep(30), words]).flat();
        const chatId = await makeChat({ name: "مكتبة المدينة" });
        const { page } = await open(`/chats/${chatId}`, { colorScheme });
        await page.locator(".composer textarea").fill(question);
        await page.keyboard.press("Enter");
        await page.locator(".receipt").waitFor();
        await Bun.sleep(200);
        expect(await shiftsOf(page)).toEqual([]);
        await page.locator(".turn-sources summary").click();
        expect(await barriersOf(page)).toEqual([]);
      },
    );

    test("fits a phone: the list, then the chat with a way back", async () => {
      model.script = [`${"x".repeat(300)} [1]\n\n\`\`\`\n${"y".repeat(300)}\n\`\`\``];
      const chatId = await makeChat({ name: `${"long".repeat(60)}` });
      const { page } = await open("/chats", { viewport: { width: 320, height: 700 }, hasTouch: true });
      await page.locator(`.chat-list a[href="/chats/${chatId}"]`).click();
      await page.locator(".composer textarea").fill(question);
      await page.keyboard.press("Enter");
      await page.locator(".receipt summary").click();
      expect(await overflowOf(page)).toBe(0);
      await eventually(async () => expect(await page.locator(".chat-list").isVisible()).toBe(false));
      await page.getByRole("link", { name: "All chats" }).click();
      await page.locator(".chat-list").waitFor();
      expect(await overflowOf(page)).toBe(0);
    });
  };
});
