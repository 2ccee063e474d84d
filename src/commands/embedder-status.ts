import type { EmbedderStatus } from "../embedder/embedder.ts";
import { modelWords } from "../models/check/model-report.ts";
import type { Environment } from "../program/environment.ts";
import { type ClientOptions, readAnswer, withClient } from "./client/client.ts";
import { printResult } from "./output/output.ts";

/** `carrel embedder status`: the model in use, and the progress of a change to another one. */
export const embedderStatus = (options: ClientOptions, environment: Environment): Promise<void> =>
  withClient(options, environment, async (client) => {
    const status = await readAnswer<EmbedderStatus>(await client.send("/api/embedder"));
    printResult(status, inWords, options, environment);
  });

const inWords = ({ active, building, pending, error }: EmbedderStatus): string => {
  const numbers = active.dimensions === null ? "not used yet" : `${active.dimensions} numbers`;
  const lines = [`active    ${modelWords(active)}, ${numbers}`];
  if (building === null) lines.push("building  nothing");
  else lines.push(`building  ${modelWords(building)}: ${building.done} of ${building.total} documents done`);
  lines.push(`pending   ${pending} snippets`);
  if (error !== null) lines.push(`waiting   ${error}`);
  return `${lines.join("\n")}\n`;
};
