import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DocumentRecord, NewSnippet } from "../../../src/domain/records.ts";
import { createRandom } from "../../../src/evaluation/estimates.ts";
import { type Store, wholeTenant } from "../../../src/store/contract.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import { openStore } from "../../../src/store/open.ts";
import { numberOf } from "../../../src/store/segments/catalog.ts";
import { mergeTables } from "../../../src/store/upkeep/upkeep-here.ts";
import { sampleDocument, sampleSnippets, sampleVector, tenantOf } from "../../../tools/samples/records.ts";
import { eventually } from "../../until.ts";
import { untilNoFileHas } from "../erasure/files-with.ts";
import { silentLog } from "../open-temporary-store.ts";
import { fill, model, vectorOf } from "../vectors/made-vectors.ts";

const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
const tenant = tenantOf();
const weights = { titleWeight: 0.5, headingWeight: 0.25 };
const all = 10_000;
/** Rows of a full segment, in place of 32,000. */
const maxSegmentRows = 10;
const never = 600_000;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "carrel-segments-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const open = (dataDir: string, full: number, eraseWithinMs = 1_000, merged = 0): Promise<Store> =>
  openStore({ dataDir, index, log: silentLog, syncWrites: false, eraseWithinMs, segmentRows: { full, merged } });

type Published = DocumentRecord & { revision: string };
/** A document as it has to be found. */
interface Known {
  document: Published;
  texts: readonly string[];
}

const vocabulary = "apple pear plum fig lime kiwi date nut oat rye".split(" ");

/** Tables of the store by what they begin with, as they lie on the disk and as the catalog names them. */
const tablesOf = async (dataDir: string, base: string): Promise<{ present: string[]; named: string[] }> => {
  const { connection } = await connect(join(dataDir, "tables"));
  const meta = await connection.openTable("meta");
  const rows: { id: string; value: string }[] = await meta.query().toArray();
  meta.close();
  connection.close();
  const row = rows.find(({ id }) => id === `segments:${base}`);
  const kind = base.slice(0, base.indexOf("_") + 1);
  const files = await readdir(join(dataDir, "tables"));
  return {
    present: files
      .filter((name) => name.startsWith(kind))
      .map((name) => name.slice(0, -".lance".length))
      .sort(),
    named: (row === undefined ? [base] : (JSON.parse(row.value) as string[])).toSorted(),
  };
};

/**
 * The tables on the disk are those that the catalogs name, once what was merged is removed.
 * @returns those of snippets, and how many there ever were
 */
const expectNamed = async (dataDir: string, store: Store): Promise<{ named: number; made: number }> => {
  const bases = [`snippets_${store.indexes.active().id}`, `vectors_${store.vectors.active()?.id}`];
  const [snippets] = await eventually(async () => {
    const tables = await Promise.all(bases.map((base) => tablesOf(dataDir, base)));
    for (const { present, named } of tables) expect(present).toEqual(named);
    return tables;
  });
  const named = snippets?.named ?? [];
  return { named: named.length, made: Math.max(...named.map(numberOf)) };
};

/** What a store finds of a question: of each kind of search, best first. */
const findAll = async (store: Store, words: readonly string[]) => {
  const view = store.openSnippets();
  try {
    const terms = words.map((term) => ({ term, weight: 1 }));
    const question = words.join(" ");
    const [text, near, byModel, frequencies, count] = await Promise.all([
      view.searchText(tenant, wholeTenant, terms, { limit: all, ...weights }),
      view.searchVectors(tenant, wholeTenant, sampleVector(question.length), all),
      view.searchModelVectors(tenant, wholeTenant, vectorOf(question), all),
      view.documentFrequencies(tenant, words),
      view.count(tenant, wholeTenant),
    ]);
    return { text, near, byModel, frequencies, count };
  } finally {
    view.close();
  }
};

const keyOf = ({
  documentId,
  revision,
  position,
  text,
  titleTerms,
}: NewSnippet | Awaited<ReturnType<typeof findAll>>["text"][0]) =>
  `${documentId} ${revision} ${position} ${text} ${titleTerms}`;

type Found = Awaited<ReturnType<typeof findAll>>;

const cosine = (one: Float32Array, other: Float32Array): number => {
  const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
};

