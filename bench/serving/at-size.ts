/**
 * CPU time of a question in a large store, over that of LanceDB's calls that no question can do without:
 *
 *     bun bench/serving/at-size.ts FOLDER [SNIPPETS] [BINARY]
 *
 * FOLDER keeps the store, so that it is made once; SNIPPETS is 100,000 where it is not given. Prints the CPU milliseconds of
 * a question for words that are new and asked again, of the floor (full text of each column, all vectors by their codes,
 * 60 rows), and the ratios; then what eight askers at once get done.
 */
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { connect } from "../../src/store/engine/lance.ts";
import { analyzeQuery } from "../../src/text/analysis/analyze.ts";
import { createCorpus } from "./corpus.ts";
import { ms, show } from "./figures.ts";
import { cpuSecondsOf } from "./process-figures.ts";
import { commandOf, type Program, post, sendBatch, startProgram, untilProcessed } from "./program.ts";

const [given, size = "100000", binary] = process.argv.slice(2);
if (given === undefined) throw new Error("bun bench/serving/at-size.ts FOLDER [SNIPPETS] [BINARY]");
const folder = resolve(given);
const wanted = Number(size);
const command = commandOf(binary);
const corpus = createCorpus(11);
const questionCount = 60;
/** Vectors of a model would take an hour to make. */
const settings = { CARREL_MODELS_EMBEDDING_MODEL: "static" };
const documentsEach = 1_000;
/** Of a document: some 20 snippets. */
const characters = 12_000;

const snippetsOf = async (program: Program): Promise<number> => {
  const { receipt } = (await post(program, "/api/search", { query: "what" })) as {
    receipt: { searched: { snippets: number } };
  };
  return receipt.searched.snippets;
};

const make = async (): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  const program = await startProgram(command, folder, settings);
  for (let documents = 0; (await snippetsOf(program)) < wanted; documents += documentsEach) {
    const texts = Array.from({ length: documentsEach }, (_, at) => ({
      name: `document ${documents + at}`,
      text: corpus.document(characters),
    }));
    await sendBatch(program, texts);
    await untilProcessed(program, documents + documentsEach);
  }
  show("snippets", String(await snippetsOf(program)));
  // Upkeep indexes what was added.
  for (let last = -1; ; ) {
    const now = cpuSecondsOf(program.pid);
    await Bun.sleep(15_000);
    if (last >= 0 && cpuSecondsOf(program.pid) - now < 0.3) break;
    last = now;
  }
  await program.stop();
  writeFileSync(join(folder, "made"), size);
};

/** CPU milliseconds of the program for each question. */
const cpuOf = async (program: Program, questions: readonly string[]): Promise<number> => {
  const before = cpuSecondsOf(program.pid);
  for (const query of questions) await post(program, "/api/search", { query });
  return ((cpuSecondsOf(program.pid) - before) * 1_000) / questions.length;
};

/** CPU milliseconds of LanceDB's calls for each question, in this process. */
const floorOf = async (questions: readonly string[]): Promise<number> => {
  const copy = join(folder, "copy");
  if (!existsSync(copy)) cpSync(join(folder, "data/tables"), copy, { recursive: true });
  const { lance, connection } = await connect(copy, { indexBytes: 2 ** 31, metadataBytes: 2 ** 27 });
  const name = (await connection.tableNames()).find((one) => one.startsWith("snippets"));
  const table = await connection.openTable(name ?? "snippets");
  const embedding = await createStaticEmbedding();
  const columns = ["terms", "headingTerms", "titleTerms"];
  const ask = async (question: string): Promise<void> => {
    const terms = analyzeQuery(question)
      .terms.map(({ term }) => term)
      .join(" ");
    const [vector] = await embedding.embed([question], "query", AbortSignal.timeout(60_000));
    if (vector === undefined) throw new Error("no vector");
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
      .nprobes(Math.ceil(wanted / 8_192) + 1)
      .select(["_distance"])
      .withRowId()
      .limit(100)
      .fastSearch()
      .toArrow();
    const [nearest] = await Promise.all([ofVectors, ...ofText]);
    const ids: bigint[] = nearest.toArray().map((row) => row._rowid);
    await table.takeRowIds(ids.slice(0, 60)).select(["record", "vector"]).toArrow();
  };
  for (const question of questions.slice(0, 20)) await ask(question);
  const before = process.cpuUsage();
  for (const question of questions) await ask(question);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / questions.length;
};

if (!existsSync(join(folder, "made"))) await make();
const others = createCorpus(23);
const questions = (count: number): string[] => Array.from({ length: count }, () => others.question());
const program = await startProgram(command, folder, settings);
const first = performance.now();
await post(program, "/api/search", { query: "What of the first question after a start?" });
show("ready after · first question", `${ms(program.readyMs)} · ${ms(performance.now() - first)}`);
show("snippets", String(await snippetsOf(program)));
const started = questions(questionCount);
show("right after the start, new words", ms(await cpuOf(program, started)));
await Bun.sleep(60_000);
await cpuOf(program, questions(20));
const asked = questions(questionCount);
const fresh = await cpuOf(program, asked);
const again = await cpuOf(program, asked);
const floor = await floorOf(asked);
show("a question, new words · asked again (CPU)", `${ms(fresh)} · ${ms(again)}`);
show("LanceDB's calls alone (CPU)", ms(floor));
show("ratios", `${(fresh / floor).toFixed(2)} · ${(again / floor).toFixed(2)}`);
const resident = await program.residentMb();
show("resident", `${resident.toFixed(0)} MB`);
await program.stop();
