/**
 * VS Code itself, in Chromium, against the compiled program: set up by the two files of docs/integrations/vs-code.md. Its
 * chat works without an account for a model of one's own; that one is written here, and calls a tool of Carrel.
 * CARREL_TEST_PICTURES: a folder that pictures of it are put into.
 */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { atEnd } from "../at-end.ts";
import { compiledBinary } from "../compiled-binary.ts";
import { freePort } from "../free-port.ts";
import { eventually, until } from "../until.ts";
import { describeInBrowser } from "../web/describe-in-browser.ts";
import { type BinaryServer, startBinary } from "../web/journeys/start-binary.ts";
import { openWatchedProfile } from "../web/open-browser.ts";
import { realServers } from "./servers.ts";

const program = realServers.vsCode;

interface AskedModel {
  messages: { role: string; content?: unknown }[];
  tools?: { function: { name: string } }[];
}

/** A model that searches in Carrel once, and then says what it was told. */
const startAgentModel = () => {
  const asked: AskedModel[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { messages, tools = [] } = (await request.json()) as AskedModel;
      asked.push({ messages, tools });
      const tool = tools.map(({ function: { name } }) => name).find((name) => name.includes("carrel_search"));
      const told = messages.at(-1)?.role === "tool" ? JSON.stringify(messages.at(-1)?.content) : null;
      const call = {
        index: 0,
        id: `call_${asked.length}`,
        type: "function",
        function: { name: tool, arguments: JSON.stringify({ query: "boiler" }) },
      };
      const isCall = told === null && tool !== undefined;
      const said = told?.includes("every March") === true ? "It is serviced in spring." : "Nothing was found.";
      const chunk = (delta: object, finish_reason: string | null): string =>
        `data: ${JSON.stringify({
          ...{ id: "1", object: "chat.completion.chunk", created: 1, model: "agent" },
          choices: [{ index: 0, delta, finish_reason }],
        })}\n\n`;
      const parts = isCall
        ? [chunk({ role: "assistant", tool_calls: [call] }, null), chunk({}, "tool_calls")]
        : [chunk({ role: "assistant", content: said }, null), chunk({}, "stop")];
      return new Response(`${parts.join("")}data: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
    },
  });
  return { url: server.url.origin, asked, stop: atEnd(() => server.stop(true)) };
};

/** One that serves the folder `project`, which holds a file for MCP servers. */
const startVsCode = async (path: string, models: unknown) => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-vs-code-"));
  await mkdir(join(folder, "user/User"), { recursive: true });
  await Bun.write(join(folder, "user/User/chatLanguageModels.json"), JSON.stringify(models));
  await Bun.write(join(folder, "project/.vscode/mcp.json"), "{}");
  const port = await freePort();
  const options = [
    ...["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--config", join(folder, "config.yaml")],
    ...["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"],
    ...["--user-data-dir", join(folder, "user"), "--extensions-dir", join(folder, "extensions")],
  ];
  const log = Bun.file(join(folder, "log"));
  const child = Bun.spawn([join(path, "bin/node"), join(path, "code-server/out/node/entry.js"), ...options], {
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", HOME: folder },
    stdio: ["ignore", log, log],
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await child.exited;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(() => child.exitCode !== null || answers(), "VS Code answers");
  if (child.exitCode !== null) throw new Error(await log.text());
  return { url, project: join(folder, "project"), stop: atEnd(stop) };
};

let carrel: BinaryServer;
let code: Awaited<ReturnType<typeof startVsCode>>;
let model: ReturnType<typeof startAgentModel>;
let page: Page;

await describeInBrowser(
  `VS Code${program === null ? ": skipped, it is not installed (CARREL_TEST_VS_CODE)" : ""}`,
  async (browser) => {
    if (program === null) return () => test.skip("it is not installed", () => {});
    carrel = await startBinary();
    await carrel.post("/api/ingest", { name: "Boiler", text: "The boiler is serviced every March." });
    model = startAgentModel();
    const agent = {
      ...{ id: "agent", name: "Agent of a test", url: `${model.url}/chat/completions` },
      ...{ toolCalling: true, vision: false, maxInputTokens: 128_000, maxOutputTokens: 16_000 },
    };
    code = await startVsCode(program, [{ name: "Test", vendor: "customendpoint", apiKey: "x", models: [agent] }]);
    const { context } = await openWatchedProfile(browser, { viewport: { width: 1300, height: 900 } });
    page = await context.newPage();
    return () => {
      test.skipIf(program === null)(
        "over HTTP: it asks for the key, finds the tools, and an agent searches",
        async () => {
          await openWith((await recipes())[0]?.replace("http://127.0.0.1:7373", carrel.url) ?? "");
          await start(page.locator(".quick-input-widget").getByText("Key of Carrel"));
          await page.keyboard.insertText(await carrel.issueKey({ role: "reader" }));
          await page.keyboard.press("Enter");
          await lens().filter({ hasText: "4 tools" }).waitFor();
          expect(await Bun.file(join(code.project, ".vscode/mcp.json")).text()).not.toContain("crl_");

          const chat = page.locator(".interactive-input-part");
          // Models of one's own are looked for when they are first shown; the only one is taken.
          await command("Chat: Manage Language Models");
          await page.getByText("Agent of a test").first().waitFor();
          await page.keyboard.press("Escape");
          await chat.getByText("Agent of a test").waitFor();
          await chat.locator(".native-edit-context").focus();
          await page.keyboard.insertText("Search Carrel for when the boiler is serviced.");
          await page.keyboard.press("Enter");
          await page.locator(".interactive-list").getByText("It is serviced in spring.").waitFor();
          await picture("agent");
          const names = model.asked[0]?.tools?.map(({ function: { name } }) => name) ?? [];
          expect(names.filter((name) => name.startsWith("mcp_carrel_")).sort()).toEqual([
            "mcp_carrel_ask",
            "mcp_carrel_fetch",
            "mcp_carrel_list_documents",
            "mcp_carrel_search",
          ]);
          expect(JSON.stringify(model.asked[0]?.messages)).toContain("Carrel holds the documents of its user");
        },
      );

      test.skipIf(program === null)("over a data directory of this machine", async () => {
        const recipe = (await recipes())[1] ?? "";
        const installed = recipe.replace("/usr/local/bin/carrel", await compiledBinary());
        await openWith(installed.replace("/home/you/carrel-data", join(code.project, "data")));
        await start(lens().filter({ hasText: "5 tools" }));
        await command("MCP: List Servers");
        for (const choice of [/^carrel/, /^Show Output/])
          await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: choice }).click();
        await eventually(async () =>
          expect((await page.locator(".panel .view-lines").allInnerTexts()).join()).toMatch(/Discovered\s5\stools/),
        );
        await picture("stdio");
      });
    };
  },
);

/** The files that the page tells to write, in order. */
const recipes = async (): Promise<string[]> => {
  const text = await Bun.file(join(import.meta.dir, "../../docs/integrations/vs-code.md")).text();
  return [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) => json);
};

/** Opens the workbench with `.vscode/mcp.json` in its editor. */
const openWith = async (file: string): Promise<void> => {
  const path = join(code.project, ".vscode/mcp.json");
  await Bun.write(path, file);
  const opened = JSON.stringify([["openFile", `vscode-remote://${new URL(code.url).host}${path}`]]);
  await page.goto(`${code.url}/?${new URLSearchParams({ folder: code.project, payload: opened })}`);
};

/** One of the commands that F1 lists. */
const command = async (name: string): Promise<void> => {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input[type=text]").fill(`>${name}`);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().click();
};

/** The line over a server, in which VS Code says how it is and offers what to do. */
const lens = () => page.locator(".codelens-decoration");

/** Chooses Start, again where VS Code had not read the file yet, until what follows is there. */
const start = async (then: Locator): Promise<void> => {
  await eventually(async () => {
    const offered = lens().getByText("Start", { exact: true });
    if (await offered.isVisible()) await offered.click({ timeout: 2_000 });
    await then.waitFor({ timeout: 5_000 });
  });
};

const picture = async (name: string): Promise<void> => {
  const folder = process.env.CARREL_TEST_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `vs-code-${name}.png`) });
};