/** Copies a folder that is written to; a file may be gone before its turn comes. */
const copyInUse = async (from: string, to: string, attempts = 5): Promise<void> => {
  try {
    await cp(from, to, { recursive: true });
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    if (attempts === 1) throw error;
    await copyInUse(from, to, attempts - 1);
  }
};

/** The hits of each search, best first; of those with the same score, by their place. */
const inOrder = ({ text, near, byModel }: Found, words: readonly string[]): string[][] => {
  const question = words.join(" ");
  const none = new Float32Array(8);
  const listOf = (hits: Found["text"], scoreOf: (hit: Found["text"][0]) => number): string[] => {
    const scores = hits.map((hit) => scoreOf(hit));
    for (const [at, score] of scores.entries()) expect(score).toBeLessThanOrEqual((scores[at - 1] ?? score) + 1e-5);
    return hits
      .map(({ documentId, position }, at) => ({
        name: `${documentId} ${position}`,
        score: scores[at]?.toFixed(4) ?? "",
      }))
      .sort((a, b) => Number(b.score) - Number(a.score) || (a.name < b.name ? -1 : 1))
      .map(({ name, score }) => `${score} ${name}`);
  };
  return [
    // Their scores are those of whichever rows the indexes hold by now: text-query.test.ts shows how they are merged.
    listOf(text, () => 0),
    listOf(near, ({ vector }) => cosine(vector ?? none, sampleVector(question.length))),
    listOf(byModel, ({ modelVector }) => cosine(modelVector ?? none, vectorOf(question))),
  ];
};

/** What is found is what a scan of all documents finds. */
const expectFound = async (
  store: Store,
  known: ReadonlyMap<string, Known>,
  words: readonly string[],
): Promise<void> => {
  const rows = [...known.values()].flatMap(({ document, texts }) => sampleSnippets(document, [], texts));
  const having = (word: string) => rows.filter(({ terms }) => terms.split(" ").includes(word));
  const found = await findAll(store, words);
  const matching = rows.filter((row) => words.some((word) => ` ${row.terms} ${row.titleTerms} `.includes(` ${word} `)));
  expect(found.text.map(keyOf).sort()).toEqual(matching.map(keyOf).sort());
  expect(found.near.map(keyOf).sort()).toEqual(rows.map(keyOf).sort());
  expect(found.byModel.map(keyOf).sort()).toEqual(rows.map(keyOf).sort());
  expect([...found.frequencies.counts]).toEqual(words.map((word) => [word, having(word).length]));
  expect(found.count).toEqual({ snippets: rows.length, documents: known.size });
};

