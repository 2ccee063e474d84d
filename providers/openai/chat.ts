import { askOnce, neverAborted } from "../ask-once.ts";
import { type ChatEvent, type ChatModel, type ChatTurn, ProviderError } from "../contract.ts";
import { brokenAnswer } from "../http/call-failure.ts";
import type { Outbound } from "../http/outbound.ts";
import { countIn, nameIn, objectIn } from "../json-values.ts";
import type { AnswerSettings } from "../provider.ts";
import { createThoughtFilter } from "../thought-filter.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { answerOf, createOpenAiOutbound, isOfficial, openAiClient, openAiFailure } from "./connection.ts";
import { officialContext, toldContext } from "./model-list.ts";

/** For a server that tells no context size and a model that is not known: what small local servers start with. */
const UNKNOWN_CONTEXT_TOKENS = 4_096;

/** The vendor's models that think (its model pages), and room for what they do so over a small task. */
const thinking = /^(gpt-5|o[1-9])/;
const THOUGHT_TOKENS = 2_048;

/** Answers by a model behind an OpenAI-speaking server. */
export const createOpenAiChat = (settings: AnswerSettings, model: string): ChatModel => {
  const outbound = createOpenAiOutbound("answer", settings);
  const official = isOfficial(outbound);
  const told = askOnce(() => toldContext(outbound, model, neverAborted()));
  return {
    provider: "openai",
    model,
    estimateTokens,
    async contextTokens() {
      if (settings.contextTokens) return settings.contextTokens;
      const known = official ? officialContext(model) : null;
      return known ?? (await told()) ?? UNKNOWN_CONTEXT_TOKENS;
    },
    chat(turns, signal, options) {
      // The vendor's thinking models cannot be told not to, and their thoughts count as output.
      const thoughts = official && options?.think === false && thinking.test(model) ? THOUGHT_TOKENS : 0;
      const most = (options?.maxOutputTokens ?? settings.maxOutputTokens) + thoughts;
      // The vendor's newer models refuse the old name; most compatible servers know only the old one.
      const limit = official ? { max_completion_tokens: most } : { max_tokens: most };
      return streamed({ outbound, model, turns, limit, signal });
    },
  };
};

const finishReasonOf = (told: string | null): "stop" | "length" | "filtered" =>
  told === "length" ? "length" : told === "content_filter" ? "filtered" : "stop";

interface Call {
  outbound: Outbound;
  model: string;
  turns: readonly ChatTurn[];
  limit: { max_tokens: number } | { max_completion_tokens: number };
  signal: AbortSignal;
}

/** What the chunks of a stream told besides the text. */
interface Told {
  /** A chunk came at all. */
  any: boolean;
  finish: string | null;
  promptTokens: number | null;
  outputTokens: number | null;
  model: string | null;
}

async function* streamed(call: Call): AsyncGenerator<ChatEvent> {
  const { outbound, model, turns, limit, signal } = call;
  const left = new AbortController();
  const both = AbortSignal.any([signal, left.signal]);
  const thoughts = createThoughtFilter();
  const told: Told = { any: false, finish: null, promptTokens: null, outputTokens: null, model: null };
  try {
    const parts = await openAiClient(outbound, both, { isStream: true }).chat.completions.create({
      model,
      messages: turns.map(({ role, content }) => ({ role, content })),
      stream: true,
      stream_options: { include_usage: true },
      ...limit,
    });
    for await (const part of parts) {
      const text = thoughts.push(readChunk(part, told, outbound));
      if (text !== "") yield { type: "delta", text };
    }
    // The library ends its loop quietly when it is aborted, and so do servers that fail in mid-answer.
    signal.throwIfAborted();
    if (!told.any) throw await emptyStream(call);
    if (told.finish === null) throw brokenAnswer(outbound, "the stream ended before the answer did");
  } catch (error) {
    throw openAiFailure(error, outbound, model, signal);
  } finally {
    left.abort();
  }
  const rest = thoughts.flush();
  if (rest !== "") yield { type: "delta", text: rest };
  const { promptTokens, outputTokens } = told;
  yield { type: "done", finishReason: finishReasonOf(told.finish), promptTokens, outputTokens, model: told.model };
}

/** A chunk of the stream, of which nothing is known but that it is JSON. @returns its text */
const readChunk = (part: unknown, told: Told, outbound: Outbound): string => {
  const fields = objectIn(part);
  if (fields === null) throw brokenAnswer(outbound, "a chunk that is no object");
  told.any = true;
  const usage = objectIn(fields.usage);
  if (usage !== null) {
    told.promptTokens = countIn(usage.prompt_tokens);
    told.outputTokens = countIn(usage.completion_tokens);
  }
  told.model = nameIn(fields.model) ?? told.model;
  // The chunk with the usage has no choices, in some servers not even the list.
  const choices = fields.choices ?? [];
  if (!Array.isArray(choices)) throw brokenAnswer(outbound, "a chunk without choices");
  if (choices.length === 0) return "";
  const choice = objectIn(choices[0]);
  const delta = objectIn(choice?.delta ?? {});
  const content = delta?.content ?? "";
  if (choice === null || delta === null || typeof content !== "string")
    throw brokenAnswer(outbound, "a chunk without text");
  told.finish = nameIn(choice.finish_reason) ?? told.finish;
  return content;
};

/**
 * A stream without a single chunk: llama-cpp-python ends so over a prompt that is too long, which it says only where
 * the answer is not streamed. So it is asked once more, for one token.
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
