/**
 * Open WebUI itself, in Chromium, against the compiled program: set up by the steps of docs/integrations/open-webui.md, by a
 * connection and by the function in clients/open-webui. CARREL_TEST_PICTURES: a folder that pictures of it are put into.
 */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { atEnd } from "../at-end.ts";
import { freePort } from "../free-port.ts";
import { eventually, maxWaitMs, until } from "../until.ts";
import { type FakeModelServer, startFakeModelServer } from "../web/answers/fake-model-server.ts";
import { describeInBrowser } from "../web/describe-in-browser.ts";
import { type BinaryServer, startBinary } from "../web/journeys/start-binary.ts";
import { openWatchedProfile } from "../web/open-browser.ts";
import { realServers } from "./servers.ts";

const program = realServers.openWebUi;
const functionFile = join(import.meta.dir, "../../clients/open-webui/carrel.py");

interface OpenWebUi {
  url: string;
  /** One request of its administrator, read to its end. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  api(method: string, path: string, body?: unknown): Promise<any>;
  token: string;
  stop(): Promise<void>;
}

/** A new one, without connections, whose first user has signed up and seen its news. */
const startOpenWebUi = async (path: string): Promise<OpenWebUi> => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-open-webui-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: folder,
    DATA_DIR: join(folder, "data"),
    WEBUI_SECRET_KEY: "only-for-this-test",
    ENABLE_OLLAMA_API: "False",
    OFFLINE_MODE: "True",
    ANONYMIZED_TELEMETRY: "False",
    // What it would otherwise load a model for, to search in attached files.
    BYPASS_EMBEDDING_AND_RETRIEVAL: "True",
    RAG_EMBEDDING_ENGINE: "openai",
  };
  const child = Bun.spawn([path, "serve", "--host", "127.0.0.1", "--port", String(port)], {
    cwd: folder,
    env,
    stdio: ["ignore", Bun.file(join(folder, "log")), Bun.file(join(folder, "log"))],
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await child.exited;
    await rm(folder, { recursive: true, force: true });
  };
  let token = "";
  const api: OpenWebUi["api"] = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  try {
    await until(
      () =>
        child.exitCode !== null ||
        fetch(`${url}/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      "Open WebUI answers",
    );
    if (child.exitCode !== null) throw new Error(await Bun.file(join(folder, "log")).text());
    const person = { name: "Ann", email: "ann@example.com", password: "Winter-at-nine-1" };
    ({ token } = await api("POST", "/api/v1/auths/signup", person));
    const { version } = await api("GET", "/api/version");
    await api("POST", "/api/v1/users/user/settings/update", { ui: { version } });
    const { OPENAI_API_CONFIGS: _, ...connections } = await api("GET", "/openai/config");
    const none = { OPENAI_API_BASE_URLS: [], OPENAI_API_KEYS: [], OPENAI_API_CONFIGS: {} };
    await api("POST", "/openai/config/update", { ...connections, ...none });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, api, token, stop: atEnd(stop) };
};

/** What a task asks for, by words of its text, and what is answered. */
const tasks = [
  ["concise title", '{"title": "Winter hours"}'],
  ["follow_ups", '{"follow_ups": ["Who drains the taps?"]}'],
  ["broad tags", '{"tags": ["Garden"]}'],
] as const;
/** A model that answers tasks in their form, and questions by what their sources hold. */
const answerOf = (messages: { content: string }[]): string[] => {
  const prompt = messages.at(-1)?.content ?? "";
  const task = prompt.startsWith("### Task:") ? tasks.find(([words]) => prompt.includes(words)) : undefined;
  if (task !== undefined) return [task[1]];
  if (prompt.includes("lastQuestion")) return ["When does the reading room open in summer?"];
  const markOf = (name: string) => new RegExp(`\\[(\\d+)\\] ${name}`).exec(prompt)?.[1];
  if (/summer\?|And in summer/.test(prompt)) return [`In summer it opens at eight [${markOf("House rules")}].`];
  return [
    `In winter the reading room opens at nine [${markOf("House rules")}]. `,
    `The taps are drained in October [${markOf("Winter list")}].`,
  ];
};

let model: FakeModelServer;
let carrel: BinaryServer;
let webUi: OpenWebUi;
let page: Page;
let hosts: Set<string>;
let key: string;
/** What the model was asked, in order. */
const prompts: { role: string; content: string }[][] = [];

const question = "When does the reading room open in winter, and what happens with the garden taps?";

await describeInBrowser(
  `Open WebUI${program === null ? ": skipped, it is not installed (CARREL_TEST_OPEN_WEBUI)" : ""}`,
  async (browser) => {
    if (program === null) return () => test.skip("it is not installed", () => {});
    model = startFakeModelServer();
    model.script = (messages) => {
      prompts.push(messages);
      return answerOf(messages);
    };
    carrel = await startBinary(model.settings);
    const documents = [
      ["House rules", "house", "# Hours\n\nIn winter the reading room opens at nine. In summer it opens at eight."],
      ["Winter list", "garden", "# Before the frost\n\nThe garden taps are drained in October."],
    ];
    for (const [name, partition, text] of documents)
      expect(await carrel.ask("POST", "/api/ingest", { json: { name, partition, text } })).toMatchObject({
        status: 200,
      });
    key = await carrel.issueKey({ role: "reader" });
    webUi = await startOpenWebUi(program);
    const visitor = await openWatchedProfile(browser, { viewport: { width: 1200, height: 900 } });
    await visitor.context.addInitScript((token) => localStorage.setItem("token", token), webUi.token);
    hosts = visitor.faults.hosts;
    page = await visitor.context.newPage();
    return () => {
      test.skipIf(program === null)(
        "a connection: sources that stay, a follow-up, a refusal, its own tasks",
        async () => {
          await open("/admin/settings/connections");
          await page.getByRole("button", { name: "Add Connection" }).first().click();
          await page.getByPlaceholder("API Base URL").fill(`${carrel.url}/v1`);
          await page.getByPlaceholder("API Key").fill(key);
          await page.getByRole("button", { name: "Advanced" }).click();
          await page.getByPlaceholder(/additional headers/).fill('{"X-Carrel-Sources": "open-webui"}');
          await page.getByRole("button", { name: "Save" }).last().click();
          await eventually(async () => expect(await models()).toEqual(["carrel", "carrel/garden", "carrel/house"]));

          await ask("carrel", question);
          await sawAnswer();
          await picture("connection");
          // Titles, tags and suggestions are what the model made of them.
          await page.getByText("Who drains the taps?").waitFor();
          await eventually(async () => {
            const [chat] = await webUi.api("GET", "/api/v1/chats/");
            expect(chat.title).toBe("Winter hours");
            expect(
              (await webUi.api("GET", `/api/v1/chats/${chat.id}/tags`)).map(({ name }: { name: string }) => name),
            ).toEqual(["Garden"]);
          });
          await page.reload();
          await sawAnswer();
          await sawPassage("The garden taps are drained in October.");
          await picture("after-reload");

          prompts.splice(0);
          await send("And in summer?");
          await page.getByText("In summer it opens at eight").waitFor();
          await send("Who won the chess championship of 1972?");
          await page.getByText("The documents do not hold an answer to this question.").waitFor();
          await picture("refused");
          // Its 36 tools reach no prompt; a question costs one answer, and nothing is written where it is refused.
          const asked = prompts.filter((messages) => !messages.at(-1)?.content.startsWith("### Task:"));
          expect(asked.map((messages) => messages.map(({ role }) => role))).toEqual([
            ["system", "user"],
            ["system", "user", "assistant", "user"],
          ]);
          expect(JSON.stringify(asked)).not.toContain("search_knowledge_bases");

          const note = { name: "pump.txt", mimeType: "text/plain", buffer: Buffer.from("The pump is green.") };
          await open("/?models=carrel");
          await page.locator("input[type=file]").first().setInputFiles(note);
          await page.getByText("pump.txt").first().waitFor();
          prompts.splice(0);
          await send("What color has the xylophone?");
          await eventually(() => {
            const about = prompts.map((messages) => messages.at(-1)?.content).join("\n");
            expect(about).toContain("The pump is green.");
            expect(about).toContain("Question: What color has the xylophone?");
          });
          expect([...hosts]).toEqual([new URL(webUi.url).host]);
        },
      );

      test.skipIf(program === null)("the function: the same sources, and a key for each user", async () => {
        const { OPENAI_API_CONFIGS: _, ...connections } = await webUi.api("GET", "/openai/config");
        await webUi.api("POST", "/openai/config/update", {
          ...connections,
          ENABLE_OPENAI_API: false,
          OPENAI_API_CONFIGS: {},
        });
        await open("/admin/functions/create");
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+A");
        await page.keyboard.insertText(await Bun.file(functionFile).text());
        await page.getByPlaceholder("Function Name").fill("Carrel");
        await page.getByRole("button", { name: "Save & Create" }).click();
        await page.getByRole("button", { name: "Confirm" }).last().click();
        await page.getByRole("button", { name: "Valves" }).click();
        for (const _ of ["url", "key"]) await page.getByText("Default", { exact: true }).first().click();
        await page.locator("form textarea").last().fill(carrel.url);
        await page.locator("#valve-key").fill(key);
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByText("Valves updated successfully").waitFor();
        await open("/admin/functions");
        await page.getByLabel("Enabled").click();
        await eventually(async () =>
          expect(await models()).toEqual(["carrel.carrel", "carrel.carrel/garden", "carrel.carrel/house"]),
        );

        await ask("carrel.carrel", question);
        await sawAnswer();
        await page.getByText("Who drains the taps?").waitFor();
        await page.reload();
        await sawAnswer();
        await sawPassage("The garden taps are drained in October.");
        await picture("function");

        const { body } = await carrel.ask("GET", "/api/partition");
        const garden = body.find(({ name }: { name: string }) => name === "garden").id;
        const limited = await carrel.ask("POST", "/api/key", {
          json: { name: "Ann", role: "reader", partitionId: garden },
        });
        const own = "/api/v1/functions/id/carrel/valves/user/update";
        await webUi.api("POST", own, { key: limited.body.key });
        await ask("carrel.carrel/house", question);
        await page.getByText("There is no such model.").first().waitFor();
        await webUi.api("POST", own, { key: "crl_unknown" });
        await ask("carrel.carrel", question);
        await page.getByText("This API key is unknown or was revoked.").first().waitFor();
        await picture("wrong-key");
        expect([...hosts]).toEqual([new URL(webUi.url).host]);
      });

      test.skipIf(program === null)("the tools, over MCP", async () => {
        const found = await webUi.api("POST", "/api/v1/configs/tool_servers/verify", {
          url: `${carrel.url}/mcp`,
          path: "",
          type: "mcp",
          auth_type: "bearer",
          key,
          config: { enable: true },
          info: { id: "carrel", name: "Carrel" },
        });
        expect(found.status).toBeTrue();
        expect(found.specs.map(({ name }: { name: string }) => name)).toEqual([
          "search",
          "fetch",
          "ask",
          "list_documents",
        ]);
      });
    };
  },
);

const open = async (path: string): Promise<void> => {
  await page.goto(`${webUi.url}${path}`, { waitUntil: "domcontentloaded", timeout: maxWaitMs });
};

const models = async (): Promise<string[]> =>
  (await webUi.api("GET", "/api/models")).data.map(({ id }: { id: string }) => id).sort();

/** In a new chat. */
const ask = async (id: string, text: string): Promise<void> => {
  await open(`/?models=${encodeURIComponent(id)}`);
  await send(text);
};

const send = async (text: string): Promise<void> => {
  await page.locator("#chat-input").click();
  await page.keyboard.insertText(text);
  await page.locator("#send-message-button").click();
};

/** The answer with the names of its documents in place of their marks, and the button of its sources. */
const sawAnswer = async (): Promise<void> => {
  await page.getByRole("button", { name: "2 Sources" }).first().waitFor();
  const said = (await page.locator("[id^=message-]").allInnerTexts()).join("\n").replaceAll(/\s+/g, " ");
  expect(said).toContain(
    "In winter the reading room opens at nine House rules . The taps are drained in October Winter list .",
  );
};

/** What a source's own window shows. */
const sawPassage = async (text: string): Promise<void> => {
  await page.getByRole("button", { name: "2 Sources" }).first().click();
  await page.getByRole("button", { name: "Winter list" }).last().click();
  await page.getByRole("dialog").getByText(text).waitFor();
  await page.keyboard.press("Escape");
};

const picture = async (name: string): Promise<void> => {
  const folder = process.env.CARREL_TEST_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `open-webui-${name}.png`) });
};