test("random changes of documents in several segments, merges and restarts", async () => {
  const seed = 1;
  const random = createRandom(seed);
  const among = (count: number): number => Math.floor(random() * count);
  const pick = <T>(from: readonly T[]): T => from[among(from.length)] as T;
  const known = new Map<string, Known>();
  const gone: string[] = [];
  let made = 0;
  let dataDir = join(root, `${seed}`);
  const merged = 8 * maxSegmentRows;
  let store = await open(dataDir, maxSegmentRows, never, merged);
  /** The same in one segment. */
  const only = await open(join(root, `${seed}-only`), all, never);
  await store.vectors.begin(model);
  await only.vectors.begin(model);

  const textsOf = (): string[] => {
    made += 1;
    const marker = `zq${seed}x${made}y`;
    return Array.from({ length: 1 + among(6) }, (_, at) =>
      [`${marker}${at}`, ...Array.from({ length: 2 + among(8) }, () => pick(vocabulary))].join(" "),
    );
  };
  const forget = (id: string): void => {
    for (const text of known.get(id)?.texts ?? []) gone.push(text.split(" ")[0] ?? "");
    known.delete(id);
  };
  const publish = async (document: Published, texts: readonly string[]): Promise<void> => {
    for (const each of [store, only]) {
      const snippets = sampleSnippets(document, [each.indexes.active().id], texts, (at) => sampleVector(made + at / 9));
      await each.documents.publish(document, texts.join(" "), snippets);
    }
    forget(document.id);
    known.set(document.id, { document, texts });
  };
  const changes: Record<string, () => Promise<unknown>> = {
    add: () => publish(sampleDocument({ name: pick(vocabulary) }), textsOf()),
    async replace() {
      const { document } = pick([...known.values()]);
      await publish({ ...document, revision: Bun.randomUUIDv7() }, textsOf());
    },
    async rename() {
      const { document, texts } = pick([...known.values()]);
      const name = pick(vocabulary);
      const change = { name: { name, titleTerms: name } };
      const renamed = await store.documents.relabel(tenant, document.id, change);
      await only.documents.relabel(tenant, document.id, change);
      known.set(document.id, { document: { ...renamed, revision: renamed?.revision } as Published, texts });
    },
    async remove() {
      const { document } = pick([...known.values()]);
      for (const each of [store, only]) await each.documents.remove(tenant, document.id);
      forget(document.id);
    },
  };
  const restart = async (withGoodbye: boolean): Promise<void> => {
    if (withGoodbye) await store.close();
    else {
      const copy = `${dataDir}-`;
      await copyInUse(dataDir, copy);
      await store.close();
      dataDir = copy;
    }
    store = await open(dataDir, maxSegmentRows, 1_000, merged);
    expect(store.indexes.active().analysisVersion).toBe(1); // else it is made anew from the texts
  };

  for (let step = 0; step < 30; step += 1) {
    const kinds = known.size < 4 ? ["add"] : ["add", "add", "replace", "rename", "remove"];
    await changes[pick(kinds)]?.();
    if (step % 15 === 14) {
      await fill(store);
      await fill(only);
      await expectFound(
        store,
        known,
        [pick(vocabulary), pick(vocabulary)].filter((one, at, both) => both.indexOf(one) === at),
      );
      await expectNamed(dataDir, store);
    }
    if (step === 14) {
      const question = ["apple", "rye", "fig"];
      const [several, one] = [await findAll(store, question), await findAll(only, question)];
      expect(inOrder(several, question)).toEqual(inOrder(one, question));
      expect(several.frequencies).toEqual(one.frequencies);
    }
    if (step === 17) await restart(false);
    if (step === 24) await restart(true);
  }
  const { named, made: everMade } = await expectNamed(dataDir, store);
  expect(named).toBeGreaterThan(1);
  expect(everMade).toBeGreaterThan(named + 2); // four at least were merged into one
  await expectFound(store, known, ["apple", "plum"]);
  expect(await untilNoFileHas(dataDir, gone, 120_000)).toEqual([]);
  await expectFound(store, known, ["apple", "plum"]);
  const first = `snippets_${store.indexes.active().id}`;
  expect((await tablesOf(dataDir, first)).named).not.toContain(first); // it was merged
  await restart(true);
  await expectFound(store, known, ["apple", "plum"]);
  await store.close();
  await only.close();
});

/** A closed store of five documents in three segments. */
const closedStore = async (name: string): Promise<{ dataDir: string; base: string; known: Map<string, Known> }> => {
  const dataDir = join(root, name);
  const store = await open(dataDir, 2, never);
  const base = `snippets_${store.indexes.active().id}`;
  const known = new Map<string, Known>();
  for (const word of vocabulary.slice(0, 5)) {
    const document = sampleDocument({ name: word, progress: { pages: 0, chunks: 1, embedded: 1 } });
    const texts = [`${word} tree`];
    await store.documents.publish(document, `${word} tree`, sampleSnippets(document, [base.slice(9)], texts));
    known.set(document.id, { document, texts });
  }
  await store.close();
  expect((await tablesOf(dataDir, base)).named).toEqual([base, `${base}_2`, `${base}_3`]);
  return { dataDir, base, known };
};

/** Names of the documents that are found. */
const namesFound = async (store: Store): Promise<string[]> => {
  const view = store.openSnippets();
  const hits = await view.searchText(tenant, wholeTenant, [{ term: "tree", weight: 1 }], { limit: all, ...weights });
  view.close();
  return hits.map(({ titleTerms }) => titleTerms).sort();
};
const allNames = vocabulary.slice(0, 5).toSorted();

test("a table that a crash left before the catalog named it is removed", async () => {
  const { dataDir, base } = await closedStore("stray");
  await cp(join(dataDir, "tables", `${base}_3.lance`), join(dataDir, "tables", `${base}_4.lance`), { recursive: true });
  const store = await open(dataDir, 2, never);
  expect(await namesFound(store)).toEqual(allNames);
  await store.close();
  expect((await tablesOf(dataDir, base)).present).toEqual([base, `${base}_2`, `${base}_3`]);
});

