/** OpenAI's own package, LangChain and LiteLLM for Python, as PyPI has them, against the compiled program. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { startBinary } from "../web/journeys/start-binary.ts";
import { realServers } from "./servers.ts";

test.skipIf(realServers.pythonClients === null)("OpenAI's clients for Python ask, whole and as streams", async () => {
  const server = await startBinary();
  try {
    const text = "The boiler is serviced in May.";
    await server.post("/api/ingest", { name: "House rules", text, partition: "house" });
    const child = Bun.spawn([realServers.pythonClients ?? "", join(import.meta.dir, "openai-clients.py")], {
      env: {
        ...process.env,
        CARREL_URL: server.url,
        CARREL_KEY: await server.issueKey({ role: "reader" }),
        // LiteLLM asks the internet for prices otherwise.
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
      },
      stdout: "pipe",
      stderr: "inherit",
    });
    const printed = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    const found = JSON.parse(printed.trim().split("\n").at(-1) ?? "");
    const said = expect.stringContaining("serviced in May. [1]");
    expect(found).toEqual({
      models: ["carrel", "carrel/house"],
      retrieved: "carrel/house",
      text: said,
      annotations: 1,
      carrel: ["receipt", "relevantSnippets"],
      streamed: said,
      "streamed annotations": 1,
      response: said,
      "streamed response": said,
      "unknown model": "model_not_found",
      "wrong key": "invalid_api_key",
      langchain: said,
      "langchain streamed": said,
      "langchain citations": 1,
      litellm: said,
      "litellm annotations": 1,
      "litellm streamed": said,
      "litellm streamed annotations": 1,
      "litellm unknown model": "NotFoundError",
    });
  } finally {
    await server.stop();
  }
});
