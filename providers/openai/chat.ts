import type OpenAI from "openai";
import type { Config } from "../../config/schema.ts";
import type { ChatEvent, ChatModel, ChatTurn } from "../contract.ts";
import { createConfiguredOutbound, type Outbound } from "../http.ts";
import { once } from "../once.ts";
import { createThoughtFilter } from "../thinking.ts";
import { estimateTokens } from "../token-estimate.ts";
import { brokenAnswer, isOfficial, OPENAI_DEFAULT_URL, openAiClient, openAiFailure } from "./connection.ts";
import { officialContext, toldContext } from "./model-list.ts";

/** For a server that tells no context size and a model that is not known: what small local servers start with. */
const UNKNOWN_CONTEXT_TOKENS = 4_096;

/** The vendor's models that think (its model pages), and room for what they do so over a small task. */
const thinking = /^(gpt-5|o[1-9])/;
const THOUGHT_TOKENS = 2_048;

/** Answers by a model behind an OpenAI-speaking server. */
export const createOpenAiChat = (settings: Config["models"]["answer"], model: string): ChatModel => {
  const outbound = createConfiguredOutbound("answer", settings, settings.baseUrl ?? OPENAI_DEFAULT_URL);
  const official = isOfficial(outbound);
  const told = once(() => toldContext(outbound, model, AbortSignal.timeout(settings.timeoutMs)));
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
      const thoughts = official && options !== undefined && thinking.test(model) ? THOUGHT_TOKENS : 0;
      const most = (options?.maxOutputTokens ?? settings.maxOutputTokens) + thoughts;
      // The vendor's newer models refuse the old name; most compatible servers know only the old one.
      const limit = official ? { max_completion_tokens: most } : { max_tokens: most };
      return streamed(outbound, model, turns, limit, signal);
    },
  };
};

const finishReasons: Record<string, "length" | "filtered"> = { length: "length", content_filter: "filtered" };

async function* streamed(
  outbound: Outbound,
  model: string,
  turns: readonly ChatTurn[],
  limit: { max_tokens: number } | { max_completion_tokens: number },
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const left = new AbortController();
  const both = AbortSignal.any([signal, left.signal]);
  const thoughts = createThoughtFilter();
  const seen: { finish: string | null; usage: OpenAI.CompletionUsage | null; model: string | null } = {
    finish: null,
    usage: null,
    model: null,
  };
  try {
    const parts = await openAiClient(outbound, both).chat.completions.create({
      model,
      messages: turns.map(({ role, content }) => ({ role, content })),
      stream: true,
      stream_options: { include_usage: true },
      ...limit,
    });
    for await (const part of parts) {
      seen.usage = part.usage ?? seen.usage;
      seen.model = part.model || seen.model;
      const choice = part.choices?.[0];
      if (!choice) continue;
      const text = thoughts.push(choice.delta?.content ?? "");
      if (text !== "") yield { type: "delta", text };
      seen.finish = choice.finish_reason ?? seen.finish;
    }
    // The library ends its loop quietly when it is aborted, and so do servers that fail in mid-answer.
    signal.throwIfAborted();
    if (seen.finish === null) throw brokenAnswer(outbound, "the stream ended before the answer did");
  } catch (error) {
    throw openAiFailure(error, outbound, model, signal);
  } finally {
    left.abort();
  }
  const rest = thoughts.flush();
  if (rest !== "") yield { type: "delta", text: rest };
  yield {
    type: "done",
    finishReason: finishReasons[seen.finish ?? ""] ?? "stop",
    promptTokens: seen.usage?.prompt_tokens ?? null,
    outputTokens: seen.usage?.completion_tokens ?? null,
    model: seen.model,
  };
}
