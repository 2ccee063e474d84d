/** What a vector set costs the store: questions, documents, the fill, and what is found out when the store opens. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { DocumentRecord } from "../src/domain/records.ts";
import type { SnippetHit, Store } from "../src/store/contract.ts";
import { openStore } from "../src/store/open.ts";
import { embeddingInputHash } from "../src/text/chunk/chunk.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../tools/samples/records.ts";

export interface VectorSetBench {
  documentCount: number;
  snippetsEach: number;
  randomText(): string;
  randomTerms(): { term: string; weight: number }[];
}

/** As long as those of the built-in static model, and of MiniLM. */
const staticDimensions = 256;
const modelDimensions = 384;
const publishedAtOnce = 50;
const writtenDocuments = 1_000;
const filledAtOnce = 64;
const questions = 100;
const hitsEach = 100;
const sampled = 200;
/**
 * The store tidies itself when left alone: it is done when it takes no more than this part of a second, or after this
 * many seconds.
 */
const idleCpuMs = 50;
const maxTidySeconds = 300;

const tenant = tenantOf();
const scope = { documentId: null, partitionId: null, metadata: null };
const index = { provider: "builtin", model: "static", dimensions: staticDimensions, analysisVersion: 1 };
const model = {
  provider: "builtin",
  model: "minilm",
  dimensions: modelDimensions,
  modelRevision: "",
  analysisVersion: 1,
};

const vectorOf = (length: number): Float32Array => Float32Array.from({ length }, () => Math.random() - 0.5);
const print = (name: string, value: string): void => void process.stdout.write(`${name.padEnd(64)}${value}\n`);
/** Time on the clock, and of all threads on the processor: the second hardly depends on what else the machine does. */
interface Cost {
  ms: number;
  cpuMs: number;
}

const measure = async (work: () => Promise<unknown>): Promise<Cost> => {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1_000 };
};
const untilTidy = async (): Promise<void> => {
  await Bun.sleep(3_000);
  for (let second = 0; second < maxTidySeconds; second += 1)
    if ((await measure(() => Bun.sleep(1_000))).cpuMs < idleCpuMs) return;
};
const each = ({ ms, cpuMs }: Cost, count: number): string =>
  `${(ms / count).toFixed(2).padStart(8)} ms   CPU ${(cpuMs / count).toFixed(2).padStart(6)} ms`;
const quantiles = (costs: readonly Cost[]): string => {
  const sorted = costs.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
  const cpuMs = costs.reduce((sum, cost) => sum + cost.cpuMs, 0) / costs.length;
  return `p50 ${at(0.5).padStart(6)} ms   p95 ${at(0.95).padStart(6)} ms   CPU ${cpuMs.toFixed(1).padStart(5)} ms`;
};

/** Adds vectors until no document lacks any. */
const fill = async (store: Store): Promise<void> => {
  const set = store.vectors.building() ?? store.vectors.active();
  for (;;) {
    const documents = await store.vectors.lacking(filledAtOnce);
    if (documents.length === 0 || set === null) return;
    const snippets = await store.indexes.snippetsOf(documents);
    const additions = documents.map((document) => ({
      document,
      vectors: (snippets.get(document.id) ?? []).map((snippet) => ({
        position: snippet.position,
        inputHash: embeddingInputHash(snippet),
        vector: vectorOf(modelDimensions),
      })),
    }));
    await store.vectors.add(set.id, additions);
  }
};

