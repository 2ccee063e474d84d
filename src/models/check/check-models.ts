import type { Config } from "../../../config/schema.ts";
import type { ChatModel, EmbeddingModel, Reranker } from "../../../providers/contract.ts";
import type { ModelFacts } from "../../../providers/http/provider.ts";
import type { Logger } from "../../log/log.ts";
import type { ModelStates } from "../observed-models.ts";
import { providers } from "../registry.ts";
import { attempt, emptyReport, isOffered, lookUp, type ModelReport } from "./model-report.ts";

/** The configured models, as they are checked. */
export interface CheckedModels {
  config: Pick<Config, "models">;
  /** Each makes a new adapter, so that a failure here does not open the circuit breaker of the one in use. */
  createAnswer(): ChatModel | null;
  createEmbedding(): Promise<EmbeddingModel>;
  createReranker(): Reranker | null;
  /** False where a built-in model that takes memory is not loaded for a trial alone. */
  triesBuiltin: boolean;
}

/** Estimated for six snippets of a thousand characters, the instructions and a question. */
const usualPromptTokens = 2_400;

/** Checks the model that writes answers. */
const checkAnswer = async (
  settings: Config["models"]["answer"],
  { createAnswer }: CheckedModels,
  signal: AbortSignal,
): Promise<ModelReport> => {
  const report = emptyReport("answer", settings);
  const provider = providers.answer[settings.provider];
  const model = createAnswer();
  if (provider === null || model === null) return { ...report, model: "quotes" };
  const view = provider.view("answer", settings);
  return attempt(report, async () => {
    const facts = await lookUp(report, view, signal);
    if (facts === null) return;
    if (facts.kind === "embedding") {
      report.problems.push(
        `model \`${model.model}\` on ${view.address} makes embeddings and writes no text: name a chat model in models.answer.model`,
      );
      return;
    }
    report.contextTokens = await model.contextTokens(signal);
    report.warnings.push(...contextWarnings(settings, report.contextTokens, facts), ...sizeWarnings(facts));
    if (view.needsTrial && facts.kind === null) await tryChat(model, signal);
  });
};

/** Below this many parameters a model is nearly always wrong about what it reads. */
const smallParameters = 1e9;

const sizeWarnings = ({ parameters }: ModelFacts): string[] =>
  parameters === null || parameters >= smallParameters
    ? []
    : [
        `the model has ${Math.round(parameters / 1e6)} million parameters: below a billion, models are mostly wrong about what they read, and quotations follow most of their answers. Take a larger one, or none (\`provider: builtin\`)`,
      ];

/** Requests a word: only that shows whether the model writes text at all. */
const tryChat = async (model: ChatModel, signal: AbortSignal): Promise<void> => {
  for await (const _ of model.chat([{ role: "user", content: "Say yes." }], signal)) return;
};

const contextWarnings = (
  { contextTokens: set, maxOutputTokens }: Config["models"]["answer"],
  used: number,
  { contextTokens: listed }: ModelFacts,
): string[] => {
  const warnings: string[] = [];
  if (set !== null && listed !== null && set > listed)
    warnings.push(`models.answer.contextTokens is ${set}, and the model has ${listed}: ${Math.min(set, used)} is used`);
  if (set === null && listed === null)
    warnings.push(`the server does not say the model's context, ${used} is assumed: set models.answer.contextTokens`);
  if (used - Math.min(maxOutputTokens, Math.floor(used / 4)) < usualPromptTokens)
    warnings.push(
      `a context of ${used} tokens is too small for the usual six snippets, and fewer are shown to the model: raise models.answer.contextTokens, or take a model with a longer context`,
    );
  return warnings;
};

/** Checks the embedding model, and embeds a sentence where that is possible. */
const checkEmbedding = async (
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

/** Checks the reranker with two sentences. @returns null where none is configured */
const checkReranker = async (
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

/**
 * Asks each configured server what it offers, and tries what can be tried with a few words.
 * @returns one report for each use; failures are part of it
 */
export const checkModels = async (checked: CheckedModels, signal: AbortSignal): Promise<ModelReport[]> => {
  const uses = ["answer", "embedding", "reranker"] as const;
  const reports = await Promise.all(uses.map((use) => checkModel(use, checked, signal)));
  return reports.filter((report) => report !== null);
};

/** As `checkModels`, for one use. @returns null where no model is configured for it */
export const checkModel = async (
  use: ModelReport["use"],
  checked: CheckedModels,
  signal: AbortSignal,
): Promise<ModelReport | null> => {
  const { answer, embedding, reranker } = checked.config.models;
  if (use === "answer") return checkAnswer(answer, checked, signal);
  if (use === "embedding") return checkEmbedding(embedding, checked, signal);
  return checkReranker(reranker, checked, signal);
};

/**
 * The check of `carrel models`, during a start: problems are logged, and nothing waits for it. Never throws.
 * @param states receives what was found
 */
export const logModelCheck = async (
  checked: CheckedModels,
  log: Logger,
  signal: AbortSignal,
  states: Pick<ModelStates, "noteCheck">,
): Promise<void> => {
  const reports = await checkModels(checked, signal).catch((error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, "the models could not be checked");
    return [];
  });
  if (signal.aborted) return;
  for (const { use, problems, warnings } of reports) {
    states.noteCheck(use, problems.length === 0);
    for (const words of [...problems, ...warnings]) log.warn({ use }, `${words} (see \`carrel models\`)`);
  }
};
