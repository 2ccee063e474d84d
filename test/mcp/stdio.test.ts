import { afterAll, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { compiledBinary } from "../compiled-binary.ts";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** `carrel mcp` as it is shipped: the compiled program, started by the protocol's own client. */

const binary = await compiledBinary();
const dataDir = await temporaryFolder("mcp");
const server = await startTestServer();
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

const environment = () => ({ CARREL_DATA_DIR: dataDir, CARREL_MODELS_EMBEDDING_MODEL: "static" });

const connect = async (
  mode: "auto" | "legacy",
  args: string[] = [],
  env: Record<string, string> = environment(),
): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(new StdioClientTransport({ command: binary, args: ["mcp", ...args], env, stderr: "ignore" }));
  return client;
};

const titles = async (client: Client): Promise<string[]> => {
  const { structuredContent } = await client.callTool({ name: "list_documents", arguments: {} });
  return (structuredContent as { documents: { title: string }[] }).documents.map(({ title }) => title).sort();
};
const add = async (client: Client, name: string): Promise<void> => {
  const { isError } = await client.callTool({ name: "add_document", arguments: { name, text: `Text of ${name}.` } });
  expect(isError).not.toBe(true);
};

test("several on one data directory work at once, and go on when the one that opened it ends", async () => {
  const first = await connect("legacy");
  await add(first, "a");
  const [second, third] = await Promise.all([connect("auto"), connect("legacy")]);
  await add(second, "b");
  await add(third, "c");
  expect(await titles(first)).toEqual(["a", "b", "c"]);
  await first.close();
  // Both find it gone at the same moment: one opens the store, the other goes through that one.
  await Promise.all([add(second, "d"), add(third, "e")]);
  expect(await titles(second)).toEqual(["a", "b", "c", "d", "e"]);
  await second.close();
  expect(await titles(third)).toHaveLength(5);
  await third.close();
});

test.each(["auto", "legacy"] as const)("%s: --server serves the documents of a server elsewhere", async (mode) => {
  const client = await connect(mode, ["--server", server.url], { ...environment(), CARREL_KEY: server.key });
  // Sent twice, it is stored once.
  await add(client, "Elsewhere");
  await add(client, "Elsewhere");
  expect(await titles(client)).toEqual(["Elsewhere"]);
  const { isError, content } = await client.callTool({ name: "search", arguments: { query: "" } });
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("invalid_request: query")]);
});

const run = async (args: string[], input: string, env: Record<string, string> = {}) => {
  const child = Bun.spawn([binary, "mcp", ...args], {
    env: { ...environment(), ...env },
    stdio: [new TextEncoder().encode(input), "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return {
    status: await child.exited,
    err,
    said: out
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
  };
};

const list = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params: {} })}\n`;

test("what was asked before the input ends is answered; a broken line is the protocol's error; nothing else is said", async () => {
  const { status, said } = await run([], `${list(1)}\n{"jsonrpc":\n${list(2).trim()}`);
  expect(status).toBe(0);
  expect(said.map(({ id, error, result }) => [id, error?.code ?? result.tools.length]).sort()).toEqual([
    [null, -32_700],
    [1, 5],
    [2, 5],
  ]);
});

test("a wrong key, a server that is not there and a missing key are said in words", async () => {
  const wrong = await run(["--server", server.url], list(1), { CARREL_KEY: "crl_wrong" });
  expect(wrong.said[0].error.message).toContain("unknown or was revoked");
  const nowhere = await run(["--server", "http://127.0.0.1:9"], list(1), { CARREL_KEY: "crl_x" });
  expect(nowhere.said[0].error.message).toContain("http://127.0.0.1:9 cannot be reached");
  expect(await run(["--server", server.url], "")).toMatchObject({
    status: 2,
    err: "carrel: --server needs a key: set the variable CARREL_KEY.\n",
  });
});
