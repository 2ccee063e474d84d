import { join } from "node:path";
import { loadConfig } from "../../config/load.ts";
import { CommandFailure } from "../domain/errors.ts";
import type { EmbedderStatus } from "../embedder/embedder.ts";
import { checkModels } from "../models/check/check-models.ts";
import { isQuoting, type ModelReport, modelWords } from "../models/check/model-report.ts";
import type { Environment } from "../program/environment.ts";
import { configuredModels } from "../runtime/configured-models.ts";
import { type ClientOptions, readAnswer, withClient } from "./client/client.ts";
import { type OutputOptions, onePerLine, printResult } from "./output/output.ts";

/** `carrel models`: asks the configured servers; no store is opened. Fails where a model cannot be used. */
export const models = async (
  options: OutputOptions,
  { env, cwd, write, embedded, stop }: Environment,
): Promise<void> => {
  const { config } = await loadConfig({ file: options.config, env, cwd });
  const reports = await checkModels(configuredModels(config, join(config.dataDir, "runtime"), embedded, true), stop);
  printResult(reports, () => reports.map(modelInWords).join("\n"), options, { write });
  const broken = reports.filter(({ problems }) => problems.length > 0).map(({ use }) => `models.${use}`);
  if (broken.length > 0) throw new CommandFailure(`Not usable as configured: ${broken.join(", ")}.`);
};

/** Names of one server shown on the terminal; `--json` has all. */
const maxShown = 20;

const modelInWords = (report: ModelReport): string => {
  const { use, address, offered, contextTokens, dimensions, problems, warnings } = report;
  if (isQuoting(report)) return "answer: no model, answers are quoted from the documents\n";
  const lines = [`${use}: ${modelWords(report)}${address === null ? "" : ` at ${address}`}`];
  if (contextTokens !== null) lines.push(`  context  ${contextTokens} tokens`);
  if (dimensions !== null) lines.push(`  vectors  ${dimensions} numbers`);
  if (offered !== null) {
    const more = offered.length > maxShown ? `, and ${offered.length - maxShown} more` : "";
    lines.push(`  offered  ${offered.length === 0 ? "nothing" : `${offered.slice(0, maxShown).join(", ")}${more}`}`);
  }
  lines.push(...problems.map((words) => `  problem  ${words}`), ...warnings.map((words) => `  warning  ${words}`));
  if (problems.length === 0) lines.push("  usable");
  return onePerLine(lines);
};

/** `carrel embedder status`: the model in use, and the progress of a change to another one. */
export const embedderStatus = (options: ClientOptions, environment: Environment): Promise<void> =>
  withClient(options, environment, async (client) => {
    const status = await readAnswer<EmbedderStatus>(await client.send("/api/embedder"));
    printResult(status, statusInWords, options, environment);
  });

const statusInWords = ({ active, building, pending, error }: EmbedderStatus): string => {
  const numbers = active.dimensions === null ? "not used yet" : `${active.dimensions} numbers`;
  const lines = [`active    ${modelWords(active)}, ${numbers}`];
  if (building === null) lines.push("building  nothing");
  else lines.push(`building  ${modelWords(building)}: ${building.done} of ${building.total} documents done`);
  lines.push(`pending   ${pending} snippets`);
  if (error !== null) lines.push(`waiting   ${error}`);
  return `${lines.join("\n")}\n`;
};
