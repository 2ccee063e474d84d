import type { ModelFacts, ServerView } from "../../../providers/http/provider.ts";
import { messageOf } from "../../domain/errors.ts";

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

/** A model in words: `llama3.2 of ollama`, or `minilm (built in)`. */
export const modelWords = ({ provider, model }: { provider: string; model: string | null }): string =>
  provider === "builtin" ? `${model} (built in)` : `${model ?? "none"} of ${provider}`;

/** What stands in the place of an answering model where none is configured: nothing that could be asked. */
export const isQuoting = ({ use, provider }: Pick<ModelReport, "use" | "provider">): boolean =>
  use === "answer" && provider === "builtin";

/** The report of a model of which nothing is known yet. */
export const emptyReport = (
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
export const lookUp = async (
  report: ModelReport,
  view: ServerView,
  signal: AbortSignal,
): Promise<ModelFacts | null> => {
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

export const isOffered = ({ offered, model }: ModelReport): boolean | null =>
  offered === null ? null : offered.some((name) => model !== null && withoutLatest(name) === withoutLatest(model));

const withoutLatest = (name: string): string => name.replace(/:latest$/, "");

/** Does the work; what it throws becomes a problem of the report. */
export const attempt = async (report: ModelReport, work: () => Promise<void>): Promise<ModelReport> => {
  try {
    await work();
  } catch (error) {
    report.problems.push(messageOf(error));
  }
  return report;
};
