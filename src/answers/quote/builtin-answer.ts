import { estimateTokens } from "../../../providers/tokens/estimate-tokens.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import { noAnswerText } from "../no-answer.ts";
import { composeQuotedAnswer, quoteAnswer } from "./quote.ts";

/** Most tokens that the built-in answerer reads: more than fifty snippets of the usual size. */
const maxContextTokens = 131_072;

/** How many of the snippets it reads, and the tokens of those. */
export const builtinReads = (snippets: readonly FoundSnippet[]): { kept: number; limit: number; used: number } => {
  let used = 0;
  for (const [index, snippet] of snippets.entries()) {
    const tokens = estimateTokens(snippet.text);
    if (used + tokens > maxContextTokens) return { kept: index, limit: maxContextTokens, used };
    used += tokens;
  }
  return { kept: snippets.length, limit: maxContextTokens, used };
};

/**
 * The answer without a model: quotes the sentences of the snippets that answer the question, each with its mark. If there
 * are none, it says in the question's language that the documents do not contain an answer.
 * @param understood the question with what a follow-up adds from earlier turns
 * @param before earlier questions of the same person, newest first: their language counts where the question tells none
 */
export const builtinAnswer = async (
  query: string,
  understood: string,
  snippets: readonly FoundSnippet[],
  before: readonly string[] = [],
): Promise<string> => {
  const quotations = await quoteAnswer(query, snippets, { understood });
  return quotations.length === 0 ? noAnswerText(query, before) : composeQuotedAnswer(quotations);
};
