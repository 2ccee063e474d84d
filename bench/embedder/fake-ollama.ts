/** A small Ollama that only embeds: vectors are made of a text's words, so texts that share words are near. */
export interface FakeOllama {
  url: string;
  /** Texts embedded so far, by model. */
  embedded(model: string): number;
  /** Answers every call with this while it is set. */
  failure: { status: number; message: string } | null;
  /** Length of a model's vectors; a model without one is not there. */
  models: Map<string, number>;
  /** Each call takes this long. */
  delayMs: number;
  /** What its models can. */
  capabilities: string[];
  stop(): Promise<void>;
}

const vectorOf = (text: string, dimensions: number): number[] => {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []) {
    const at = Number(BigInt(Bun.hash.wyhash(word)) % BigInt(dimensions));
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

export const startFakeOllama = (port = 0): FakeOllama => {
  const counts = new Map<string, number>();
  const state = {
    failure: null as FakeOllama["failure"],
    models: new Map([
      ["words-48", 48],
      ["words-64", 64],
    ]),
    delayMs: 0,
    capabilities: ["embedding"],
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/api/tags")
        return Response.json({ models: [...state.models.keys()].map((name) => ({ name: `${name}:latest` })) });
      const { model, input } = (await request.json()) as { model: string; input?: string[] };
      if (state.failure) return Response.json({ error: state.failure.message }, { status: state.failure.status });
      const dimensions = state.models.get(model);
      if (dimensions === undefined) return Response.json({ error: `model '${model}' not found` }, { status: 404 });
      if (pathname === "/api/show")
        return Response.json({
          capabilities: state.capabilities,
          model_info: { "general.architecture": "bert", "bert.embedding_length": dimensions },
        });
      const texts = input ?? [];
      if (state.delayMs > 0) await Bun.sleep(state.delayMs);
      counts.set(model, (counts.get(model) ?? 0) + texts.length);
      return Response.json({ model, embeddings: texts.map((text) => vectorOf(text, dimensions)) });
    },
  });
  return Object.assign(state, {
    url: `http://127.0.0.1:${server.port}`,
    embedded: (model: string) => counts.get(model) ?? 0,
    stop: () => server.stop(true),
  });
};
