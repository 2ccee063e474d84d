import { join } from "node:path";
import { type CheckedModels, checkModels } from "../../models/check/check-models.ts";
import type { ModelReport } from "../../models/check/model-report.ts";
import { configuredModels } from "../../runtime/configured-models.ts";
import { runtimeFolder } from "../../runtime/runtime-folder.ts";
import { type Check, type DoctorContext, type Finding, failed, fine, warning } from "./finding.ts";

export const modelsCheck: Check = {
  name: "models",
  isQuick: false,
  async run(context) {
    const models = context.tried?.models ?? (await ownModels(context));
    return (await checkModels(models, context.signal)).flatMap(modelFindings);
  },
};

const ownModels = async ({ config, env, embedded }: DoctorContext): Promise<CheckedModels> => {
  const runtime = await runtimeFolder(config, env, join(env.TMPDIR || "/tmp", "carrel-doctor"));
  return configuredModels(config, runtime, embedded, true);
};

/** A message says what is wrong and, after a colon, what to run or change. */
const splitMessage = (message: string, use: string): [string, string] => {
  const at = message.indexOf(": ");
  return at === -1
    ? [message, `Look at models.${use} in the settings; \`carrel models\` shows more.`]
    : [`${message.slice(0, at)}.`, `${capital(message.slice(at + 2))}.`];
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** @returns what is wrong with a model, or else what it really has */
export const modelFindings = (report: ModelReport): Omit<Finding, "check">[] => {
  const { use, provider, model, address, contextTokens, dimensions, problems, warnings } = report;
  const messageAndFix = (message: string): [string, string] => {
    const [detail, fix] = splitMessage(message, use);
    return [`models.${use}: ${detail}`, fix];
  };
  const found = [
    ...problems.map((problem) => failed(...messageAndFix(problem))),
    ...warnings.map((each) => warning(...messageAndFix(each))),
  ];
  if (problems.length > 0) return found;
  const facts = [
    ...(contextTokens === null ? [] : [`a context of ${contextTokens} tokens`]),
    ...(dimensions === null ? [] : [`vectors of ${dimensions} numbers`]),
  ];
  const where = address === null ? "" : ` at ${address}`;
  const has = facts.length === 0 ? "" : `, with ${facts.join(" and ")}`;
  return [fine(`models.${use}: ${model ?? "none"} of ${provider}${where} answers${has}.`), ...found];
};
