import { atEnd } from "../../at-end.ts";

type Script = (string | (() => Promise<unknown>))[];
interface Message {
  role: string;
  content: string;
}

/** A model server in OpenAI's format whose answers a test writes, piece by piece. */
export interface FakeModelServer {
  /** For `models.answer.baseUrl`. */
  url: string;
  /** Environment variables of a server whose answers it writes. */
  settings: Record<string, string>;
  /** What is answered: pieces, and what is waited for between them; or what finds them for the messages of a request. */
  script: Script | ((messages: Message[]) => Script);
  /** The messages of the last request. */
  lastMessages: Message[];
  /** How often it was asked to answer. */
  requests: number;
  stop(): Promise<void>;
}

/** A pause that ends only when nobody waits for the answer any more. */
export const never = (): Promise<void> => new Promise(() => {});

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** Starts it on a free port of the loopback address. */
export const startFakeModelServer = (): FakeModelServer => {
  const state: Omit<FakeModelServer, "url" | "settings" | "stop"> = {
    script: ["Nothing."],
    lastMessages: [],
    requests: 0,
  };
  const encoder = new TextEncoder();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (new URL(request.url).pathname.endsWith("/models"))
        return Response.json({ object: "list", data: [{ id: "parrot", object: "model" }] });
      state.requests += 1;
      state.lastMessages = ((await request.json()) as { messages: Message[] }).messages;
      const chunk = (delta: object, finish_reason: string | null): Uint8Array =>
        encoder.encode(
          event({
            id: "1",
            object: "chat.completion.chunk",
            created: 1,
            model: "parrot",
            choices: [{ index: 0, delta, finish_reason }],
          }),
        );
      const { script, lastMessages } = state;
      const steps = [...(typeof script === "function" ? script(lastMessages) : script)];
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
            if (typeof step === "string") return controller.enqueue(chunk({ content: step }, null));
            await Promise.race([step(), aborted(request.signal)]);
          }
          controller.enqueue(chunk({}, "stop"));
          controller.enqueue(encoder.encode("data: [DONE]\n\n"));
          controller.close();
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const url = `${server.url.origin}/v1`;
  const settings = {
    CARREL_MODELS_ANSWER_PROVIDER: "openai",
    CARREL_MODELS_ANSWER_MODEL: "parrot",
    CARREL_MODELS_ANSWER_BASE_URL: url,
    CARREL_MODELS_ANSWER_CONTEXT_TOKENS: "8192",
  };
  return Object.assign(state, { url, settings, stop: atEnd(() => server.stop(true)) });
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
