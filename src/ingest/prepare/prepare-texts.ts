import type { TextToAnalyze } from "../index/analyzed-text.ts";
import type { IndexedText } from "../index/index-text.ts";
import type { PreparationDependencies, PreparationOptions } from "./prepare-document.ts";

/**
 * `prepareDocument` for several small texts of one tenant at once: they take one turn that counts as many, and are
 * indexed together, at a fraction of the cost for each. The turn has ended when it returns.
 * @returns in the order of the texts @throws ApiError overloaded or unreadable_file; the signal's reason
 */
export const prepareTexts = async (
  { pipeline, turns }: Pick<PreparationDependencies, "pipeline" | "turns">,
  { tenant, urgency, signal }: Pick<PreparationOptions, "tenant" | "urgency" | "signal">,
  texts: readonly TextToAnalyze[],
): Promise<IndexedText[]> => {
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  const end = await turns.small.take(tenant.organizationId, urgency, characters, signal, texts.length);
  return await pipeline.indexTogether(texts, urgency, signal).finally(end);
};
