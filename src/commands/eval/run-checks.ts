import { writeFile } from "node:fs/promises";
import { CommandFailure, messageOf, UsageFailure } from "../../domain/errors.ts";
import type { Check } from "../../evaluation/check.ts";
import { type CheckedAnswer, unmetExpectations } from "../../evaluation/check.ts";
import { checksFile, checksFromFeedback, type GivenFeedback, readChecks } from "../../evaluation/checks-file.ts";
import type { Environment } from "../../program/environment.ts";
import { createHttpClient, jsonBody, type OperatorClient, problemOf, withClient } from "../client/client.ts";
import { findPartition, readAll } from "../client/named-records.ts";
import { table } from "../output/output.ts";
import { createSteps, type EvalOptions, writeJson } from "./output.ts";
import { readRemoteServer } from "./remote-server.ts";

/** The result of one check. */
interface CheckResult {
  name: string;
  question: string;
  where: string;
  passed: boolean;
  /** What was not as expected, in words. */
  unmet: string[];
  answer: string | null;
  confidence: number | null;
  documents: { id: string; name: string }[];
}

/**
 * `carrel eval CHECKS.yaml`: asks each question of the stored documents and compares. Exits with 1 if a check fails,
 * and with 2 if the checks cannot be run, so that a pipeline can tell the two apart.
 */
export const runChecks = (path: string, options: EvalOptions, environment: Environment): Promise<void> =>
  report(options, environment, async () => {
    const checks = await readChecks(path);
    return await withServer(options, environment, (client) => askEach(client, checks, environment));
  });

/** `carrel eval --from-feedback [FILE]`: runs the checks that feedback makes, or writes them into a new file. */
export const evaluateFeedback = async (
  path: string | null,
  options: EvalOptions,
  environment: Environment,
): Promise<void> => {
  if (path === null)
    return await report(options, environment, () =>
      withServer(options, environment, async (client) => askEach(client, await readFeedback(client), environment)),
    );
  const checks = await withServer(options, environment, readFeedback);
  // "wx": a file that was edited is not lost.
  await writeFile(path, checksFile(checks), { flag: "wx" }).catch((error: unknown) => {
    throw new UsageFailure(`The checks could not be written: ${messageOf(error)}`);
  });
  environment.write(`${checks.length} checks written\n`);
};

/** Of all feedback: more than so much is nobody's to read. */
const maxFeedback = 10_000;

/** @throws CommandFailure where no feedback says what is wanted */
const readFeedback = async (client: OperatorClient): Promise<Check[]> => {
  const feedback = await readAll<GivenFeedback>(client, "/api/feedback", {}, maxFeedback);
  const checks = checksFromFeedback(feedback, await refusedAmong(client, feedback));
  if (checks.length === 0)
    throw new CommandFailure(
      "No feedback says what is wanted: that an answer was right, or what should have been found.",
    );
  return checks;
};

/** The receipts of refused questions among those of answers that were right; one that is not kept any more tells nothing. */
const refusedAmong = async (
  client: OperatorClient,
  feedback: readonly GivenFeedback[],
): Promise<ReadonlySet<string>> => {
  const refused = new Set<string>();
  for (const { rating, receiptId } of feedback) {
    if (rating !== "up" || receiptId === null) continue;
    const response = await client.send(`/api/receipt/${receiptId}`);
    const receipt = (await response.json()) as { certainty?: string };
    if (response.ok && receipt.certainty === "none") refused.add(receiptId);
  }
  return refused;
};

const report = async (
  options: EvalOptions,
  environment: Environment,
  ask: () => Promise<CheckResult[]>,
): Promise<void> => {
  const results = await ask().catch((error: unknown) => {
    if (environment.stop.aborted) throw error;
    throw new UsageFailure(messageOf(error));
  });
  const failed = results.filter(({ passed }) => !passed);
  if (options.json !== true) environment.write(resultsTable(results));
  await writeJson(
    { passed: results.length - failed.length, failed: failed.length, checks: results },
    options.json,
    environment,
  );
  if (failed.length > 0) throw new CommandFailure(`${failed.length} of ${results.length} checks failed.`);
};

const withServer = async <T>(
  { json: _, ...options }: EvalOptions,
  environment: Environment,
  work: (client: OperatorClient) => Promise<T>,
): Promise<T> => {
  const server = await readRemoteServer(options, environment);
  if (server === null) return withClient(options, environment, work);
  return work(createHttpClient(server.address, server.key, environment.stop));
};

const askEach = async (
  client: OperatorClient,
  checks: readonly Check[],
  environment: Environment,
): Promise<CheckResult[]> => {
  const progress = createSteps(environment);
  const results: CheckResult[] = [];
  try {
    for (const check of checks) {
      results.push(await askOne(client, check));
      progress.show("checks", results.length, checks.length);
    }
  } finally {
    progress.end();
  }
  return results;
};

/** @throws CommandFailure if the server refuses the key */
const askOne = async (client: OperatorClient, check: Check): Promise<CheckResult> => {
  const { question, where, partition, document, metadata, snippets } = check;
  const about = { name: check.name ?? question, question, where };
  const notAsked = (reason: string): CheckResult => ({
    ...about,
    passed: false,
    unmet: [`it could not be asked: ${reason}`],
    answer: null,
    confidence: null,
    documents: [],
  });
  const scope = partition === null ? null : await findPartition(client, partition);
  if (partition !== null && scope === null) return notAsked(`There is no partition ${JSON.stringify(partition)}.`);
  const body = {
    query: question,
    ...(scope === null ? {} : { partitionId: scope.id }),
    ...(document === null ? {} : { documentId: document }),
    ...(metadata === null ? {} : { metadata }),
    ...(snippets === null ? {} : { numberOfDocumentsInContext: snippets }),
  };
  const response = await client.send("/api/query", jsonBody(body));
  if (response.status === 401 || response.status === 403) throw new CommandFailure(await problemOf(response));
  if (!response.ok) return notAsked(await problemOf(response));
  const answer = (await response.json()) as CheckedAnswer;
  const unmet = unmetExpectations(check, answer);
  return {
    ...about,
    passed: unmet.length === 0,
    unmet,
    answer: answer.answer,
    confidence: answer.receipt.confidence,
    documents: answer.relevantDocuments.map(({ id, name }) => ({ id, name })),
  };
};

const resultsTable = (results: readonly CheckResult[]): string => {
  const passed = results.filter((result) => result.passed).length;
  const rows = results.map(({ name, where, ...result }) => [result.passed ? "passed" : "FAILED", where, name]);
  const reasons = results.flatMap(({ where, unmet }) => unmet.map((reason) => `${where}: ${reason}\n`));
  const details = reasons.length === 0 ? "" : `\n${reasons.join("")}`;
  return `${table(["RESULT", "LINE", "CHECK"], rows)}${details}\n${passed} of ${results.length} passed\n`;
};
