import { describe, expect, test } from "bun:test";
import { Secret } from "../../config/secret.ts";
import type { ChatEvent, ChatModel, ChatOptions, ChatTurn } from "../../providers/contract.ts";
import { ProviderError } from "../../providers/contract.ts";
import { type Exchange, type Fault, type Piece, startFaulty, startTalker } from "./replay.ts";

/** How the suite makes an adapter under test. */
export interface ChatSettings {
  baseUrl: string;
  apiKey?: Secret;
  timeoutMs?: number;
  maxOutputTokens?: number;
  contextTokens?: number;
  think?: boolean;
  temperature?: number | null;
  keepAlive?: string | null;
}
export type MakeChat = (model: string, settings: ChatSettings) => ChatModel;

const question: ChatTurn[] = [{ role: "user", content: "hi" }];
const answer = "The quick café answer is in source [1], and also near “naïve” text 日本 [2].";

export const listen = async (
  model: ChatModel,
  turns: readonly ChatTurn[] = question,
  signal = new AbortController().signal,
  options?: ChatOptions,
): Promise<{ text: string; done: Extract<ChatEvent, { type: "done" }> | undefined }> => {
  let text = "";
  let done: Extract<ChatEvent, { type: "done" }> | undefined;
  for await (const event of model.chat(turns, signal, options)) {
    if (event.type === "delta") text += event.text;
    else done = event;
  }
  return { text, done };
};

export const failure = async (work: Promise<unknown>): Promise<ProviderError> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
};

/** What a server does otherwise than others; the suite then asks less of it. */
export interface Quirks {
  /** It says so where a model is missing. */
  tellsMissing: boolean;
  /** It counts the tokens of a streamed answer. */
  countsTokens: boolean;
  /** What becomes of a prompt longer than the context: a refusal, or a cut that nobody is told of. */
  longPrompt: "refused" | "cut";
}

export const noQuirks: Quirks = { tellsMissing: true, countsTokens: true, longPrompt: "refused" };

/** What every chat adapter does on a server that works; runs on recordings and on the real servers alike. */
export const chatConformance = (
  name: string,
  make: MakeChat,
  baseUrl: () => string,
  { tellsMissing, countsTokens, longPrompt }: Quirks = noQuirks,
) =>
  describe(`${name}, chat`, () => {
    test("streams the answer and one end", async () => {
      const { text, done } = await listen(make("parrot", { baseUrl: baseUrl() }));
      expect(text).toBe(answer);
      expect(done?.finishReason).toBe("stop");
    });

    test("says when maxOutputTokens cut the answer", async () => {
      const { done } = await listen(make("parrot", { baseUrl: baseUrl(), maxOutputTokens: 3 }));
      expect(done?.finishReason).toBe("length");
    });

    test("keeps thoughts out of the answer", async () => {
      const { text } = await listen(make("thinker", { baseUrl: baseUrl(), maxOutputTokens: 200 }));
      expect(text).toBe(answer);
    });

    test("a call may ask for less output than the settings, and for no thoughts", async () => {
      const listenTo = (model: ChatModel, maxOutputTokens: number) =>
        listen(model, question, new AbortController().signal, { maxOutputTokens, think: false });
      const { done } = await listenTo(make("parrot", { baseUrl: baseUrl() }), 3);
      expect(done?.finishReason).toBe("length");
      const { text } = await listenTo(make("thinker", { baseUrl: baseUrl(), think: true }), 200);
      expect(text).toBe(answer);
    });

    if (tellsMissing)
      test("names the missing model", async () => {
        const error = await failure(listen(make("nope", { baseUrl: baseUrl() })));
        expect(error.kind).toBe("model_missing");
        expect(error.message).toContain("`nope`");
        expect(error.message).toContain("models.answer.model");
      });

    if (countsTokens)
      test("counts the tokens of prompt and answer", async () => {
        const { done } = await listen(make("parrot", { baseUrl: baseUrl() }));
        expect(done?.promptTokens).toBeGreaterThan(0);
        expect(done?.outputTokens).toBeGreaterThan(10);
      });

    if (longPrompt === "refused")
      test("a prompt longer than the context fails, and is not cut in silence", async () => {
        // Two tokens each, in a context of 4,096.
        const long: ChatTurn[] = [{ role: "user", content: "ж".repeat(2_500) }];
        const error = await failure(listen(make("parrot", { baseUrl: baseUrl() }), long));
        expect(error.kind).toBe("too_long");
      });

    test("estimates no fewer tokens than the server counts", async () => {
      const model = make("parrot", { baseUrl: baseUrl() });
      const { done } = await listen(model);
      if (done?.outputTokens != null) expect(model.estimateTokens(answer)).toBeGreaterThanOrEqual(done.outputTokens);
    });

    test("knows a context size", async () => {
      const size = await make("parrot", { baseUrl: baseUrl() }).contextTokens(new AbortController().signal);
      expect(size).toBeGreaterThanOrEqual(256);
    });

    test("a refused connection is unreachable and names baseUrl", async () => {
      const error = await failure(listen(make("parrot", { baseUrl: "http://127.0.0.1:9/" })));
      expect(error.kind).toBe("unreachable");
      expect(error.message).toContain("models.answer.baseUrl");
    });

    test("an abort before the start asks nothing", async () => {
      const error = await failure(listen(make("parrot", { baseUrl: baseUrl() }), question, AbortSignal.abort()));
      expect(error.kind).toBe("aborted");
    });
  });

