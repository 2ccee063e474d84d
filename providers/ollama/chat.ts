import { type ChatEvent, type ChatModel, type ChatTurn, ProviderError } from "../contract.ts";
import { brokenAnswer } from "../http/call-failure.ts";
import { countIn, nameIn, objectIn, textIn } from "../http/json-values.ts";
import { createModelText, type Said } from "../http/model-text.ts";
import type { Outbound } from "../http/outbound.ts";
import type { AnswerSettings } from "../http/provider.ts";
import { addressOf } from "../http/provider.ts";
import { askOnce } from "../http/repeat-call.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { createOllamaOutbound, ollamaClient, ollamaFailure, showOllamaModel } from "./connection.ts";

/**
 * The context asked for if the configuration sets none and the model has as much: the cache of a longer one does not
 * fit beside a model of 8 billion parameters in 8 GB of memory.
 */
const defaultContextTokens = 8_192;
/** If the server does not say the model's context: the default of Ollama itself. */
const unknownContextTokens = 4_096;

/** Answers by a model on an Ollama server, over its native API. */
export const createOllamaChat = (settings: AnswerSettings, model: string): ChatModel => {
  const outbound = createOllamaOutbound("answer", settings);
  const facts = askOnce(outbound, (signal) => showOllamaModel(outbound, model, signal));
  const contextTokens = async (signal: AbortSignal): Promise<number> => {
    const { trainedContext: trained, wantedContext } = await facts(signal);
    const wanted = settings.contextTokens ?? wantedContext;
    if (wanted !== null) return Math.min(wanted, trained ?? wanted);
    return trained === null ? unknownContextTokens : Math.min(trained, defaultContextTokens);
  };
  return {
    provider: "ollama",
    model,
    contextTokens,
    estimateTokens,
    async *chat(turns, signal, options) {
      const { capabilities } = await facts(signal);
      if (capabilities.length > 0 && !capabilities.includes("completion"))
        throw new ProviderError(
          "answer",
          "bad_answer",
          `model \`${model}\` on ${addressOf(outbound)} does not write text (it offers ${capabilities.join(", ")}): name a chat model in models.answer.model`,
        );
      const temperature = options?.temperature ?? settings.temperature;
      const request = {
        model,
        messages: turns.map(({ role, content }) => ({ role, content })),
        // Models that cannot think answer it with 400.
        ...(capabilities.includes("thinking") ? { think: options?.think ?? settings.think } : {}),
        // One stable size: changing it between requests reloads the model.
        options: {
          num_ctx: await contextTokens(signal),
          num_predict: options?.maxOutputTokens ?? settings.maxOutputTokens,
          ...(temperature === null ? {} : { temperature }),
        },
        ...(settings.keepAlive === null ? {} : { keep_alive: keepAliveOf(settings.keepAlive) }),
        // Without these the server silently drops what does not fit.
        truncate: false,
        shift: false,
      };
      yield* streamed(outbound, request, options?.think ?? settings.think, signal);
    },
  };
};

interface StreamRequest {
  model: string;
  messages: ChatTurn[];
  think?: boolean;
  options: { num_ctx: number; num_predict: number; temperature?: number };
  keep_alive?: string | number;
}

/** A duration is a text, and a number of seconds a number: as a text the server refuses it. */
const keepAliveOf = (setting: string): string | number => (/^-?\d+$/.test(setting) ? Number(setting) : setting);

async function* streamed(
  outbound: Outbound,
  request: StreamRequest,
  mayThink: boolean,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  // Leaving the loop must stop the generation: the library does not.
  const left = new AbortController();
  const both = AbortSignal.any([signal, left.signal]);
  const spoken = createModelText(outbound, { maxOutputTokens: request.options.num_predict, mayThink }, () =>
    left.abort(),
  );
  try {
    const parts = await ollamaClient(outbound, both).chat({ ...request, stream: true });
    for await (const part of spoken.over(parts)) {
      const { said, end } = readPart(part, outbound, request.options.num_ctx);
      const text = await spoken.take(said);
      if (text !== "") yield { type: "delta", text };
      if (end === null && !spoken.isFull) continue;
      const rest = await spoken.end();
      if (rest !== "") yield { type: "delta", text: rest };
      yield spoken.isFull ? { ...(end ?? cutEnd), finishReason: "length" } : (end ?? cutEnd);
      return;
    }
    throw brokenAnswer(outbound, "the stream ended before the answer did");
  } catch (error) {
    throw spoken.failure() ?? ollamaFailure(error, outbound, request.model, signal);
  } finally {
    left.abort();
  }
}

/** The end of an answer that is cut here: its counts would have come later. */
const cutEnd = { type: "done", finishReason: "length", promptTokens: null, outputTokens: null, model: null } as const;

/**
 * A line of the stream. All that is known about it is that it is JSON.
 * @param contextTokens a server that does not know `truncate: false` cuts a longer prompt to this, and counts as much
 */
const readPart = (
  part: unknown,
  outbound: Outbound,
  contextTokens: number,
): { said: Said; end: Extract<ChatEvent, { type: "done" }> | null } => {
  const fields = objectIn(part);
  const message = fields?.message ?? {};
  const content = objectIn(message)?.content ?? "";
  const thought = textIn(objectIn(message)?.thinking);
  if (fields === null || objectIn(message) === null || typeof content !== "string")
    throw brokenAnswer(outbound, "a line without a message");
  if (fields.done !== true) return { said: { text: content, thought }, end: null };
  const promptTokens = countIn(fields.prompt_eval_count);
  return {
    said: { text: content, thought },
    end: {
      type: "done",
      finishReason: fields.done_reason === "length" ? "length" : "stop",
      promptTokens,
      outputTokens: countIn(fields.eval_count),
      model: nameIn(fields.model),
      ...(promptTokens !== null && promptTokens >= contextTokens ? { isPromptCut: true } : {}),
    },
  };
};
