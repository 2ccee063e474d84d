import type { Config } from "../../../config/schema.ts";
import { type ChatModel, type ChatOptions, type ChatTurn, ProviderError } from "../../../providers/contract.ts";
import { failureWarning, type Warning } from "../../models/warning.ts";
import type { FollowUp, Question } from "../answer-event.ts";
import { rewritePrompt } from "./rewrite-prompt.ts";
import { isSameQuestion, readRewrittenQuestion } from "./rewritten-question.ts";

/** What is searched for, and how it was found out. */
export interface UnderstoodQuestion {
  query: string;
  history: Question["history"];
  /** Null where there is no conversation. */
  followUp: FollowUp | null;
  warnings: Warning[];
}

/** Longest that the user waits for the rewriting; after that the search uses the earlier turns. */
const maxRewriteMs = 10_000;
/** Longest rewritten question in tokens; a line of text has about 30. */
const maxRewriteTokens = 256;
/** Tokens that a chat template adds to two turns. */
const templateTokens = 32;
/** A longer question, in characters, can be understood alone and is not rewritten. */
const maxFollowUpCharacters = 2_000;

/**
 * Makes a question that follows others searchable. The model rewrites it so that it can be understood alone. Without a
 * model, or where rewriting fails, the search adds words of the earlier turns (src/retrieval/conversation/conversation-terms.ts).
 * The model is asked for every question of a conversation: one that needs no change comes back unchanged.
 * @param model null: no model is asked
 * @throws the signal's reason
 */
export const understandFollowUp = async (
  config: Pick<Config, "models" | "answers">,
  model: ChatModel | null,
  question: Question,
  signal: AbortSignal,
): Promise<UnderstoodQuestion> => {
  const { query, history } = question;
  const hasAsked = history.some(({ role, text }) => role === "user" && text.trim() !== "");
  const followUp: FollowUp = { by: "turns", promptTokens: 0, outputTokens: 0, ms: 0 };
  const plain = { query, history, followUp: hasAsked ? followUp : null, warnings: [] };
  const isWanted = hasAsked && question.wantsAnswer && config.answers.rewriteFollowUps;
  if (model === null || !isWanted || query.length > maxFollowUpCharacters) return plain;

  const startedAt = performance.now();
  const timeLimit = AbortSignal.timeout(Math.min(maxRewriteMs, config.models.answer.timeoutMs));
  const written: Written = { text: "", promptTokens: 0, outputTokens: 0 };
  const fault = await write(model, question, written, signal, timeLimit);
  const { promptTokens, outputTokens } = written;
  const cost = { promptTokens, outputTokens, ms: Math.round((performance.now() - startedAt) * 10) / 10 };
  const read = fault === null ? readRewrittenQuestion(written.text, query, history) : { fault };
  if ("fault" in read) {
    const text = "The follow-up was understood by the earlier turns alone: asked to rewrite it, the model failed";
    const warning = typeof read.fault === "string" ? `${text} (${read.fault}).` : failureWarning(text, read.fault);
    return { ...plain, followUp: { ...followUp, ...cost }, warnings: [warning] };
  }
  if (isSameQuestion(read.question, query)) return { ...plain, followUp: { ...followUp, ...cost } };
  // The question as asked stays in the search with a small weight, in case rewriting lost some of it.
  return {
    query: read.question,
    history: [{ role: "user", text: query }],
    followUp: { by: "model", ...cost },
    warnings: [],
  };
};

interface Written {
  text: string;
  promptTokens: number;
  outputTokens: number;
}

/** Lets the model write. @returns null, or what failed: a text for the receipt, or the model's error */
const write = async (
  model: ChatModel,
  question: Question,
  written: Written,
  signal: AbortSignal,
  timeLimit: AbortSignal,
): Promise<string | ProviderError | null> => {
  // Some steps of an adapter ignore the signal: do not wait for them.
  const over = Promise.withResolvers<never>();
  const both = AbortSignal.any([signal, timeLimit]);
  const stop = () => over.reject(both.reason);
  both.addEventListener("abort", stop, { once: true });
  try {
    both.throwIfAborted();
    const writing = collect(model, question, written, both);
    writing.catch(() => {});
    return await Promise.race([writing, over.promise]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (timeLimit.aborted) return "it took too long";
    if (error instanceof ProviderError) return error;
    throw error;
  } finally {
    both.removeEventListener("abort", stop);
  }
};

const collect = async (
  model: ChatModel,
  { query, history }: Question,
  written: Written,
  signal: AbortSignal,
): Promise<string | null> => {
  const contextTokens = await model.contextTokens(signal);
  const options: ChatOptions = {
    maxOutputTokens: Math.min(maxRewriteTokens, Math.floor(contextTokens / 4)),
    think: false,
  };
  const room = contextTokens - options.maxOutputTokens - templateTokens;
  const factor = model.learnedFactor?.() ?? 1;
  const estimate = (turns: readonly ChatTurn[]) =>
    Math.ceil(turns.reduce((sum, { content }) => sum + model.estimateTokens(content), 0) * factor);
  const turns = rewritePrompt(query, history, (candidate) => estimate(candidate) <= room);
  if (turns === null) return "its context has no room for the conversation";
  written.promptTokens = estimate(turns) + templateTokens;
  for await (const event of model.chat(turns, signal, options)) {
    if (event.type === "delta") {
      written.text += event.text;
      written.outputTokens = model.estimateTokens(written.text);
      continue;
    }
    written.promptTokens = event.promptTokens ?? written.promptTokens;
    written.outputTokens = event.outputTokens ?? written.outputTokens;
    if (event.finishReason !== "stop") return "it was too long";
  }
  return null;
};
