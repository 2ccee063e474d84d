import { expect, test } from "bun:test";
import { join } from "node:path";
import { ingestOverHttp } from "../../src/evaluation/collection.ts";
import { mean } from "../../src/evaluation/estimates.ts";
import { metricsOf } from "../../src/evaluation/figures.ts";
import { measureSet } from "../../src/evaluation/measure.ts";
import { readSets } from "../../src/evaluation/sets.ts";
import { startTestServer } from "../start-server.ts";

/** The default of `answers.refusalThreshold`. */
const threshold = 0.5;

/** Every fourth question tells enough, in a quarter of the time. */
const sets = (await readSets(join(import.meta.dir, "../fixtures/retrieval"))).map((set) => ({
  ...set,
  questions: set.questions.filter((_, at) => at % 4 === 0),
}));
/** Half as many of the other sets' are enough to see that what is not there is refused. */
const others = sets.map((set) => ({ ...set, questions: set.questions.filter((_, at) => at % 2 === 0) }));
/** The figures that users get from the built-in model by default, over HTTP, from one store. */
const measure = async (name: string): Promise<Record<string, number>> => {
  const set = sets.find((each) => each.name === name);
  if (set === undefined) throw new Error(`there is no set ${name}`);
  // A server for each, as `carrel eval` has it.
  const server = await startTestServer();
  const call = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const response = await (body === undefined ? server.call(path) : server.post(path, body));
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Answer;
  };
  const collections = {
    ingest: async (...[partition, documents]: Parameters<Parameters<typeof measureSet>[0]["ingest"]>) =>
      (await ingestOverHttp(call, partition, documents)).collection,
    close: () => server.stop(),
  };
  const options = { answersFromModels: false, onProgress: () => {}, onNote: () => {} };
  const result = await measureSet(collections, set, others, options).finally(collections.close);
  return Object.fromEntries(metricsOf(result, threshold).map(({ key, values }) => [key, mean(values)]));
};

/**
 * Measured figures less some thousandths where they are of ranking, which is the same in each run, and some hundredths where
 * they are of refusal. So a mistake in analysis, fusion, gate or quotation shows. A change that means to move one moves its floor, and says so in bench/quality/README.md.
 */
const floors: Record<string, { least: Record<string, number>; most: Record<string, number> }> = {
  codebase: {
    least: { ndcg10: 0.822, recall5: 0.89, refused: 0.98 },
    most: { falseRefusals: 0.12 },
  },
  "xquad-de": {
    least: { ndcg10: 0.941, recall5: 0.955, refused: 0.95, first: 0.82, amongThree: 0.88 },
    most: { falseRefusals: 0.06 },
  },
  "xquad-zh": {
    least: { ndcg10: 0.966, recall5: 0.99, refused: 0.94, first: 0.84, amongThree: 0.9 },
    most: { falseRefusals: 0.08 },
  },
};

test.each(Object.entries(floors))(
  "%s: ranking, refusal and quotation are no worse than they were",
  async (name, { least, most }) => {
    const figures = await measure(name);
    const below = Object.entries(least).filter(([key, floor]) => !((figures[key] ?? 0) >= floor));
    const above = Object.entries(most).filter(([key, ceiling]) => !((figures[key] ?? 1) <= ceiling));
    expect({ below, above, figures }).toEqual({ below: [], above: [], figures });
  },
  120_000,
);
