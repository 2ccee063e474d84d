import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { connect } from "../../src/store/engine/lance.ts";
import { analyzeQuery } from "../../src/text/analysis/analyze.ts";
import { createCorpus } from "../serving/corpus.ts";
import { quantile } from "../serving/figures.ts";
import { cpuSecondsOf } from "../serving/process-figures.ts";
import { type Program, post, sendBatch } from "../serving/program.ts";
import type { Figure } from "./figure.ts";
import { type KeptStore, untilQuiet } from "./store.ts";

const questionCount = 60;
/** The first question makes the program count all terms: of a million snippets for half a minute. */
const settleSeconds = 10;
const cores = 2;

export const questionsOf = (seed: number, count: number): string[] => {
  const corpus = createCorpus(seed);
  return Array.from({ length: count }, () => corpus.question());
};

export const search = (program: Program, query: string, more: object = {}): Promise<unknown> =>
  post(program, "/api/search", { query, ...more });

/** CPU milliseconds of the program for each question. */
export const cpuOf = async (program: Program, questions: readonly string[]): Promise<number> => {
  const before = cpuSecondsOf(program.pid);
  for (const query of questions) await search(program, query);
  return ((cpuSecondsOf(program.pid) - before) * 1_000) / questions.length;
};

/** Asks until what is compiled is warm, and lets the program index and count what it has to after a start. */
export const settle = async (program: Program): Promise<void> => {
  await cpuOf(program, questionsOf(5, 10));
  await untilQuiet(program, settleSeconds);
  await cpuOf(program, questionsOf(7, 20));
};

/** CPU milliseconds of the calls of LanceDB that no question can do without, in this process. */
const floorOf = async ({ folder, snippets }: KeptStore, questions: readonly string[]): Promise<number> => {
  const copy = join(folder, "copy");
  if (!existsSync(copy)) cpSync(join(folder, "data/tables"), copy, { recursive: true });
  const { lance, connection } = await connect(copy, { indexBytes: 2 ** 31, metadataBytes: 2 ** 27 });
  const names = (await connection.tableNames()).filter((one) => one.startsWith("snippets"));
  const tables = await Promise.all(names.map((name) => connection.openTable(name)));
  const embedding = await createStaticEmbedding();
  const columns = ["terms", "headingTerms", "titleTerms"];
  const ask = async (question: string): Promise<void> => {
    const terms = analyzeQuery(question)
      .terms.map(({ term }) => term)
      .join(" ");
    const [vector] = await embedding.embed([question], "query", AbortSignal.timeout(60_000));
    if (vector === undefined) throw new Error("no vector");
    const found = await Promise.all(
      tables.map(async (table) => {
        const ofText = columns.map((column) =>
          table
            .query()
            .fullTextSearch(new lance.MatchQuery(terms, column))
            .select(["_score"])
            .withRowId()
            .limit(100)
            .fastSearch()
            .toArrow(),
        );
        const ofVectors = table
          .query()
          .nearestTo(vector)
          .column("vector")
          .distanceType("cosine")
          .nprobes(Math.ceil(snippets / 8_192) + 1)
          .select(["_distance"])
          .withRowId()
          .limit(100)
          .fastSearch()
          .toArrow();
        const [nearest] = await Promise.all([ofVectors, ...ofText]);
        return { table, ids: nearest.toArray().map((row): bigint => row._rowid) };
      }),
    );
    const each = Math.ceil(60 / tables.length);
    for (const { table, ids } of found)
      await table.takeRowIds(ids.slice(0, each)).select(["record", "vector"]).toArrow();
  };
  for (const question of questions.slice(0, 20)) await ask(question);
  const before = process.cpuUsage();
  for (const question of questions) await ask(question);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / questions.length;
};

/** A question with words that are new and asked again, over the calls of LanceDB that it cannot do without. */
export const questions = (store: KeptStore): Promise<Figure[]> =>
  store.read(async (program) => {
    await settle(program);
    const asked = questionsOf(23, questionCount);
    const fresh = await cpuOf(program, asked);
    const again = await cpuOf(program, asked);
    const floor = await floorOf(store, asked);
    const most = store.snippets < 500_000 ? 15 : 25;
    return [
      { measure: "a question, new words", value: fresh, unit: "ms of CPU", floor, goal: { most: 2 } },
      { measure: "a question, asked again", value: again, unit: "ms of CPU", floor, goal: { most: 2 } },
      { measure: "a question, new words", value: fresh, unit: "ms of CPU", floor: null, goal: { most } },
    ];
  });

/** Questions that eight askers at once get answered, over those of one alone on every core. */
export const askers = (store: KeptStore): Promise<Figure[]> =>
  store.read(async (program) => {
    const each = 40;
    await settle(program);
    const perSecond = async (count: number, seed: number): Promise<number> => {
      const lists = Array.from({ length: count }, (_, at) => questionsOf(seed + at, each));
      const started = performance.now();
      await Promise.all(
        lists.map(async (list) => {
          for (const query of list) await search(program, query);
        }),
      );
      return (count * each * 1_000) / (performance.now() - started);
    };
    const one = await perSecond(1, 100);
    const eight = await perSecond(8, 200);
    const value = eight / (one * cores);
    return [{ measure: "eight askers / (one asker × 2)", value, unit: "of 1", floor: null, goal: { least: 0.8 } }];
  });

/** Waits of questions and writes while a batch is read in, over those of an idle server. */
export const beside = (store: KeptStore): Promise<Figure[]> =>
  store.change(async (program) => {
    const corpus = createCorpus(77);
    const waits = async (until: () => boolean): Promise<{ asks: number[]; writes: number[] }> => {
      const asks: number[] = [];
      const writes: number[] = [];
      for (let at = 0; !until() || asks.length < 40; at++) {
        const started = performance.now();
        await search(program, corpus.question());
        asks.push(performance.now() - started);
        if (at % 4 !== 0) continue;
        const writing = performance.now();
        await post(program, "/api/ingest", { name: `beside ${at}`, text: corpus.document(400) });
        writes.push(performance.now() - writing);
      }
      return { asks, writes };
    };
    await cpuOf(program, questionsOf(5, 30));
    const idle = await waits(() => true);
    let isFilled = false;
    const documents = Array.from({ length: 400 }, (_, at) => ({ name: `fill ${at}`, text: corpus.document(12_000) }));
    const filling = sendBatch(program, documents).finally(() => {
      isFilled = true;
    });
    const busy = await waits(() => isFilled);
    await filling;
    return [
      {
        measure: "a question beside a fill, 99 of 100 within",
        value: quantile(busy.asks, 0.99),
        unit: "ms",
        floor: quantile(idle.asks, 0.99),
        goal: { most: 3 },
      },
      { measure: "longest write beside a fill", value: Math.max(...busy.writes), unit: "ms", floor: null, goal: null },
    ];
  });
