import type { Config } from "../../../config/schema.ts";
import { providers } from "../registry.ts";
import type { CheckedModels } from "./checked-models.ts";
import { attempt, emptyReport, lookUp, type ModelReport } from "./model-report.ts";

/** Checks the embedding model, and embeds a sentence where that is possible. */
export const checkEmbedding = async (
  settings: Config["models"]["embedding"],
  { createEmbedding, triesBuiltin }: CheckedModels,
  signal: AbortSignal,
): Promise<ModelReport> => {
  const report = emptyReport("embedding", settings);
  const provider = providers.embedding[settings.provider];
  return attempt(report, async () => {
    const model = await createEmbedding();
    try {
      if (provider !== null) {
        const view = provider.view("embedding", settings);
        const facts = await lookUp(report, view, signal);
        if (facts === null) return;
        report.contextTokens = settings.contextTokens ?? facts.contextTokens;
        if (facts.kind === "chat") {
          report.problems.push(
            `model \`${model.model}\` on ${view.address} writes text and makes no embeddings: name an embedding model in models.embedding.model`,
          );
          return;
        }
      }
      const assumed = provider?.assumedInputTokens;
      if (assumed !== undefined && report.contextTokens === null) {
        report.contextTokens = assumed;
        report.warnings.push(
          `the server does not say how long a text the model takes, ${assumed} tokens are assumed and longer text is split: set models.embedding.contextTokens`,
        );
      }
      if (provider === null && !triesBuiltin) report.dimensions = await model.dimensions(signal);
      else report.dimensions = (await model.embed(["A plain sentence."], "document", signal))[0]?.length ?? null;
      report.model = model.model;
    } finally {
      await model.close?.();
    }
  });
};
