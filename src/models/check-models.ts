import type { Config } from "../../config/schema.ts";
import { type ChatModel, type EmbeddingModel, ProviderError, type Reranker } from "../../providers/contract.ts";
import { UNKNOWN_INPUT_TOKENS } from "../../providers/openai/embedding.ts";
import { type ModelFacts, type ServerView, viewServer } from "../../providers/server-view.ts";

/** What was found out of one configured model. */
export interface ModelReport {
  use: "answer" | "embedding" | "reranker";
  provider: string;
  model: string | null;
  /** Of its server; null for a built-in one. */
  address: string | null;
  /** Names that the server offers; null where it has no list or could not be asked. */
  offered: string[] | null;
  /** Whether the configured name is among them; null where that is not known. */
  found: boolean | null;
  /** Longest input (embedding) or whole context (answer) in tokens that Carrel counts on. */
  contextTokens: number | null;
  /** Length of the vectors, as a trial gave it. */
  dimensions: number | null;
  /** What keeps the model from being used, each with what to run or change. */
  problems: string[];
  /** What works, but not as well as it could. */
  warnings: string[];
}

export interface CheckedModels {
  config: Pick<Config, "models">;
  /** Adapters of their own, so that what fails here makes nobody else wait. */
  createAnswer(): ChatModel | null;
  createEmbedding(): Promise<EmbeddingModel>;
  createReranker(): Reranker | null;
}

/** Six snippets of a thousand characters, the instructions and a question, as estimated. */
const PROMPT_TOKENS = 2_400;

/**
 * Asks each configured server what it offers, and tries what can be tried with a few words.
 * @returns one report a use; failures stand in them
 */
export const checkModels = async (checked: CheckedModels, signal: AbortSignal): Promise<ModelReport[]> => {
  const { answer, embedding, reranker } = checked.config.models;
  const reports = await Promise.all([
    checkAnswer(answer, checked, signal),
    checkEmbedding(embedding, checked, signal),
    reranker.provider === "none" ? null : checkReranker({ ...reranker, provider: reranker.provider }, checked, signal),
  ]);
  return reports.filter((report) => report !== null);
};

const checkAnswer = async (
  settings: Config["models"]["answer"],
  { createAnswer }: CheckedModels,
  signal: AbortSignal,
): Promise<ModelReport> => {
  const { provider } = settings;
  const report = emptyReport("answer", settings);
  const model = createAnswer();
  if (provider === "builtin" || model === null) return report;
  const view = viewServer("answer", { ...settings, provider });
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
    if (provider === "openai" && facts.kind === null) await tryChat(model, signal);
  });
};

/** A word, where nothing else tells whether the model writes text at all. */
const tryChat = async (model: ChatModel, signal: AbortSignal): Promise<void> => {
  for await (const _ of model.chat([{ role: "user", content: "Say yes." }], signal)) return;
};

const contextWarnings = (
  { contextTokens: set, maxOutputTokens }: Config["models"]["answer"],
  used: number,
  { contextTokens: told }: ModelFacts,
): string[] => {
  const warnings: string[] = [];
  if (set !== null && told !== null && set > told)
    warnings.push(`models.answer.contextTokens is ${set}, and the model has ${told}: ${Math.min(set, used)} is used`);
  if (set === null && told === null)
    warnings.push(`the server does not tell the model's context, ${used} is assumed: set models.answer.contextTokens`);
  if (used - Math.min(maxOutputTokens, Math.floor(used / 4)) < PROMPT_TOKENS)
    warnings.push(
      `a context of ${used} tokens is too small for the usual six snippets, and fewer are shown to the model: raise models.answer.contextTokens, or take a model with a longer context`,
    );
  return warnings;
};

const checkEmbedding = async (
  settings: Config["models"]["embedding"],
  { createEmbedding }: CheckedModels,
  signal: AbortSignal,
): Promise<ModelReport> => {
  const { provider } = settings;
  const report = emptyReport("embedding", settings);
  return attempt(report, async () => {
    const model = await createEmbedding();
    try {
      if (provider !== "builtin") {
        const view = viewServer("embedding", { ...settings, provider });
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
      if (provider === "openai" && report.contextTokens === null) {
        report.contextTokens = UNKNOWN_INPUT_TOKENS;
        report.warnings.push(
          `the server does not tell how long a text the model takes, ${UNKNOWN_INPUT_TOKENS} tokens are assumed and longer text is split: set models.embedding.contextTokens`,
        );
      }
      const [vector] = await model.embed(["A plain sentence."], "document", signal);
      report.dimensions = vector?.length ?? null;
    } finally {
      model.close?.();
    }
  });
};

const checkReranker = async (
  settings: Config["models"]["reranker"] & { provider: "openai" },
  { createReranker }: CheckedModels,
  signal: AbortSignal,
): Promise<ModelReport> => {
  const report = emptyReport("reranker", settings);
  return attempt(report, async () => {
    const view = viewServer("reranker", settings);
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
  model: provider === "builtin" && use === "answer" ? "quotes" : model,
  address: null,
  offered: null,
  found: null,
  contextTokens: null,
  dimensions: null,
  problems: [],
  warnings: [],
});

/** Fills in what the server lists. @returns what it says of the model; null where it does not have it */
const lookUp = async (report: ModelReport, view: ServerView, signal: AbortSignal): Promise<ModelFacts | null> => {
  report.address = view.address;
  report.offered = await view.offered(signal);
  report.found = isOffered(report);
  if (report.found !== false) {
    const facts = await view.factsOf(report.model ?? "", signal);
    if (facts.warning !== undefined) report.warnings.push(facts.warning);
    return facts;
  }
  const mend = report.provider === "ollama" ? `run \`ollama pull ${report.model}\` or ` : "";
  report.problems.push(
    `model \`${report.model}\` is not on ${view.address}: ${mend}correct models.${report.use}.model to one that is offered there`,
  );
  return null;
};

const isOffered = ({ offered, model }: ModelReport): boolean | null =>
  offered === null || offered.length === 0 || model === null
    ? offered === null
      ? null
      : false
    : offered.some((name) => bare(name) === bare(model));

const bare = (name: string): string => name.replace(/:latest$/, "");

const attempt = async (report: ModelReport, work: () => Promise<void>): Promise<ModelReport> => {
  try {
    await work();
  } catch (error) {
    report.problems.push(error instanceof ProviderError || error instanceof Error ? error.message : String(error));
  }
  return report;
};
