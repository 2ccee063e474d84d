/** How a server refuses a prompt that is too long; the shapes are those of the real ones. */
export type Refusal = "ollama" | "openai" | "vllm" | "llama.cpp" | "llama-cpp-python" | "empty" | "413";

interface CountingServer {
  url: string;
  /** Tokens of each prompt that came, and whether it was taken. */
  readonly prompts: { tokens: number; taken: boolean }[];
  /** What the last prompt taken said, all turns together. */
  lastPrompt: string;
  charactersPerToken: number;
  refusal: Refusal;
  stop(): Promise<void>;
}

interface ChatRequest {
  messages: { content: string }[];
  stream?: boolean;
  max_tokens?: number;
  options?: { num_predict?: number };
}

/** A chat server with a context of its own that counts every character, as no estimate does. */
export const startCountingServer = (contextTokens: number): CountingServer => {
  const prompts: CountingServer["prompts"] = [];
  const state = { lastPrompt: "", charactersPerToken: 1, refusal: "ollama" as Refusal };
  const json = (body: unknown, status = 200) => Response.json(body, { status });

  const refuse = (tokens: number, request: ChatRequest): Response => {
    const most = request.max_tokens ?? 0;
    const error = (message: string, code: string | number | null, more = {}) =>
      json({ error: { message, type: "invalid_request_error", param: "messages", code, ...more } }, 400);
    switch (state.refusal) {
      case "ollama":
        return json({ error: "the input length exceeds the context length" }, 400);
      case "openai":
        return error(
          `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
          "context_length_exceeded",
        );
      case "vllm":
        return error(
          `This model's maximum context length is ${contextTokens} tokens. However, you requested ${tokens + most} tokens (${tokens} in the messages, ${most} in the completion). Please reduce the length of the messages or completion.`,
          400,
        );
      case "llama.cpp":
        return error("the request exceeds the available context size, try increasing it", 400, {
          type: "exceed_context_size_error",
          n_prompt_tokens: tokens,
          n_ctx: contextTokens,
        });
      case "llama-cpp-python":
        return request.stream === true
          ? new Response("", { headers: { "content-type": "text/event-stream" } })
          : error(`Requested tokens (${tokens}) exceed context window of ${contextTokens}`, "context_length_exceeded");
      case "empty":
        return new Response("", { headers: { "content-type": "text/event-stream" } });
      case "413":
        return new Response("<html><h1>413 Request Entity Too Large</h1></html>", { status: 413 });
    }
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/v1/models") return json({ data: [{ id: "counter", max_model_len: contextTokens }] });
      const body = (await request.json()) as ChatRequest;
      if (pathname === "/api/show")
        return json({ model_info: { "general.architecture": "x", "x.context_length": contextTokens } });
      const text = body.messages.map(({ content }) => content).join("\n");
      const tokens = Math.ceil(text.length / state.charactersPerToken);
      // vLLM wants room for the longest answer too.
      const taken = tokens + (state.refusal === "vllm" ? (body.max_tokens ?? 0) : 0) <= contextTokens;
      if (body.stream === true) prompts.push({ tokens, taken });
      if (!taken) return refuse(tokens, body);
      state.lastPrompt = text;
      if (pathname === "/api/chat")
        return new Response(
          `${JSON.stringify({ model: "counter", message: { content: "At nine [1]." }, done: true, done_reason: "stop", prompt_eval_count: tokens })}\n`,
        );
      const chunk = { model: "counter", choices: [{ delta: { content: "At nine [1]." }, finish_reason: "stop" }] };
      const usage = { prompt_tokens: tokens, completion_tokens: 4 };
      return new Response(`data: ${JSON.stringify({ ...chunk, usage })}\n\ndata: [DONE]\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    },
  });
  return Object.assign(state, { url: `http://127.0.0.1:${server.port}`, prompts, stop: () => server.stop(true) });
};
