import { expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { describeInBrowser } from "../describe-in-browser.ts";
import { startBinary } from "../journeys/start-binary.ts";
import { openVisitor } from "../open-browser.ts";
import { startFakeModelServer } from "./fake-model-server.ts";
import { openWidget } from "./open-widget.ts";

/** What no visitor may read, by what it is. */
let secrets: Record<string, string> = {};

const owner = "owner-zanzibar";
const question = "When does the reading room open in winter?";

interface Received {
  address: string;
  bytes: string;
}

/** Everything that a browser receives: status, headers and body of each answer, streams and frames included. */
const record = async (context: BrowserContext): Promise<Received[]> => {
  const received: Received[] = [];
  await context.route("**", async (route) => {
    const response = await route.fetch();
    const headers = response.headersArray().map(({ name, value }) => `${name}: ${value}`);
    const body = await response.body();
    received.push({
      address: response.url(),
      bytes: [response.status(), ...headers, "", body.toString("utf8")].join("\n"),
    });
    await route.fulfill({ response, body });
  });
  return received;
};

/** What is told in the answers, by the address that tells it. */
const toldIn = (received: readonly Received[]): string[] =>
  received.flatMap(({ address, bytes }) =>
    Object.entries(secrets)
      .filter(([, secret]) => bytes.includes(secret))
      .map(([what]) => `${what} in ${address}`),
  );

await describeInBrowser("what a visitor can learn", async (browser) => {
  const model = startFakeModelServer();
  const server = await startBinary({
    ...model.settings,
    CARREL_PUBLIC_CHATS_ALLOWED_ORIGINS: "*",
    CARREL_MODELS_ANSWER_MODEL: "parrot-secret",
    CARREL_MODELS_ANSWER_API_KEY: "model-key-secret",
  });
  const key = await server.issueKey({ role: "admin", userId: owner });
  const made = async (path: string, json: object): Promise<Record<string, string>> =>
    (await server.ask("POST", path, { key, json })).body;
  const document = await made("/api/ingest", {
    name: "internal-handbook-7.docx",
    text: "In winter the reading room opens at nine.",
    partition: "Secret shelf",
    metadata: { origin: "drive-of-the-boss" },
  });
  const partitionId = document.partitionId ?? "";
  const chat = await made("/api/chat", { title: "Library", name: "Internal name", public: true, partitionId });
  const chatId = chat.id ?? "";
  await made(`/api/chat/${chatId}/message`, { message: "What did the insider ask?", userId: "insider-7" });
  const { headers } = await server.ask("POST", `/api/chat/${chatId}/message`, {
    key: null,
    json: { message: "Where do the zebras sleep?" },
  });
  secrets = {
    "another visitor's message": "zebras sleep",
    "another visitor's token": headers.get("x-visitor-token") ?? "",
    organization: document.organizationId ?? "",
    document: document.id ?? "",
    "name of the document": "internal-handbook-7",
    metadata: "drive-of-the-boss",
    partition: partitionId,
    "name of the partition": "Secret shelf",
    user: owner,
    "other user": "insider-7",
    "other user's message": "insider ask",
    "internal name": "Internal name",
    key,
    "first key": server.key,
    "data directory": server.dataDir,
    "folder of the program": process.cwd(),
    "model server": new URL(model.url).host,
    "model server's key": "model-key-secret",
    model: "parrot-secret",
  };
  for (const [what, secret] of Object.entries(secrets)) expect([what, secret.length > 4]).toEqual([what, true]);
  return () => {
    const ask = async (page: Page): Promise<void> => {
      await page.locator("#message").fill(question);
      await page.keyboard.press("Enter");
      await page.locator(".answer .actions").last().waitFor();
    };

    test("from the page and its answers: nothing but the chat", async () => {
      model.script = ["At nine ", "[1]."];
      const context = await openVisitor(browser, [server.url]);
      const received = await record(context);
      const page = await context.newPage();
      await page.goto(`${server.url}/chat/${chatId}`);
      await ask(page);
      await page.reload();
      await page.locator(".answer").waitFor();
      const streamed = received.find(({ address }) => address.endsWith("/message"))?.bytes ?? "";
      for (const event of ["snippets", "delta", "done"]) expect(streamed).toContain(`event: ${event}\n`);
      expect(streamed).toContain("opens at nine");
      expect(received.map(({ address }) => new URL(address).pathname)).toContain(`/api/chat/${chatId}`);
      expect(toldIn(received)).toEqual([]);
    });

    test("from the widget on another site: nothing but the chat", async () => {
      model.script = ["At nine [1]."];
      const site = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: () =>
          new Response(
            `<!doctype html><title>Shop</title><script src="${server.url}/embed.js" data-chat="${chatId}" async></script>`,
            { headers: { "content-type": "text/html" } },
          ),
      });
      const context = await openVisitor(browser, [server.url, site.url.href]);
      const received = await record(context);
      const page = await context.newPage();
      await page.goto(site.url.href);
      const frame = await openWidget(page);
      await frame.locator("#message").fill(question);
      await frame.locator("#message").press("Enter");
      await frame.locator(".answer .actions").waitFor();
      expect(received.some(({ address }) => address.endsWith("/message"))).toBe(true);
      expect(toldIn(received)).toEqual([]);
      await context.close();
      await site.stop(true);
    });

    test("from failures: of the model, of a page or chat that is not there, of a key that is missing", async () => {
      const context = await openVisitor(browser, [server.url]);
      const received = await record(context);
      const page = await context.newPage();
      await page.goto(`${server.url}/chat/${chatId}`);
      await model.stop();
      await page.locator("#message").fill(question);
      await page.keyboard.press("Enter");
      await page.getByText("is not working at the moment").waitFor();
      for (const path of [
        "/chat/unknown",
        "/chat/%",
        `/chat/${chatId}/logo`,
        "/api/chat",
        "/api/document",
        "/pages/unknown.js",
      ])
        await page.evaluate(`fetch(${JSON.stringify(path)}).then((answer) => answer.text())`);
      expect(received.length).toBeGreaterThan(9);
      expect(toldIn(received)).toEqual([]);
    });
  };
});
