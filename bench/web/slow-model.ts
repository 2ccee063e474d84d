const words = `${"Many words of a long answer follow one another here. ".repeat(6)}[1]\n\n`;
const parts = 24;
const pauseMs = 40;

/** A model server in OpenAI's format that writes a long answer slowly: longer than a second, so that shifts count. */
export const startSlowModel = (): { settings: Record<string, string>; stop(): Promise<void> } => {
  const encoder = new TextEncoder();
  const line = (value: unknown) =>
    encoder.encode(`data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`);
  const chunk = (delta: object, finish: string | null) =>
    line({
      id: "1",
      object: "chat.completion.chunk",
      created: 1,
      model: "slow",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const answer = async function* () {
    for (let part = 0; part < parts; part++) {
      await Bun.sleep(pauseMs);
      yield chunk({ content: words }, null);
    }
    yield chunk({}, "stop");
    yield line("[DONE]");
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: ({ url }) =>
      url.endsWith("/models")
        ? Response.json({ object: "list", data: [{ id: "slow", object: "model" }] })
        : new Response(answer, { headers: { "content-type": "text/event-stream" } }),
  });
  return {
    settings: {
      CARREL_MODELS_ANSWER_PROVIDER: "openai",
      CARREL_MODELS_ANSWER_MODEL: "slow",
      CARREL_MODELS_ANSWER_BASE_URL: `${server.url.origin}/v1`,
      CARREL_MODELS_ANSWER_CONTEXT_TOKENS: "8192",
    },
    stop: () => server.stop(true),
  };
};
