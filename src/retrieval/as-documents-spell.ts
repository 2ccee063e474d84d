import type { Tenant } from "../domain/records.ts";
import type { SnippetView } from "../store/contract.ts";
import type { RetrievalRequest } from "./contract.ts";
import { searchedTurns } from "./conversation-terms.ts";
import { findTypingErrors, type Replacement } from "./typing-errors.ts";

const wordsWithNumbers = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The request with typing errors replaced by the words of the documents, in the question and in the user's turns that are
 * searched for with it; and what was replaced in the question. One wrong letter in a question took the word that mattered
 * from it: one in six was then refused.
 */
export const asDocumentsSpell = async (
  view: SnippetView,
  tenant: Tenant,
  request: RetrievalRequest,
): Promise<{ request: RetrievalRequest; replaced: Replacement[] }> => {
  const { query, history } = request;
  const turns = searchedTurns(history).map(({ text }) => text);
  const replacements = await findTypingErrors(view, tenant, [query, ...turns]);
  if (replacements.length === 0) return { request, replaced: [] };
  const meantBy = new Map(replacements.map(({ written, meant }) => [written, meant]));
  const spelled = (text: string): string =>
    text.replace(wordsWithNumbers, (word) => meantBy.get(word.toLowerCase()) ?? word);
  const asked = new Set(query.match(wordsWithNumbers)?.map((word) => word.toLowerCase()));
  return {
    request: {
      ...request,
      query: spelled(query),
      history: history.map((turn) => (turn.role === "user" ? { ...turn, text: spelled(turn.text) } : turn)),
    },
    replaced: replacements.filter(({ written }) => asked.has(written)),
  };
};
