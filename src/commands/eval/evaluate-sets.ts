import { resolve } from "node:path";
import { loadConfig } from "../../../config/load.ts";
import { messageOf, UsageFailure } from "../../domain/errors.ts";
import { version } from "../../domain/version.ts";
import type { Collections } from "../../evaluation/collection.ts";
import { type Estimate, estimate } from "../../evaluation/estimates.ts";
import {
  type ComparedMetric,
  checkComparable,
  compareRuns,
  estimatesOf,
  type Metric,
  maxFalseRefusals,
  metricsOf,
  refusalOf,
} from "../../evaluation/figures.ts";
import { measureSet } from "../../evaluation/measure.ts";
import { type EvaluationRun, readRunFile, type SetResult } from "../../evaluation/run-file.ts";
import { type EvaluationSet, readSets } from "../../evaluation/sets.ts";
import type { Environment } from "../../program/environment.ts";
import { createHttpClient } from "../client/client.ts";
import { table } from "../output/output.ts";
import { serverCollections, temporaryCollections } from "./collections.ts";
import { createSteps, type EvalOptions, writeJson } from "./output.ts";
import { readRemoteServer } from "./remote-server.ts";

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
  const progress = createSteps(environment);
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

const hundredths = (value: number): string => (value * 100).toFixed(1);

/** `74.0 [70.1, 77.8]`: a figure × 100 with its 95 % interval. */
const withInterval = ({ mean, low, high }: Estimate): string =>
  `${hundredths(mean)} [${hundredths(low)}, ${hundredths(high)}]`;

const cell = (metrics: readonly Metric[], key: string): string => {
  const found = metrics.find((metric) => metric.key === key);
  return found === undefined ? "-" : withInterval(estimate(found.values));
};

/** The figures of a run: ranking, refusals and, if answers are known, quotations. */
const setTables = (run: EvaluationRun): string => {
  const { sets, threshold, embedding } = run;
  const metrics = new Map(sets.map((set) => [set, metricsOf(set, threshold)]));
  const cells = (set: SetResult, keys: readonly string[]) => keys.map((key) => cell(metrics.get(set) ?? [], key));
  const parts = [
    `Embeddings: ${embedding.model} of ${embedding.provider}. Figures × 100 with 95 % intervals (bootstrap over questions, fixed seed).\n`,
    table(
      ["SET", "DOCUMENTS", "QUESTIONS", "nDCG@10", "RECALL@5", "RECALL@10", "RECALL@20"],
      sets.map((set) => [
        set.name,
        String(set.documents),
        String(set.questions.length),
        ...cells(set, ["ndcg10", "recall5", "recall10", "recall20"]),
      ]),
    ),
    `Refusal: questions without an answer (absent.jsonl) and of other sets, rightly; own ones, wrongly. At answers.refusalThreshold (${threshold}), and at the set's best.\n`,
    table(
      [
        "SET",
        "ABSENT REFUSED",
        "OTHERS REFUSED",
        "FALSE REFUSALS",
        `OTHERS REFUSED AT ≤ ${maxFalseRefusals * 100} % FALSE`,
        "THRESHOLD",
      ],
      sets.map((set) => {
        const best = refusalOf(set);
        const ofBest = best === null ? ["-", "-"] : [withInterval(best), best.threshold.toFixed(2)];
        return [set.name, ...cells(set, ["absent", "refused", "falseRefusals"]), ...ofBest];
      }),
    ),
  ];
  const quoted = sets.filter(({ sentences }) => sentences !== null && !sentences.byModel);
  if (quoted.length > 0) {
    parts.push(
      "Quoted answers that hold a known answer, beside what sharing rare words alone would quote.\n",
      table(
        ["SET", "QUESTIONS", "FIRST QUOTATION", "AMONG THREE", "WORDS ALONE: FIRST", "AMONG THREE"],
        quoted.map((set) => [
          set.name,
          String(set.sentences?.questions.length ?? 0),
          ...cells(set, ["first", "amongThree", "overlapFirst", "overlapAmongThree"]),
        ]),
      ),
    );
  }
  const written = sets.filter(({ sentences }) => sentences?.byModel === true);
  if (written.length > 0) {
    parts.push(
      "Answers of the model that hold a known answer word for word.\n",
      table(
        ["SET", "QUESTIONS", "HOLDS IT"],
        written.map((set) => [set.name, String(set.sentences?.questions.length ?? 0), ...cells(set, ["answer"])]),
      ),
    );
  }
  return parts
    .map((part, index) => (index > 0 && index % 2 === 1 ? `${part}\n` : part))
    .join("")
    .trimEnd()
    .concat("\n");
};

/** Each figure in both runs, the difference with its interval, and the probability of it by chance. */
const comparisonTable = (
  earlier: EvaluationRun,
  { compared, notCompared }: { compared: readonly ComparedMetric[]; notCompared: readonly string[] },
): string => {
  const head = `Compared with ${earlier.embedding.model} of ${earlier.embedding.provider}, Carrel ${earlier.version}, ${earlier.at}: paired bootstrap over questions (1,000 samples), paired randomization test (10,000), fixed seed.\n`;
  const rows = table(
    ["SET", "FIGURE", "QUESTIONS", "THEN", "NOW", "DIFFERENCE", "P", "BETTER", "WORSE"],
    compared.map((each) => [
      each.set,
      each.label,
      String(each.questions),
      hundredths(each.earlier),
      hundredths(each.now),
      withInterval(each),
      each.p.toFixed(4),
      String(each.better),
      String(each.worse),
    ]),
  );
  const rest =
    notCompared.length === 0 ? "" : `Not compared, as the questions are not the same: ${notCompared.join(", ")}.\n`;
  return `${head}${rows}${rest}`;
};
