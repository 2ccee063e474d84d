/**
 * What the store costs over the calls of LanceDB that it makes, in one process and on one disk. Prints times and, where
 * there is a baseline, the ratio to it; then what a vector set adds. `bun bench/store.ts [documents] [documents of the set]`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { toArrowTable } from "../src/store/engine/arrow-rows.ts";
import { connect } from "../src/store/engine/lance.ts";
import { unnotedDamage } from "../src/store/engine/table-reads.ts";
import { createTableOpener } from "../src/store/engine/tables.ts";
import { nearest } from "../src/store/engine/vector-index.ts";
import { openStore } from "../src/store/open.ts";
import { snippetRows } from "../src/store/search/snippet-rows.ts";
import { textQueries } from "../src/store/search/text-query.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../tools/samples/records.ts";
import { measureVectorSet } from "./store-vectors.ts";

const documentCount = Number(process.argv[2] ?? 1_000);
const setDocumentCount = Number(process.argv[3] ?? 10_000);
const snippetsEach = 10;
const dimensions = 256;
const tenant = tenantOf();
const scope = { documentId: null, partitionId: null, metadata: null };
const hooks = {
  reserve: async () => ({ beforeWrite: async () => {}, written() {}, release() {} }),
  sync: async () => undefined,
  explain: (error: unknown) => error,
  afterCommit: () => undefined,
  beforeRemoval: async () => undefined,
  damage: unnotedDamage,
  brokenDeletions: async () => [],
};

/** Words as often as in a natural text: the n-th comes once in n. */
const randomWord = (): string => `word${Math.floor(Math.exp(Math.random() * Math.log(20_000)))}`;
const randomText = (): string => Array.from({ length: 60 }, randomWord).join(" ");
const randomVector = (): Float32Array => Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
const randomTerms = () => [...new Set(Array.from({ length: 6 }, randomWord))].map((term) => ({ term, weight: 1 }));

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};
const median = async (times: number, work: () => Promise<unknown>): Promise<number> => {
  const measured: number[] = [];
  for (let time = 0; time < times; time += 1) measured.push(await timed(work));
  return measured.sort((a, b) => a - b)[times >> 1] ?? 0;
};
const report = (name: string, milliseconds: number, baseline?: number): void => {
  const ratio = baseline === undefined ? "" : `  ratio ${(milliseconds / baseline).toFixed(2)}`;
  process.stdout.write(`${name.padEnd(64)}${milliseconds.toFixed(1).padStart(9)} ms${ratio}\n`);
};

const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
const index = { provider: "builtin", model: "static", dimensions, analysisVersion: 1 };
const options = { dataDir: join(folder, "data"), index, log: pino({ level: "warn" }) };

const { lance, connection } = await connect(join(folder, "raw"));
const definition = snippetRows("raw", dimensions);
const raw = await (await createTableOpener(lance, connection, options.log)).open(definition, hooks);
const newDocument = (indexIds: string[]) => {
  const document = sampleDocument();
  const texts = Array.from({ length: snippetsEach }, randomText);
  return { document, text: texts.join(" "), snippets: sampleSnippets(document, indexIds, texts, randomVector) };
};
const rawRows = () =>
  newDocument(["raw"]).snippets.map(({ vectors, ...snippet }) =>
    definition.encode({ ...snippet, metadataPairs: [], vector: vectors.get("raw") ?? null }),
  );
const addRaw = async (documents: number): Promise<void> => {
  const rows = Array.from({ length: documents }, rawRows).flat();
  await raw.lance.add(toArrowTable(definition.schema, rows));
};
await addRaw(1);
const single = await median(20, () => addRaw(1));
report(`one LanceDB add of a document's ${snippetsEach} rows`, single);
const together = await median(5, () => addRaw(32));
report("one LanceDB add of 32 documents' rows", together);

let store = await openStore(options);
const indexId = store.indexes.active().id;
const publish = (): Promise<void> => {
  const { document, text, snippets } = newDocument([indexId]);
  return store.documents.publish(document, text, snippets);
};
await publish();
report("publish, alone (rows, text, record; on disk)", await median(20, publish), single);
report("32 publishes at once", await median(5, () => Promise.all(Array.from({ length: 32 }, publish))), together);
const bulk = await timed(async () => {
  for (let done = 0; done < documentCount; done += 50) await Promise.all(Array.from({ length: 50 }, publish));
});
report(`${documentCount} documents, 50 at once: each`, bulk / documentCount);
await store.close();

report(
  "open a store that is there",
  await timed(async () => {
    store = await openStore(options);
  }),
);
await raw.lance.add(toArrowTable(definition.schema, Array.from({ length: documentCount }, rawRows).flat()));
await raw.lance.optimize({ cleanupOlderThan: new Date() });
await Bun.sleep(5_000); // the store tidies itself when left alone

const columns = ["record", "vector"];
const rawQuery = async (): Promise<void> => {
  const queries = textQueries(lance, randomTerms(), { titleWeight: 1, headingWeight: 1 });
  const where = "organizationId = 'organization-1'";
  await Promise.all([
    ...queries.map((query) =>
      raw.lance
        .query()
        .fullTextSearch(query)
        .where(where)
        .select([...columns, "_score"])
        .limit(100)
        .toArrow(),
    ),
    nearest(raw.lance, randomVector(), false)
      .where(where)
      .select([...columns, "_distance"])
      .limit(100)
      .toArrow(),
  ]);
};
const storeQuery = async (): Promise<void> => {
  const view = store.openSnippets();
  const terms = randomTerms();
  await Promise.all([
    view.searchText(tenant, scope, terms, { limit: 100, titleWeight: 1, headingWeight: 1 }),
    view.searchVectors(tenant, scope, randomVector(), 100),
  ]);
  view.close();
};
await median(10, rawQuery);
await median(10, storeQuery);
const rawMedian = await median(50, rawQuery);
report(`text and vector search, LanceDB alone, ${await raw.count()} rows`, rawMedian);
report("text and vector search through a view", await median(50, storeQuery), rawMedian);
const view = store.openSnippets();
report(
  "term frequencies, new terms",
  await median(20, () =>
    view.documentFrequencies(
      tenant,
      randomTerms().map(({ term }) => term),
    ),
  ),
);
report("count of the scope", await median(20, () => view.count(tenant, scope)));
view.close();
process.stdout.write(`resident memory ${Math.round(process.memoryUsage.rss() / 1e6)} MB\n`);
await store.close();
await rm(folder, { recursive: true, force: true });
await measureVectorSet({ documentCount: setDocumentCount, snippetsEach, randomText, randomTerms });
