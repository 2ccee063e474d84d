import type { Config } from "../../../config/schema.ts";
import { type ChatModel, type ChatOptions, type ChatTurn, ProviderError } from "../../../providers/contract.ts";

/** What Carrel asks a model for besides answers. */
export type SideWork = "rewriting" | "translating";

/** A side call's text, and what it cost. */
export interface SideText {
  text: string;
  promptTokens: number;
  outputTokens: number;
  /** What failed: a text for the receipt, or the model's error; null where it wrote to the end. */
  fault: string | ProviderError | null;
}

/** Longest that the user waits for it. */
const maxMs = 10_000;
/** Longest text in tokens; a line has about 30. */
const maxTokens = 256;
/** Tokens that a chat template adds to two turns. */
const templateTokens = 32;
/** For how long a model that failed at a work is not asked for it again: each try makes a reader wait. */
const pauseMs = 5 * 60_000;

/** Faults of what was asked, and not of the model. */
const noRoom = "its context has no room for the conversation";
const tooLong = "it was too long";

/** By a server's settings: the model itself is another object for each request that is counted. */
const failedAt = new WeakMap<Config["models"], Map<SideWork, number>>();

/** Whether the answering model failed at a work a short while ago. */
export const isPaused = (models: Config["models"], work: SideWork): boolean => {
  const at = failedAt.get(models)?.get(work);
  return at !== undefined && Math.abs(Date.now() - at) < pauseMs;
};

const pause = (models: Config["models"], work: SideWork): void => {
  const works = failedAt.get(models) ?? new Map<SideWork, number>();
  failedAt.set(models, works.set(work, Date.now()));
};

/**
 * Lets a model write a line for Carrel itself: without thoughts, always the same for the same, and within a time limit. A
 * failure is remembered (`isPaused`).
 * @param turnsThatFit makes the turns by whether they fit the model's context; null where none do
 * @throws the signal's reason
 */
export const sideCall = async (
  model: ChatModel,
  work: SideWork,
  turnsThatFit: (fits: (turns: readonly ChatTurn[]) => boolean) => ChatTurn[] | null,
  models: Config["models"],
  signal: AbortSignal,
): Promise<SideText> => {
  const written: SideText = { text: "", promptTokens: 0, outputTokens: 0, fault: null };
  const timeLimit = AbortSignal.timeout(Math.min(maxMs, models.answer.timeoutMs));
  // Some steps of an adapter ignore the signal: do not wait for them.
  const over = Promise.withResolvers<never>();
  const both = AbortSignal.any([signal, timeLimit]);
  const stop = () => over.reject(both.reason);
  both.addEventListener("abort", stop, { once: true });
  try {
    both.throwIfAborted();
    const writing = collect(model, turnsThatFit, written, both);
    writing.catch(() => {});
    written.fault = await Promise.race([writing, over.promise]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (timeLimit.aborted) written.fault = "it took too long";
    else if (error instanceof ProviderError) written.fault = error;
    else throw error;
    pause(models, work);
  } finally {
    both.removeEventListener("abort", stop);
  }
  return written;
};

const collect = async (
  model: ChatModel,
  turnsThatFit: Parameters<typeof sideCall>[2],
  written: SideText,
  signal: AbortSignal,
): Promise<string | null> => {
  const contextTokens = await model.contextTokens(signal);
  const options: ChatOptions = {
    maxOutputTokens: Math.min(maxTokens, Math.floor(contextTokens / 4)),
    think: false,
    temperature: 0,
  };
  const room = contextTokens - options.maxOutputTokens - templateTokens;
  const factor = model.learnedFactor?.() ?? 1;
  const estimate = (turns: readonly ChatTurn[]) =>
    Math.ceil(turns.reduce((sum, { content }) => sum + model.estimateTokens(content), 0) * factor);
  const turns = turnsThatFit((candidate) => estimate(candidate) <= room);
  if (turns === null) return noRoom;
  written.promptTokens = estimate(turns) + templateTokens;
  for await (const event of model.chat(turns, signal, options)) {
    if (event.type === "delta") {
      written.text += event.text;
      written.outputTokens = model.estimateTokens(written.text);
      continue;
    }
    written.promptTokens = event.promptTokens ?? written.promptTokens;
    written.outputTokens = event.outputTokens ?? written.outputTokens;
    if (event.finishReason !== "stop") return tooLong;
  }
  return null;
};