/** What a question costs with a set and without one. */
const measureQuestions = async (store: Store, { snippetsEach, randomTerms }: VectorSetBench): Promise<void> => {
  const legsOf = async (withModel: boolean): Promise<SnippetHit[]> => {
    const view = store.openSnippets();
    const legs = await Promise.all([
      view.searchText(tenant, scope, randomTerms(), { limit: hitsEach, titleWeight: 1, headingWeight: 1 }),
      view.searchVectors(tenant, scope, vectorOf(staticDimensions), hitsEach),
      withModel ? view.searchModelVectors(tenant, scope, vectorOf(modelDimensions), hitsEach) : [],
    ]);
    const hits = withModel ? await view.addModelVectors(legs.flat()) : legs.flat();
    view.close();
    return hits;
  };
  for (let round = 0; round < 10; round += 1) await legsOf(true);
  const costs = { plain: [] as Cost[], model: [] as Cost[], search: [] as Cost[], lookup: [] as Cost[] };
  const samples: Cost[] = [];
  for (let round = 0; round < questions; round += 1) {
    costs.plain.push(await measure(() => legsOf(false)));
    costs.model.push(await measure(() => legsOf(true)));
    const view = store.openSnippets();
    costs.search.push(await measure(() => view.searchModelVectors(tenant, scope, vectorOf(modelDimensions), hitsEach)));
    const hits = await legsOf(false);
    costs.lookup.push(await measure(() => view.addModelVectors(hits)));
    if (round % 5 === 0) samples.push(await measure(() => view.sample(tenant, sampled)));
    view.close();
  }
  const { totalDocuments: searched } = await store.vectors.pending();
  const rows = searched * snippetsEach;
  print(`text and static vectors, ${rows} snippets`, quantiles(costs.plain));
  print("the same, with the model's vectors and those of all hits", quantiles(costs.model));
  print(`nearest ${hitsEach} by the model's vectors alone`, quantiles(costs.search));
  print(`the model's vectors of ${2 * hitsEach} hits alone`, quantiles(costs.lookup));
  print(`a random sample of ${sampled}`, quantiles(samples));
};

/** @param documentCount documents of the store that has the set */
export const measureVectorSet = async (options: VectorSetBench): Promise<void> => {
  const { documentCount, snippetsEach, randomText } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-bench-vectors-"));
  // Without passes of the erasure, which would fall into one measurement and not into the other.
  const storeOptions = { dataDir, index, log: pino({ level: "warn" }), eraseWithinMs: 3_600_000 };
  const open = (): Promise<Store> => openStore(storeOptions);
  let store = await open();

  const textsOfOne = () => Array.from({ length: snippetsEach }, randomText);
  const publicationOf = (document: DocumentRecord & { revision: string }, texts = textsOfOne()) => ({
    document,
    text: texts.join(" "),
    snippets: sampleSnippets(document, [store.indexes.active().id], texts, () => vectorOf(staticDimensions)),
  });
  const inGroups = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
    for (let done = 0; done < items.length; done += publishedAtOnce)
      await Promise.all(items.slice(done, done + publishedAtOnce).map(work));
  };
  /** Documents, published as new and then with one new text in place of another. */
  const measureWrites = async (name: string): Promise<void> => {
    const texts = new Map(Array.from({ length: writtenDocuments }, () => [sampleDocument(), textsOfOne()]));
    const publish = (document: DocumentRecord & { revision: string }) => {
      const { text, snippets } = publicationOf(document, texts.get(document));
      return store.documents.publish(document, text, snippets);
    };
    await untilTidy(); // what was written before must not be tidied at the cost of this
    const added = await measure(() => inGroups([...texts.keys()], publish));
    print(`${writtenDocuments} documents, ${name}: each`, each(added, writtenDocuments));
    if (store.vectors.active() !== null || store.vectors.building() !== null) await fill(store);
    await untilTidy();
    const replaced = await measure(() =>
      inGroups([...texts], ([document, old]) => {
        const next = { ...document, revision: Bun.randomUUIDv7() };
        const { text, snippets } = publicationOf(next, [randomText(), ...old.slice(1)]);
        return store.documents.publish(next, text, snippets);
      }),
    );
    print(`the same, one text of each replaced, ${name}: each`, each(replaced, writtenDocuments));
  };

  for (let done = 0; done < documentCount; done += 200)
    await store.documents.publishNew(Array.from({ length: 200 }, () => publicationOf(sampleDocument())));
  await measureWrites("no vector set");
  await store.vectors.begin(model);
  const filled = await measure(() => fill(store));
  const { totalDocuments } = await store.vectors.pending();
  print("read and add the vectors of all documents: each", each(filled, totalDocuments));
  await store.vectors.promote();
  await measureWrites("a vector set");
  await fill(store);
  await untilTidy();

  await measureQuestions(store, options);
  await store.close();
  store = await open();
  const known = await measure(() => store.vectors.pending());
  print("after the store opened, until it is known what lacks vectors", each(known, 1));
  const asked = await measure(async () => {
    for (let round = 0; round < 100; round += 1) await store.vectors.pending();
  });
  print("what lacks vectors, asked again", each(asked, 100));
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
};
