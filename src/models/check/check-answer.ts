import type { Config } from "../../../config/schema.ts";
import type { ChatModel } from "../../../providers/contract.ts";
import type { ModelFacts } from "../../../providers/http/provider.ts";
import { providers } from "../registry.ts";
import type { CheckedModels } from "./checked-models.ts";
import { attempt, emptyReport, lookUp, type ModelReport } from "./model-report.ts";

/** Estimated for six snippets of a thousand characters, the instructions and a question. */
const usualPromptTokens = 2_400;

/** Checks the model that writes answers. */
export const checkAnswer = async (
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
