import { type ChatEvent, type ChatModel, type ChatTurn, ProviderError, type ProviderErrorKind } from "../contract.ts";
import { brokenAnswer } from "../http/call-failure.ts";
import { countIn, nameIn, objectIn, textIn } from "../http/json-values.ts";
import { createModelText, type Said } from "../http/model-text.ts";
import type { Outbound } from "../http/outbound.ts";
import type { AnswerSettings } from "../http/provider.ts";
import { askOnce } from "../http/repeat-call.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { answerOf, createOpenAiOutbound, isOfficial, openAiClient, openAiFailure } from "./connection.ts";
import { listedContext, officialContext } from "./model-list.ts";

/** If neither the server nor the list of known models says the context: the default of small local servers. */
const unknownContextTokens = 4_096;

/** The vendor's models that think (its model pages), and room for their thoughts on a small task. */
const thinking = /^(gpt-5|o[1-9])/;
/** The same where another server passes them on under its own name. */
const thinkingAnywhere = /(^|\/)(gpt-5|o[1-9])/;
const thoughtTokens = 2_048;

/**
 * How long after the end of an answer its counts and the stream's end mark may come: some servers and gateways send
 * neither, and leave the connection open or drop it.
 */
const maxAfterEndMs = 2_000;

/** Answers by a model on an OpenAI-compatible server. */
export const createOpenAiChat = (settings: AnswerSettings, model: string): ChatModel => {
  const outbound = createOpenAiOutbound("answer", settings);
  const official = isOfficial(outbound);
  const listed = askOnce(outbound, (signal) => listedContext(outbound, model, signal));
  return {
    provider: "openai",
    model,
    estimateTokens,
    async contextTokens(signal) {
      if (settings.contextTokens) return settings.contextTokens;
      const known = official ? officialContext(model) : null;
      return known ?? (await listed(signal)) ?? unknownContextTokens;
    },
    chat(turns, signal, options) {
      // The vendor's thinking models cannot be asked not to think, and their thoughts count as output.
      const thoughts = official && options?.think === false && thinking.test(model) ? thoughtTokens : 0;
      const longest = options?.maxOutputTokens ?? settings.maxOutputTokens;
      const most = longest + thoughts;
      // The vendor's newer models refuse the old name; most compatible servers know only the old one.
      const limit = official ? { max_completion_tokens: most } : { max_tokens: most };
      // Thinking models refuse every temperature but their own.
      const temperature = thinkingAnywhere.test(model) ? null : (options?.temperature ?? settings.temperature);
      const request = { ...limit, ...(temperature === null ? {} : { temperature }) };
      const limits = { maxOutputTokens: longest, mayThink: options?.think ?? settings.think };
      return streamed({ outbound, model, turns, request, limits, signal });
    },
  };
};

const finishReasonOf = (reason: string | null): "stop" | "length" | "filtered" =>
  reason === "length" ? "length" : reason === "content_filter" ? "filtered" : "stop";

interface Call {
  outbound: Outbound;
  model: string;
  turns: readonly ChatTurn[];
  request: ({ max_tokens: number } | { max_completion_tokens: number }) & { temperature?: number };
  limits: { maxOutputTokens: number; mayThink: boolean };
  signal: AbortSignal;
}

/** What the chunks of a stream say besides the text. */
interface StreamFacts {
  hasBegun: boolean;
  finish: string | null;
  promptTokens: number | null;
  outputTokens: number | null;
  model: string | null;
}

/** Failures of the connection; `aborted` comes of our own hanging up. */
const connectionKinds: ReadonlySet<ProviderErrorKind> = new Set(["unreachable", "timeout", "aborted"]);

