import type { Config } from "../../../config/schema.ts";
import type { ChatModel, ChatTurn } from "../../../providers/contract.ts";
import { failureWarning, type Warning } from "../../models/warning.ts";
import type { Question } from "../reading/question.ts";
import { refersBack } from "./refers-back.ts";
import { rewritePrompt } from "./rewrite-prompt.ts";
import { isSameQuestion, readRewrittenQuestion } from "./rewritten-question.ts";
import { isPaused, sideCall } from "./side-call.ts";

/** How a follow-up was understood, and what that cost. */
export interface FollowUp {
  /** `model`: rewritten by the answering model; `turns`: words of earlier turns were added to the search. */
  by: "model" | "turns";
  /** Tokens of the rewriting, estimated if the model's server does not count; 0 if it was not tried. */
  promptTokens: number;
  outputTokens: number;
  ms: number;
}

/** What is searched for, and how it was found out. */
export interface UnderstoodQuestion {
  query: string;
  history: Question["history"];
  /** Null where there is no conversation. */
  followUp: FollowUp | null;
  warnings: Warning[];
}

/** A longer question, in characters, can be understood alone and is not rewritten. */
const maxFollowUpCharacters = 2_000;

/**
 * Makes a question that follows others searchable. The model rewrites it so that it can be understood alone. Without a
 * model, or where rewriting fails, the search adds words of the earlier turns (src/retrieval/conversation-terms.ts).
 * The model is asked only where the question refers back, and not for a while after it failed at that.
 * @param model null: no model is asked
 * @param message as it was sent: its first words ("and", "what about") may be left out of the question
 * @throws the signal's reason
 */
export const understandFollowUp = async (
  config: Pick<Config, "models" | "answers">,
  model: ChatModel | null,
  question: Question,
  message: string,
  signal: AbortSignal,
): Promise<UnderstoodQuestion> => {
  const { query, history } = question;
  const hasAsked = history.some(({ role, text }) => role === "user" && text.trim() !== "");
  const followUp: FollowUp = { by: "turns", promptTokens: 0, outputTokens: 0, ms: 0 };
  const plain = { query, history, followUp: hasAsked ? followUp : null, warnings: [] };
  const isWanted = hasAsked && question.wantsAnswer && config.answers.rewriteFollowUps;
  if (model === null || !isWanted || query.length > maxFollowUpCharacters) return plain;
  if (!refersBack(message) || isPaused(config.models, "rewriting")) return plain;

  const startedAt = performance.now();
  const prompt = (fits: (turns: readonly ChatTurn[]) => boolean) => rewritePrompt(query, history, fits);
  const { text, fault, promptTokens, outputTokens } = await sideCall(model, "rewriting", prompt, config.models, signal);
  const cost = { promptTokens, outputTokens, ms: Math.round((performance.now() - startedAt) * 10) / 10 };
  const read = fault === null ? readRewrittenQuestion(text, query, history) : { fault };
  if ("fault" in read) {
    const failed = "The follow-up was understood by the earlier turns alone: asked to rewrite it, the model failed";
    const warning = typeof read.fault === "string" ? `${failed} (${read.fault}).` : failureWarning(failed, read.fault);
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
