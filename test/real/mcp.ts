/** MCP clients of other makers: Python's mcp and fastmcp, the Inspector, the first TypeScript SDK, against the compiled program. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { compiledBinary } from "../compiled-binary.ts";
import { type BinaryServer, startBinary } from "../web/journeys/start-binary.ts";
import { realServers } from "./servers.ts";

const folder = realServers.mcpClients;
const all = ["search", "fetch", "ask", "list_documents", "add_document"];

describe.skipIf(folder === null)("MCP clients", () => {
  let server: BinaryServer;
  let binary: string;
  let document: string;
  let characters: number;
  beforeAll(async () => {
    binary = await compiledBinary();
    server = await startBinary((url) => ({ CARREL_SERVER_BASE_URL: url, CARREL_MCP_OAUTH: "true" }), { isKept: true });
    await server.post("/api/ingest", { name: "Boiler", text: "The boiler is serviced every March." });
    const text = "A paragraph of a long document, with an ä and a 😀 in it.\n\n".repeat(52_000);
    document = (await server.ask("POST", "/api/ingest", { json: { name: "Long", text } })).body.id;
    characters = (await server.ask("GET", `/api/document/${document}/text`)).text.length;
    expect(characters).toBeGreaterThan(3_000_000);
  }, 600_000);
  afterAll(() => server?.stop());

  const run = async (command: string[], env: Record<string, string> = {}): Promise<string> => {
    const child = Bun.spawn(command, {
      cwd: folder ?? "",
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${err}${out}`);
    return out;
  };

  test("Python's mcp in both eras, over stdio and by OAuth, and fastmcp", async () => {
    const script = join(import.meta.dir, "mcp-clients.py");
    const out = await run([join(folder ?? "", "python/bin/python"), script, server.url, server.key, document, binary]);
    const found = JSON.parse(out.trim().split("\n").at(-1) ?? "");
    const whole = {
      tools: all,
      title: "Boiler",
      same: true,
      wrong: [true, expect.stringContaining("invalid_request: query")],
    };
    expect(found).toEqual({
      auto: whole,
      legacy: whole,
      stdio: whole,
      long: { characters, parts: expect.any(Number) },
      fastmcp: { tools: all, title: "Boiler" },
      oauth: { ...whole, tools: all.slice(0, 4) },
    });
  }, 600_000);

  const inspector = (args: string[], env: Record<string, string> = {}) =>
    run([join(folder ?? "", "node_modules/.bin/mcp-inspector"), "--cli", ...args], env);

  test("the Inspector, over HTTP and over stdio", async () => {
    const http = [`${server.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${server.key}`];
    const said = await inspector([
      ...http,
      "--method",
      "tools/call",
      "--tool-name",
      "search",
      "--tool-arg",
      "query=boiler",
    ]);
    expect(said).toContain("every March");
    const env = { CARREL_DATA_DIR: join(server.dataDir, "other"), CARREL_MODELS_EMBEDDING_MODEL: "static" };
    expect(await inspector([binary, "mcp", "--method", "tools/list"], env)).toContain("list_documents");
  }, 300_000);

  test("the first TypeScript SDK", async () => {
    const script = `
      import { Client } from "@modelcontextprotocol/sdk/client/index.js";
      import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
      const client = new Client({ name: "test", version: "1" });
      const requestInit = { headers: { authorization: "Bearer ${server.key}" } };
      await client.connect(new StreamableHTTPClientTransport(new URL("${server.url}/mcp"), { requestInit }));
      const { structuredContent } = await client.callTool({ name: "ask", arguments: { question: "When is the boiler serviced?" } });
      console.log(JSON.stringify(structuredContent));
      await client.close();`;
    const said = JSON.parse(await run(["node", "--input-type=module", "-e", script]));
    expect(said).toMatchObject({ answered: true, answer: expect.stringContaining("March") });
  }, 300_000);
});