const expected: Record<Fault, ProviderError["kind"] | null> = {
  silent: "timeout",
  stalls: "timeout",
  cut: "bad_answer",
  "stays-open": null,
  "drops-late": null,
  garbage: "bad_answer",
  html: "bad_answer",
  unauthorized: "unauthorized",
  "rate-limited": "rate_limited",
  "busy-once": null,
  "out-of-memory": "bad_answer",
  redirects: "bad_answer",
  "echoes-key": "bad_answer",
};

/**
 * What every chat adapter does on a server that fails; `exchanges` is the recording the fakes are built from. Most of it is
 * waiting: each test has a server of its own, and all wait at once.
 */
export const chatFaults = (name: string, make: MakeChat, exchanges: readonly Exchange[]) =>
  describe(`${name}, chat on a failing server`, () => {
    for (const fault of Object.keys(expected) as Fault[])
      test.concurrent(`${fault}: ${expected[fault] ?? "waits and succeeds"}`, async () => {
        const server = startFaulty(fault, exchanges);
        const apiKey = "sk-very-secret";
        const kind = expected[fault];
        const timeoutMs = kind === "timeout" ? 600 : 30_000;
        const model = make("parrot", { baseUrl: server.url, timeoutMs, apiKey: new Secret(apiKey) });
        if (kind === null) {
          expect((await listen(model)).text).toBe(answer);
        } else {
          const error = await failure(listen(model));
          expect(error.kind).toBe(kind);
          expect(error.message).not.toContain(apiKey);
          if (fault === "rate-limited") expect(error.retryAfterMs).toBe(120_000);
          // Where the time was up before the call came, nobody hangs up.
          if (kind === "timeout" && server.calls() > 0) await server.hungUp;
        }
        await server.stop();
      });

    /** What the server says after the recorded answers to questions about the model, a piece every few milliseconds. */
    const talk = async (piece: Piece, settings: Partial<ChatSettings> = {}) => {
      const server = startTalker(exchanges, piece);
      try {
        return await listen(make("parrot", { baseUrl: server.url, timeoutMs: 700, ...settings }));
      } finally {
        await server.hungUp;
        await server.stop();
      }
    };

    for (const [what, piece] of [
      ["comments", "comment"],
      ["roles alone", { text: null }],
      ["empty pieces", { text: "" }],
      ["white space", { text: " \n" }],
      ["signs that nobody sees", { text: "\u200b\u0000\u001b\u202e" }],
    ] as [string, Piece][])
      test.concurrent(`a lively stream of ${what} is silence`, async () => {
        const error = await failure(talk(piece, { maxOutputTokens: 20 }));
        expect(error.kind).toBe("timeout");
        expect(error.message).toContain("models.answer.timeoutMs");
      });

    test.concurrent("thoughts that nobody asked for are silence, and the error tells of them", async () => {
      for (const piece of [{ thought: "I wonder. " }, { text: "<think>I wonder. " }]) {
        const error = await failure(talk(piece, { maxOutputTokens: 4_000 }));
        expect(error.kind).toBe("timeout");
        expect(error.message).toContain("let the model think for 0.7 s and said nothing");
      }
    });

    test.concurrent("thoughts that were asked for are no silence, and have an end", async () => {
      for (const piece of [{ thought: "I wonder. " }, { text: "<think>I wonder. " }]) {
        const error = await failure(talk(piece, { timeoutMs: 30_000, maxOutputTokens: 4, think: true }));
        expect(error.kind).toBe("timeout");
        expect(error.message).toContain("models.answer.think");
      }
    });

    test.concurrent("an answer that goes on for ever is cut by our own count", async () => {
      const { text, done } = await talk({ text: "one more " }, { timeoutMs: 30_000, maxOutputTokens: 20 });
      expect(done?.finishReason).toBe("length");
      expect(text).toBe("one more ".repeat(10).trimEnd());
      const long = await talk({ text: "word ".repeat(20_000) }, { timeoutMs: 30_000, maxOutputTokens: 20 });
      expect(long.text).toBe("word ".repeat(20).trimEnd());
    });

    test.concurrent("control characters, lone surrogates and overrides of direction are not passed on", async () => {
      const odd = "a\u0000b\u001b[31mc\u202ed\u2066e\u009bf\tg\r\nh\ud800i\u007f";
      const { text } = await talk({ text: odd }, { timeoutMs: 30_000, maxOutputTokens: 60 });
      const clean = "ab[31mcdef\tg\nh\ufffdi";
      expect(text.startsWith(clean + clean)).toBe(true);
      // Halves of a character may come one after the other.
      const halves = await talk(["\ud83d", "\ude42"], { timeoutMs: 30_000, maxOutputTokens: 60 });
      expect(halves.text).toMatch(/^(🙂){5,}$/u);
    });

    test.concurrent("leaving the loop closes the connection", async () => {
      const server = startFaulty("stalls", exchanges);
      for await (const event of make("parrot", { baseUrl: server.url, timeoutMs: 10_000 }).chat(
        question,
        new AbortController().signal,
      )) {
        expect(event.type).toBe("delta");
        break;
      }
      await server.hungUp;
      await server.stop();
    });

    test.concurrent("an abort in mid-answer closes the connection and is said", async () => {
      const server = startFaulty("stalls", exchanges);
      const caller = new AbortController();
      const work = async () => {
        for await (const _ of make("parrot", { baseUrl: server.url, timeoutMs: 10_000 }).chat(question, caller.signal))
          caller.abort();
      };
      expect((await failure(work())).kind).toBe("aborted");
      await server.hungUp;
      await server.stop();
    });

    test.concurrent("after three failures in a row the server is left alone", async () => {
      const server = startFaulty("silent", exchanges);
      const model = make("parrot", { baseUrl: server.url, timeoutMs: 50 });
      for (let i = 0; i < 3; i++) await failure(listen(model));
      const before = server.calls();
      const error = await failure(listen(model));
      expect(error.kind).toBe("unreachable");
      expect(error.retryAfterMs).toBeGreaterThan(0);
      expect(error.message).toContain("models.answer.timeoutMs");
      expect(server.calls()).toBe(before);
      await server.stop();
    });
  });
