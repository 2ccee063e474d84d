import { languageShare } from "../builtin/language-share.ts";
import { loadTokenizer } from "../builtin/wordpiece/load.ts";

/** Weight of a transformer's cosine beside BM25, measured best for MiniLM and other real embedders. */
const transformerWeight = 0.5;

/** Models that know only English, by a part of their name (their model cards). */
const english =
  /all-minilm|minilm-l|(^|[-_/])minilm|nomic-embed-text(?!-v2)|mxbai-embed-large|bge-(small|base|large)-en|snowflake-arctic-embed(?!2)|(^|[-_/])(gte|e5)-(small|base|large)([-_:]|$)/i;

/**
 * Makes the weight of an outside embedder's cosine in the fusion, 0 to 1, for a query. A model of English alone counts
 * as far as the query is in its language; others count fully.
 */
export const createFusionWeight = async (model: string): Promise<(query: string) => number> => {
  if (!english.test(model) || /multilingual/i.test(model)) return () => transformerWeight;
  const tokenizer = await loadTokenizer();
  return (query) => transformerWeight * languageShare(tokenizer, query);
};
