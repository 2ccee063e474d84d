import { atEnd } from "../at-end.ts";
import { onFreePort } from "../free-port.ts";

/** Ways in which a model server fails, as seen of real ones. */
export const faults = [
  "down",
  "silent",
  "stalls",
  "garbage",
  "proxy page",
  "cut",
  "breaks",
  "refuses the key",
  "rate limited",
  "queue full",
  "out of memory",
  "model gone",
] as const;
export type Fault = (typeof faults)[number];

export interface FailingOllama {
  url: string;
  /** What goes wrong from now on; null: nothing. Questions about a model go on being answered. */
  fail(fault: Fault | null): Promise<void>;
  stop(): Promise<void>;
}

const sentence = ["The reading room", " opens at nine", " in winter [1]."];
const dimensions = 16;

/** An Ollama with one model that writes and one that embeds, and that fails as it is told to. */
export const startFailingOllama = (): FailingOllama => {
  const state: { fault: Fault | null } = { fault: null };
  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/tags")
      return Response.json({ models: [{ name: "writer:latest" }, { name: "embedder:latest" }] });
    const { model, input } = (await request.json()) as { model: string; input?: string[] };
    if (pathname === "/api/show")
      return Response.json({
        capabilities: [model === "writer" ? "completion" : "embedding"],
        model_info: {
          "general.architecture": "bert",
          "bert.context_length": 8192,
          "bert.embedding_length": dimensions,
        },
      });
    const good =
      pathname === "/api/chat"
        ? `${sentence.map((content) => JSON.stringify({ model, message: { role: "assistant", content }, done: false })).join("\n")}\n${JSON.stringify({ model, message: { role: "assistant", content: "" }, done: true, done_reason: "stop", eval_count: 9 })}\n`
        : JSON.stringify({ model, embeddings: (input ?? []).map((text) => vectorOf(text)) });
    const type = pathname === "/api/chat" ? "application/x-ndjson" : "application/json";
    const answer = (body: string | ReadableStream<Uint8Array>, status = 200, headers: Record<string, string> = {}) =>
      new Response(body, { status, headers: { "content-type": type, ...headers } });
    if (state.fault === null) return answer(good);
    const begin = good.slice(0, Math.floor(good.length / 2));
    switch (state.fault) {
      case "down":
      case "silent":
        return new Promise(() => {});
      case "stalls":
        return answer(
          new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(begin)) }),
        );
      case "garbage":
        return answer("\u0000 this is { not what was asked for ]\n");
      case "proxy page":
        return answer("<html><h1>Bad Gateway</h1></html>", 502, { "content-type": "text/html" });
      case "cut":
        return answer(begin.slice(0, begin.lastIndexOf("\n") + 1));
      case "breaks":
        return answer(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(new TextEncoder().encode(begin));
              await Bun.sleep(20);
              controller.error(new Error("the connection breaks"));
            },
          }),
        );
      case "refuses the key":
        return answer(JSON.stringify({ error: "unauthorized" }), 401);
      case "rate limited":
        return answer(JSON.stringify({ error: "slow down" }), 429, { "retry-after": "120" });
      case "queue full":
        return answer(
          JSON.stringify({ error: "server busy, please try again.  maximum pending requests exceeded" }),
          503,
        );
      case "out of memory":
        return answer(
          JSON.stringify({ error: "model requires more system memory (9.1 GiB) than is available (4.2 GiB)" }),
          500,
        );
      case "model gone":
        return answer(JSON.stringify({ error: `model "${model}" not found, try pulling it first` }), 404);
    }
  };
  const listen = (port: number) => Bun.serve({ hostname: "127.0.0.1", port, idleTimeout: 0, fetch: handle });
  let server = onFreePort(listen);
  const port = server.port ?? 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async fail(fault) {
      if (state.fault === "down") server = listen(port);
      state.fault = fault;
      if (fault === "down") await server.stop(true);
    },
    stop: atEnd(() => server.stop(true)),
  };
};

const vectorOf = (text: string): number[] => {
  const vector = new Array<number>(dimensions).fill(0.1);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const at = Number(BigInt(Bun.hash.wyhash(word)) % BigInt(dimensions));
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
};
