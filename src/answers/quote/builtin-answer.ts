import { estimateTokens } from "../../../providers/tokens/estimate-tokens.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
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
 * The answer without a model: quotes the sentences of the snippets that answer the question, each with its mark; empty if
 * there are none.
 * @param understood the question with what a follow-up adds from earlier turns
 * @param isWhole all that belongs together is wanted: the whole list or paragraph of the best passage
 */
export const builtinAnswer = async (
  query: string,
  understood: string,
  snippets: readonly FoundSnippet[],
  isWhole: boolean,
): Promise<string> => composeQuotedAnswer(await quoteAnswer(query, snippets, { understood, isWhole }));
