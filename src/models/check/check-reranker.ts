import type { Config } from "../../../config/schema.ts";
import { providers } from "../registry.ts";
import type { CheckedModels } from "./checked-models.ts";
import { attempt, emptyReport, isOffered, type ModelReport } from "./model-report.ts";

/** Checks the reranker with two sentences. @returns null where none is configured */
export const checkReranker = async (
  settings: Config["models"]["reranker"],
  { createReranker }: CheckedModels,
  signal: AbortSignal,
): Promise<ModelReport | null> => {
  const report = emptyReport("reranker", settings);
  const provider = providers.reranker[settings.provider];
  if (provider === null) return null;
  return attempt(report, async () => {
    const view = provider.view("reranker", settings);
    report.address = view.address;
    report.offered = await view.offered(signal);
    report.found = isOffered(report);
    await createReranker()?.rerank("plain", ["A plain sentence.", "Another one."], signal);
  });
};
