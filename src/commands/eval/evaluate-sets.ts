import { resolve } from "node:path";
import { loadConfig } from "../../../config/load.ts";
import { messageOf, UsageFailure } from "../../domain/errors.ts";
import { version } from "../../domain/version.ts";
import type { Collections } from "../../evaluation/collection.ts";
import { checkComparable, compareRuns, estimatesOf } from "../../evaluation/figures.ts";
import { measureSet } from "../../evaluation/measure.ts";
import { type EvaluationRun, readRunFile, type SetResult } from "../../evaluation/run-file.ts";
import { type EvaluationSet, readSets } from "../../evaluation/sets.ts";
import type { Environment } from "../../program/environment.ts";
import { createHttpClient } from "../client/http-client.ts";
import { serverCollections, temporaryCollections } from "./collections.ts";
import { createProgress, type EvalOptions, writeJson } from "./output.ts";
import { readRemoteServer } from "./remote-server.ts";
import { comparisonTable, setTables } from "./tables.ts";

/** `carrel eval FOLDER`: ingests each set where nothing else is, asks its questions over HTTP, prints the figures. */
export const evaluateSets = async (folder: string, options: EvalOptions, environment: Environment): Promise<void> => {
  const { env, cwd, write, stop } = environment;
  const { config } = await loadConfig({ file: options.config, env, cwd });
  const server = await readRemoteServer(options, environment);
  const all = await asGiven(readSets(folder));
  const chosen = choose(all, options.set);
  const { compare } = options;
  const earlier = compare === undefined ? null : await asGiven(readRunFile(resolve(cwd, compare)));
  if (earlier !== null) {
    const asked = chosen.map(({ name, questions }) => ({ name, questions: questions.map(({ id }) => id) }));
    await asGiven((async () => checkComparable(earlier, asked))());
  }
  const progress = createProgress(environment);
  const makeCollections = (): Collections =>
    server === null
      ? temporaryCollections(config, environment)
      : serverCollections(server.address, server.key, stop, progress.note);
  const sets: SetResult[] = [];
  try {
    for (const set of chosen) {
      const collections = makeCollections();
      try {
        sets.push(
          await measureSet(collections, set, all, {
            answersFromModels: options.answers === true,
            onProgress: (name, what, done, total) => progress.show(`${name}: ${what}`, done, total),
            onNote: progress.note,
          }),
        );
      } finally {
        await collections.close();
      }
    }
  } finally {
    progress.end();
  }
  const run: EvaluationRun = {
    format: "carrel-eval-1",
    version,
    at: new Date().toISOString(),
    embedding:
      server === null
        ? { provider: config.models.embedding.provider, model: config.models.embedding.model ?? "" }
        : await embeddingOf(server.address, server.key, stop),
    threshold: config.answers.refusalThreshold,
    sets,
  };
  const comparison = earlier === null ? null : compareRuns(earlier, run);
  const json = {
    ...run,
    sets: sets.map((set) => ({ ...set, figures: estimatesOf(set, run.threshold) })),
    ...(comparison === null ? {} : { comparison: comparison.compared }),
  };
  if (options.json !== true) {
    write(setTables(run));
    if (comparison !== null && earlier !== null) write(`\n${comparisonTable(earlier, comparison)}`);
  }
  await writeJson(json, options.json, environment);
};

/** Faults of the given files are wrong usage. */
const asGiven = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    throw new UsageFailure(messageOf(error));
  });

const choose = (sets: readonly EvaluationSet[], names: readonly string[] | undefined): readonly EvaluationSet[] => {
  if (names === undefined) return sets;
  const unknown = names.filter((name) => !sets.some((set) => set.name === name));
  if (unknown.length > 0)
    throw new UsageFailure(
      `There is no set ${unknown.join(", ")}; there are ${sets.map(({ name }) => name).join(", ")}.`,
    );
  return sets.filter(({ name }) => names.includes(name));
};

/** The embedding model of the server, which only administrators may see. */
const embeddingOf = async (address: string, key: string, stop: AbortSignal): Promise<EvaluationRun["embedding"]> => {
  const response = await createHttpClient(address, key, stop).send("/api/embedder");
  if (!response.ok) return { provider: "unknown", model: "unknown" };
  const { active } = (await response.json()) as { active: EvaluationRun["embedding"] };
  return { provider: active.provider, model: active.model };
};
