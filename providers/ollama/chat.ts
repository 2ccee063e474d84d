import { askOnce, neverAborted } from "../ask-once.ts";
import { type ChatEvent, type ChatModel, type ChatTurn, ProviderError } from "../contract.ts";
import { brokenAnswer } from "../http/call-failure.ts";
import { addressOf } from "../http/destination.ts";
import type { Outbound } from "../http/outbound.ts";
import { countIn, nameIn, objectIn } from "../json-values.ts";
import type { AnswerSettings } from "../provider.ts";
import { createThoughtFilter } from "../thought-filter.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { createOllamaOutbound, ollamaClient, ollamaFailure, showOllamaModel } from "./connection.ts";

/**
 * The context asked for where the setting leaves it open, if the model can take it: the cache of a longer one does
 * not fit beside a model of 8 billion parameters in 8 GB of memory.
 */
const DEFAULT_CONTEXT_TOKENS = 8_192;
/** For a server that does not tell the model's context: what Ollama itself falls back to. */
const UNKNOWN_CONTEXT_TOKENS = 4_096;

/** Answers by a model on an Ollama server, over its native API. */
export const createOllamaChat = (settings: AnswerSettings, model: string): ChatModel => {
  const outbound = createOllamaOutbound("answer", settings);
  const facts = askOnce(() => showOllamaModel(outbound, model, neverAborted()));
  const contextTokens = async (): Promise<number> => {
    const { trainedContext: trained, wantedContext } = await facts();
    const wanted = settings.contextTokens ?? wantedContext;
    if (wanted !== null) return Math.min(wanted, trained ?? wanted);
    return trained === null ? UNKNOWN_CONTEXT_TOKENS : Math.min(trained, DEFAULT_CONTEXT_TOKENS);
  };
  return {
    provider: "ollama",
    model,
    contextTokens,
    estimateTokens,
    async *chat(turns, signal, options) {
      const { capabilities } = await facts();
      if (capabilities.length > 0 && !capabilities.includes("completion"))
        throw new ProviderError(
          "answer",
          "bad_answer",
          `model \`${model}\` on ${addressOf(outbound)} does not write text (it offers ${capabilities.join(", ")}): name a chat model in models.answer.model`,
        );
      const request = {
        model,
        messages: turns.map(({ role, content }) => ({ role, content })),
        // Sent only where the model can: others answer 400.
        ...(capabilities.includes("thinking") ? { think: options?.think ?? settings.think } : {}),
        // One stable size: changing it between requests reloads the model.
        options: { num_ctx: await contextTokens(), num_predict: options?.maxOutputTokens ?? settings.maxOutputTokens },
        // Without these the server drops what does not fit and says nothing.
        truncate: false,
        shift: false,
      };
      yield* streamed(outbound, request, signal);
    },
  };
};

interface StreamRequest {
  model: string;
  messages: ChatTurn[];
  think?: boolean;
  options: { num_ctx: number; num_predict: number };
}

async function* streamed(outbound: Outbound, request: StreamRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  // Leaving the loop must stop the generation: the library does not do so by itself.
  const left = new AbortController();
  const both = AbortSignal.any([signal, left.signal]);
  const thoughts = createThoughtFilter();
  try {
    const parts = await ollamaClient(outbound, both).chat({ ...request, stream: true });
    for await (const part of parts) {
      const { text: delta, end } = readPart(part, outbound);
      const text = thoughts.push(delta);
      if (text !== "") yield { type: "delta", text };
      if (end === null) continue;
      const rest = thoughts.flush();
      if (rest !== "") yield { type: "delta", text: rest };
      yield end;
      return;
    }
    throw brokenAnswer(outbound, "the stream ended before the answer did");
  } catch (error) {
    throw ollamaFailure(error, outbound, request.model, signal);
  } finally {
    left.abort();
  }
}

/** A line of the stream, of which nothing is known but that it is JSON. */
const readPart = (
  part: unknown,
  outbound: Outbound,
): { text: string; end: Extract<ChatEvent, { type: "done" }> | null } => {
  const fields = objectIn(part);
  const message = fields?.message ?? {};
  const content = objectIn(message)?.content ?? "";
  if (fields === null || objectIn(message) === null || typeof content !== "string")
    throw brokenAnswer(outbound, "a line without a message");
  if (fields.done !== true) return { text: content, end: null };
  return {
    text: content,
    end: {
      type: "done",
      finishReason: fields.done_reason === "length" ? "length" : "stop",
      promptTokens: countIn(fields.prompt_eval_count),
      outputTokens: countIn(fields.eval_count),
      model: nameIn(fields.model),
    },
  };
};
