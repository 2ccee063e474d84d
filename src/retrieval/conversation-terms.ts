import type { Tenant } from "../domain/records.ts";
import type { SnippetView } from "../store/contract.ts";
import { analyzeQuery, type QueryTerm } from "../text/analysis/analyze.ts";
import type { RetrievalRequest } from "./contract.ts";
import { turnWeights } from "./scores/fusion-weights.ts";
import { findTypingErrors, type Replacement } from "./typing-errors.ts";

export type Turns = RetrievalRequest["history"];

/** Earlier turns of the user that are used, and characters of each. */
const maxUserTurns = 4;
const maxTurnCharacters = 1000;
/** Words taken from each earlier turn. */
const maxWordsFromTurn = 24;

/** A text whose words are searched for. */
export interface WeightedText {
  text: string;
  weight: number;
  /** How many of its words are searched for; left out: all. */
  maxWords?: number;
}

/** The user's turns that are searched for with a question, the last one first, in as many characters as are used. */
export const searchedTurns = (history: Turns): Turns =>
  history
    .filter(({ role, text }) => role === "user" && text.trim() !== "")
    .slice(-maxUserTurns)
    .map((turn) => ({ ...turn, text: turn.text.slice(0, maxTurnCharacters) }))
    .reverse();

/** Source marks of an earlier answer, such as `[2]`, are no search words. */
const sourceMarks = /\[\d{1,3}\]/g;

/** The question and the earlier turns that a follow-up refers to, each with its weight; the question first. */
export const weightedTexts = (query: string, history: Turns): WeightedText[] => {
  const texts: WeightedText[] = [{ text: query, weight: 1 }];
  for (const [back, { text }] of searchedTurns(history).entries()) {
    texts.push({
      text,
      weight: turnWeights.user * turnWeights.decay ** back,
      maxWords: maxWordsFromTurn,
    });
  }
  const answer = history.findLast(({ role }) => role === "assistant");
  if (answer !== undefined) {
    texts.push({
      text: answer.text.slice(0, maxTurnCharacters).replace(sourceMarks, ""),
      weight: turnWeights.answer,
      maxWords: maxWordsFromTurn,
    });
  }
  return texts.filter(({ text }) => text.trim() !== "");
};

/**
 * Terms of all texts as one query: a term's weight is the sum of its weights in each. Words get new numbers. A question of
 * function words alone ("until when?") asks about the turns before it: searched for, its own words would lead elsewhere.
 */
export const mergedTerms = (texts: readonly WeightedText[]): { terms: QueryTerm[]; exact: string[] } => {
  const merged = new Map<string, QueryTerm>();
  let words = 0;
  let exact: string[] = [];
  for (const [index, { text, weight, maxWords = Number.POSITIVE_INFINITY }] of texts.entries()) {
    const analyzed = analyzeQuery(text);
    if (index === 0) exact = analyzed.exact;
    if (index === 0 && analyzed.isOfFunctionWords && texts.length > 1) continue;
    const offset = words;
    for (const analyzedTerm of analyzed.terms) {
      const { term, weight: own, word, isInflection } = analyzedTerm;
      if (word >= maxWords) continue;
      const known = merged.get(term);
      // What one text has as a word of its own is not the inflection of another's word.
      if (known === undefined || (known.isInflection && !isInflection))
        merged.set(term, { ...analyzedTerm, weight: own * weight, word: offset + word });
      else if (!isInflection || known.isInflection) known.weight += own * weight;
      words = Math.max(words, offset + word + 1);
    }
  }
  return { terms: [...merged.values()], exact };
};

/** The question as understood: with the user's turn before it, where there is one. */
export const understoodQuestion = (query: string, history: Turns): string => {
  const before = history.findLast(({ role, text }) => role === "user" && text.trim() !== "")?.text;
  return before === undefined ? query : `${before.slice(0, maxTurnCharacters).trim()} ${query}`;
};

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
