import { estimateTokens } from "../../../providers/tokens/estimate-tokens.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";

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
