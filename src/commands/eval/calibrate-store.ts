import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { loadConfig } from "../../../config/load.ts";
import { inParallel } from "../../async/in-parallel.ts";
import { CommandFailure } from "../../domain/command-failure.ts";
import { type Calibration, calibrate, TooFewDocuments } from "../../evaluation/calibrate.ts";
import type { SourceDocument } from "../../evaluation/collection.ts";
import { maxFalseRefusals } from "../../evaluation/figures.ts";
import type { Environment } from "../../program/environment.ts";
import { type OperatorClient, openClient, readAnswer } from "../client/client.ts";
import { table } from "../output/table.ts";
import { temporaryCollections } from "./collections.ts";
import { writeJson } from "./json-output.ts";
import type { EvalOptions } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";
import { withInterval } from "./tables.ts";
import { lineOfThreshold, withThreshold } from "./threshold-setting.ts";

const defaultDocuments = 1000;
/** Characters that are read of one document and of all: enough to make questions of, and few to embed. */
const maxCharactersOfDocument = 50_000;
const maxCharacters = 10_000_000;
const pageSize = 100;
const maxReadsAtOnce = 4;

const settingVariable = "CARREL_ANSWERS_REFUSAL_THRESHOLD";

/**
 * `carrel eval --calibrate`: copies documents into temporary stores, fits the threshold there, and prints what to
 * set. The stored documents are only read; the settings file changes only with `--write`.
 */
export const calibrateStore = async (options: EvalOptions, environment: Environment): Promise<void> => {
  const { env, cwd, write, writeError } = environment;
  const { config, file } = await loadConfig({ file: options.config, env, cwd });
  if (options.write === true && file === null)
    throw new CommandFailure("There is no settings file to write to: `carrel init` creates one.");
  const progress = createProgress(environment);
  let calibration: Calibration;
  try {
    const documents = await readDocuments(options, environment, progress);
    const makeCollections = () => temporaryCollections(config, environment);
    calibration = await calibrate(
      documents,
      makeCollections,
      maxFalseRefusals,
      config.answers.refusalThreshold,
      progress.show,
    );
  } catch (error) {
    throw error instanceof TooFewDocuments ? new CommandFailure(error.message) : error;
  } finally {
    progress.end();
  }
  const { threshold } = calibration;
  const now = config.answers.refusalThreshold;
  const text = file === null ? null : await readFile(file, "utf8");
  const line = text === null ? null : lineOfThreshold(text);
  const next = options.write === true ? "" : whatToSet(threshold, now, file, line);
  if (options.json !== true) write(`${inWords(calibration, now)}${next}`);
  await writeJson({ ...calibration, current: now, file, line }, options.json, environment);
  if (options.write === true && file !== null && text !== null) {
    await writeFile(file, withThreshold(text, threshold));
    writeError(`written: ${file}; a running server takes it at its next start\n`);
  }
  if (env[settingVariable] !== undefined) progress.note(`${settingVariable} overrides the settings file.`);
};

const readDocuments = async (
  options: EvalOptions,
  environment: Environment,
  progress: Progress,
): Promise<SourceDocument[]> => {
  const client = await openClient(options, environment);
  try {
    const ids = await listIds(client);
    const maxDocuments = options.documents ?? defaultDocuments;
    const chosen = ids.length <= maxDocuments ? ids : evenly(ids, maxDocuments);
    let done = 0;
    let characters = 0;
    const read = await inParallel(chosen, maxReadsAtOnce, async (id): Promise<SourceDocument | null> => {
      if (characters > maxCharacters) return null;
      const response = await client.send(`/api/document/${id}`);
      // The document was deleted since it was listed.
      if (response.status === 404) return null;
      const { name, originalText } = await readAnswer<{ name: string; originalText: string | null }>(response);
      const text = (originalText ?? "").slice(0, maxCharactersOfDocument).toWellFormed();
      characters += text.length;
      progress.show("documents read", ++done, chosen.length);
      return text.trim() === "" ? null : { id, title: name, text };
    });
    const documents = read.filter((document) => document !== null);
    if (documents.length < ids.length) progress.note(`${documents.length} of ${ids.length} documents are used.`);
    return documents;
  } finally {
    await client.close();
  }
};

const listIds = async (client: OperatorClient): Promise<string[]> => {
  const ids: string[] = [];
  for (let skip = 0; ; skip += pageSize) {
    const query = new URLSearchParams({
      limit: String(pageSize),
      skip: String(skip),
      sortOrder: "asc",
      status: "processed",
    });
    const listed = await readAnswer<{ id: string }[]>(await client.send(`/api/document?${query}`));
    ids.push(...listed.map(({ id }) => id));
    if (listed.length < pageSize) return ids;
  }
};

const evenly = <T>(items: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as T);

const percent = (part: number): string => (part * 100).toFixed(1);

const inWords = (calibration: Calibration, now: number): string => {
  const {
    documents,
    distinctDocuments,
    questions,
    curve,
    heldOut,
    atPresent,
    threshold,
    allowedFalseRefusals: allowed,
  } = calibration;
  const rows = curve.map((point) => [
    point.threshold.toFixed(2),
    percent(point.falseRefusals),
    percent(point.trueRefusals),
  ]);
  return [
    `${questions} questions made from ${documents} documents (${distinctDocuments} distinct), each asked once with its document and once without it. In 100:\n`,
    table(["THRESHOLD", "WRONGLY REFUSED", "RIGHTLY REFUSED"], rows),
    `\nAt the current threshold (${now}): ${withInterval(atPresent.falseRefusals)} in 100 wrongly refused, ${withInterval(atPresent.trueRefusals)} rightly\n`,
    `Recommended for at most ${allowed * 100} in 100 false refusals: ${threshold.toFixed(2)} (now ${now})\n`,
    `Fitted on one half of the documents and measured on the other: ${withInterval(heldOut.falseRefusals)} in 100 wrongly refused, ${withInterval(heldOut.trueRefusals)} rightly (95 % intervals, documents drawn anew)\n`,
  ].join("");
};

const whatToSet = (threshold: number, now: number, file: string | null, line: number | null): string => {
  if (threshold === now) return "This is the current setting.\n";
  const setting = `refusalThreshold: ${threshold}`;
  if (file === null)
    return `Set CARREL_ANSWERS_REFUSAL_THRESHOLD=${threshold}, or in a carrel.yaml:\n\nanswers:\n  ${setting}\n`;
  if (line === null) return `Add to ${basename(file)}:\n\nanswers:\n  ${setting}\n`;
  return `Set in ${basename(file)}, line ${line}: ${setting}\n`;
};
