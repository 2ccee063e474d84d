import type { Config } from "../../config/schema.ts";
import type { ChatModel, EmbeddingModel, Reranker } from "../../providers/contract.ts";
import type { ModelFacts, ServerView } from "../../providers/provider.ts";
import { providers } from "../../providers/registry.ts";

/** What was found out about one configured model. */
export interface ModelReport {
  use: "answer" | "embedding" | "reranker";
  provider: string;
  model: string | null;
  /** The address of its server; null for a built-in model. */
  address: string | null;
  /** Names of the models that the server offers; null if it has no list or could not be asked. */
  offered: string[] | null;
  /** Whether the configured name is among them; null if that is not known. */
  found: boolean | null;
  /** Longest input (embedding) or whole context (answer) in tokens that Carrel assumes. */
  contextTokens: number | null;
  /** Length of the vectors, as the model gave them in a trial where there was one. */
  dimensions: number | null;
  /** Why the model cannot be used, each with what to run or change. */
  problems: string[];
  /** What works, but not as well as it could. */
  warnings: string[];
}

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
    report.warnings.push(...contextWarnings(settings, report.contextTokens, facts));
    if (view.needsTrial && facts.kind === null) await tryChat(model, signal);
  });
};

/** Asks for a word: nothing else shows whether the model writes text at all. */
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

const emptyReport = (
  use: ModelReport["use"],
  { provider, model }: { provider: string; model: string | null },
): ModelReport => ({
  use,
  provider,
  model,
  address: null,
  offered: null,
  found: null,
  contextTokens: null,
  dimensions: null,
  problems: [],
  warnings: [],
});

/** Fills in what the server lists. @returns what it says about the model; null if it does not have it */
const lookUp = async (report: ModelReport, view: ServerView, signal: AbortSignal): Promise<ModelFacts | null> => {
  report.address = view.address;
  report.offered = await view.offered(signal);
  report.found = isOffered(report);
  if (report.found !== false) {
    const facts = await view.factsOf(report.model ?? "", signal);
    if (facts.warning !== undefined) report.warnings.push(facts.warning);
    return facts;
  }
  const install = view.installAdvice === undefined ? "" : `${view.installAdvice(report.model ?? "")} or `;
  report.problems.push(
    `model \`${report.model}\` is not on ${view.address}: ${install}correct models.${report.use}.model to one that is offered there`,
  );
  return null;
};

const isOffered = ({ offered, model }: ModelReport): boolean | null =>
  offered === null ? null : offered.some((name) => model !== null && withoutLatest(name) === withoutLatest(model));

const withoutLatest = (name: string): string => name.replace(/:latest$/, "");

/** Does the work; what it throws becomes a problem of the report. */
const attempt = async (report: ModelReport, work: () => Promise<void>): Promise<ModelReport> => {
  try {
    await work();
  } catch (error) {
    report.problems.push(error instanceof Error ? error.message : String(error));
  }
  return report;
};
