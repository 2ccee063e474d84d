/**
 * Writes the pages of docs/ that are generated from the code: `bun tools/write-docs.ts`. A test fails while they differ.
 */

import { errorsMarkdown } from "../src/http/docs/error-page.ts";
import { createMetrics } from "../src/metrics/metrics.ts";
import { declaredEndpoints } from "../src/program/app.ts";
import { writeMetricsMarkdown } from "./markdown/metrics.ts";
import { operationsMarkdown } from "./markdown/operations.ts";

const docs = new URL("../docs/", import.meta.url).pathname;

/** Everything after this line of docs/api.md is generated from the operations' declarations. */
const operationsMark = "<!-- From here on made by `bun tools/write-docs.ts`. -->";

/** docs/api.md with its generated part as it should be. */
export const apiMarkdown = async (): Promise<string> => {
  const [written = ""] = (await Bun.file(`${docs}api.md`).text()).split(operationsMark);
  return `${written}${operationsMark}\n\n${operationsMarkdown(declaredEndpoints())}`;
};

if (import.meta.main) {
  await Bun.write(`${docs}errors.md`, errorsMarkdown());
  await Bun.write(`${docs}api.md`, await apiMarkdown());
  const metrics = `${docs}metrics.md`;
  await Bun.write(metrics, writeMetricsMarkdown(await Bun.file(metrics).text(), await createMetrics().describe()));
}
