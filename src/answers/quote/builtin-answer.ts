import { estimateTokens } from "../../../providers/tokens/estimate-tokens.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import { noAnswerText } from "../no-answer.ts";
import { composeQuotedAnswer, quoteAnswer } from "./quote.ts";

/** What the built-in answerer reads at most: more than fifty snippets of the usual size. */
const CONTEXT_TOKENS = 131_072;

/** How many of the snippets it reads, and the tokens of those. */
export const builtinReads = (snippets: readonly FoundSnippet[]): { kept: number; limit: number; used: number } => {
  let used = 0;
  for (const [index, snippet] of snippets.entries()) {
    const tokens = estimateTokens(snippet.text);
    if (used + tokens > CONTEXT_TOKENS) return { kept: index, limit: CONTEXT_TOKENS, used };
    used += tokens;
  }
  return { kept: snippets.length, limit: CONTEXT_TOKENS, used };
};

/**
 * The answer without a model: sentences of the snippets that answer, quoted, each with its mark; else, in the
 * question's language, that the documents do not hold one.
 * @param understood the question with what a follow-up takes from earlier turns
 */
export const builtinAnswer = (query: string, understood: string, snippets: readonly FoundSnippet[]): string => {
  const quotations = quoteAnswer(query, snippets, { understood });
  return quotations.length === 0 ? noAnswerText(query) : composeQuotedAnswer(quotations);
};