async function* streamed(call: Call): AsyncGenerator<ChatEvent> {
  const { outbound, model, turns, request, limits, signal } = call;
  const left = new AbortController();
  const both = AbortSignal.any([signal, left.signal]);
  const spoken = createModelText(outbound, limits, () => left.abort());
  const facts: StreamFacts = { hasBegun: false, finish: null, promptTokens: null, outputTokens: null, model: null };
  let afterEnd: ReturnType<typeof setTimeout> | undefined;
  try {
    const parts = await openAiClient(outbound, both, { isStream: true }).chat.completions.create({
      model,
      messages: turns.map(({ role, content }) => ({ role, content })),
      stream: true,
      stream_options: { include_usage: true },
      ...request,
    });
    for await (const part of spoken.over(parts)) {
      const text = await spoken.take(readChunk(part, facts, outbound));
      if (text !== "") yield { type: "delta", text };
      if (spoken.isFull) facts.finish = "length";
      if (spoken.isFull) break;
      if (facts.finish !== null) afterEnd ??= setTimeout(() => left.abort(), maxAfterEndMs);
    }
    // The library ends its loop without an error when it is aborted, and when a server fails in the middle of an answer.
    signal.throwIfAborted();
    const givenUp = spoken.failure();
    if (givenUp !== null && facts.finish === null) throw givenUp;
    if (!facts.hasBegun) throw await emptyStream(call);
    if (facts.finish === null) throw brokenAnswer(outbound, "the stream ended before the answer did");
  } catch (error) {
    const failure = spoken.failure() ?? openAiFailure(error, outbound, model, signal);
    // The answer is whole: a connection that breaks or falls silent after it takes nothing from it.
    const isHarmless = facts.finish !== null && !signal.aborted && connectionKinds.has(failure.kind);
    if (!isHarmless) throw failure;
  } finally {
    clearTimeout(afterEnd);
    left.abort();
  }
  const rest = await spoken.end();
  if (rest !== "") yield { type: "delta", text: rest };
  const { promptTokens, outputTokens } = facts;
  yield { type: "done", finishReason: finishReasonOf(facts.finish), promptTokens, outputTokens, model: facts.model };
}

/** Reads a chunk of the stream. All that is known about it is that it is JSON. @returns what it says */
const readChunk = (part: unknown, facts: StreamFacts, outbound: Outbound): Said => {
  const fields = objectIn(part);
  if (fields === null) throw brokenAnswer(outbound, "a chunk that is not an object");
  facts.hasBegun = true;
  const usage = objectIn(fields.usage);
  if (usage !== null) {
    facts.promptTokens = countIn(usage.prompt_tokens);
    facts.outputTokens = countIn(usage.completion_tokens);
  }
  facts.model = nameIn(fields.model) ?? facts.model;
  // The chunk with the usage has no choices, in some servers not even the list.
  const choices = fields.choices ?? [];
  if (!Array.isArray(choices)) throw brokenAnswer(outbound, "a chunk without choices");
  if (choices.length === 0) return { text: "", thought: "" };
  const choice = objectIn(choices[0]);
  const delta = objectIn(choice?.delta ?? {});
  const content = delta?.content ?? "";
  if (choice === null || delta === null || typeof content !== "string")
    throw brokenAnswer(outbound, "a chunk without text");
  facts.finish = nameIn(choice.finish_reason) ?? facts.finish;
  // Servers differ in what they call it.
  return { text: content, thought: textIn(delta.reasoning_content) || textIn(delta.reasoning) };
};

/**
 * A stream without a single chunk: llama-cpp-python ends this way if the prompt is too long, and says so only
 * if the answer is not streamed. So it is asked once more, for one token.
 */
const emptyStream = async ({ outbound, model, turns, signal }: Call): Promise<ProviderError> => {
  const messages = turns.map(({ role, content }) => ({ role, content }));
  const words = "the stream ended before the answer began";
  try {
    const answer = await answerOf(outbound, model, signal, (client) =>
      client.chat.completions.create({ model, messages, max_tokens: 1 }),
    );
    if (objectIn(answer) !== null) return brokenAnswer(outbound, words);
  } catch (error) {
    if (error instanceof ProviderError && error.kind !== "bad_answer") return error;
  }
  const { service, kind, message } = brokenAnswer(outbound, words);
  return new ProviderError(service, kind, message, { wasEmpty: true });
};