test("a search within one document finds it in whichever table it is", async () => {
  const { dataDir } = await closedStore("within");
  const store = await open(dataDir, 2, never);
  const { items } = await store.documents.list(tenant, {}, { limit: 10, skip: 0, sortOrder: "asc" });
  const view = store.openSnippets();
  const found = items.map(async ({ id: documentId }) => {
    const hits = await view.searchText(tenant, { ...wholeTenant, documentId }, [{ term: "tree", weight: 1 }], {
      limit: all,
      ...weights,
    });
    return hits.map((hit) => hit.documentId);
  });
  expect(await Promise.all(found)).toEqual(items.map(({ id }) => [id]));
  expect(items).toHaveLength(5);
  view.close();
  await store.close();
});

test("what was in a table that is lost is made again, and nothing else", async () => {
  const { dataDir, base, known } = await closedStore("lost");
  await rm(join(dataDir, "tables", `${base}_2.lance`), { recursive: true });
  const store = await open(dataDir, 2, never);
  expect(await namesFound(store)).toEqual([0, 1, 4].map((at) => vocabulary[at] ?? "").sort());
  const { items } = await store.documents.list(tenant, {}, { limit: 10, skip: 0, sortOrder: "asc" });
  expect(items.map(({ status, revision }) => [status, revision === null])).toEqual(
    [...known.keys()].map((_, at) => (at === 2 || at === 3 ? ["pending", true] : ["processed", false])),
  );
  expect(await store.documents.getPendingText(items[2] as DocumentRecord)).toBe(`${vocabulary[2]} tree`);
  await store.close();
});

test.each(["lost", "unknown to an older program"])(
  "a catalog that is %s: no table is taken for one of nobody",
  async (kind) => {
    const { dataDir, base } = await closedStore(`catalog ${kind}`);
    if (kind === "lost") await rm(join(dataDir, "tables", "meta.lance"), { recursive: true });
    else
      await expect(openStore({ dataDir, index, log: silentLog, schema: { version: 1, steps: [] } })).rejects.toThrow(
        "(schema 2)",
      );
    const store = await open(dataDir, 2, never);
    expect(await namesFound(store)).toEqual(allNames);
    await store.close();
    expect((await tablesOf(dataDir, base)).named).toEqual([base, `${base}_2`, `${base}_3`]);
  },
);

test("a catalog that is lost in the middle of a merge: no row is there twice", async () => {
  const { dataDir, base } = await closedStore("merged");
  const folder = join(dataDir, "tables");
  const { lance, connection } = await connect(folder);
  const inputs = [base, `${base}_2`];
  await mergeTables(lance, connection, folder, {
    inputs,
    output: `${base}_4`,
    indexes: {},
  });
  connection.close();
  await rm(join(folder, "meta.lance"), { recursive: true });
  const store = await open(dataDir, 2, never);
  expect(await namesFound(store)).toEqual(allNames);
  await store.close();
  expect(await tablesOf(dataDir, base)).toEqual({
    present: [`${base}_3`, `${base}_4`],
    named: [`${base}_3`, `${base}_4`],
  });
});

test("texts of a merged table are compressed, and read as they were", async () => {
  const dataDir = join(root, "compressed");
  const store = await open(dataDir, 1_000, never);
  const base = `snippets_${store.indexes.active().id}`;
  const random = createRandom(7);
  const word = (): string => vocabulary[Math.floor(random() * vocabulary.length)] ?? "";
  const document = sampleDocument();
  const texts = Array.from({ length: 400 }, () => Array.from({ length: 120 }, word).join(" "));
  await store.documents.publish(document, "", sampleSnippets(document, [base.slice(9)], texts));
  await store.close();
  const { lance, connection } = await connect(join(dataDir, "tables"));
  await mergeTables(lance, connection, join(dataDir, "tables"), { inputs: [base], output: `${base}_2`, indexes: {} });
  const read = async (name: string) => {
    const table = await connection.openTable(name);
    const rows = await table.query().select(["position", "record", "terms", "checksum"]).toArray();
    const { totalBytes } = await table.stats();
    return { rows: rows.map((row) => ({ ...row })), totalBytes };
  };
  const [before, merged] = [await read(base), await read(`${base}_2`)];
  expect(merged.rows).toEqual(before.rows);
  expect(merged.rows).toHaveLength(400);
  expect(merged.totalBytes).toBeLessThan(before.totalBytes * 0.6);
  connection.close();
});
