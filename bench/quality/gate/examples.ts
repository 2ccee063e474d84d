import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { EmbeddingModel } from "../../../providers/contract.ts";
import { likelyQuestions } from "../../../src/calibration/likely-questions.ts";
import { groupNearDuplicates } from "../../../src/calibration/near-duplicates.ts";
import type { NewSnippet, Tenant } from "../../../src/domain/records.ts";
import type { SourceDocument } from "../../../src/evaluation/collection.ts";
import { type EvaluationSet, readSets } from "../../../src/evaluation/sets.ts";
import { familiarityOf, gateFeatures } from "../../../src/retrieval/calibration/gate-features.ts";
import { withoutDocuments } from "../../../src/retrieval/calibration/left-out.ts";
import { averageTermsLength, scoreCandidates, unionOf } from "../../../src/retrieval/candidates.ts";
import { candidateFieldWeights } from "../../../src/retrieval/fusion-weights.ts";
import { dot } from "../../../src/retrieval/query-vector.ts";
import { createTextScorer, queryWords } from "../../../src/retrieval/text-score.ts";
import type { SnippetHit, SnippetView } from "../../../src/store/contract.ts";
import { openStore } from "../../../src/store/open.ts";
import { analysisVersion, analyzeQuery, denseShare } from "../../../src/text/analysis/analyze.ts";
import { embeddingInput } from "../../../src/text/chunk/embedding-input.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";
import { silent, snippetsOf } from "../../../tools/samples/snippets.ts";
import { embeddingOf } from "../in-process.ts";
import type { ExampleLine } from "./example-line.ts";

const usage = `Asks the questions of sets, with the documents that answer them and without, and writes the gate's features.

  bun bench/quality/gate/examples.ts FOLDER… --to FOLDER [--minilm] [--documents N] [--questions N]

Each FOLDER is a set or holds sets (docs/evaluation.md). --to gets a file of examples for each set; sets that have one are
left out. With --minilm each question is asked twice, with static vectors alone and with MiniLM's beside them. --documents
takes whole articles (documents of one title) at random until there are N: how the gate behaves in small stores.
An absent question is one whose whole article is left out, with its near-duplicates, or was not among the documents taken.`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    to: { type: "string" },
    minilm: { type: "boolean", default: false },
    documents: { type: "string", default: "400" },
    questions: { type: "string", default: "160" },
  },
});
if (positionals.length === 0 || values.to === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const to = values.to;
const maxDocuments = Number(values.documents);
const maxQuestions = Number(values.questions);
/** Questions taken of each other set. */
const foreignOfSet = 8;
const candidatesOfLeg = 100;
const backgroundSnippets = 96;
const forever = new AbortController().signal;

const fixed = await embeddingOf({ model: "static", config: undefined });
const minilm = values.minilm ? await embeddingOf({ model: "minilm", config: undefined }) : null;

/** Vectors of texts, kept on disk: MiniLM takes most of the time. */
const cached = async (model: EmbeddingModel, name: string, texts: readonly string[]): Promise<Float32Array[]> => {
  const file = Bun.file(join(to, `${name}.${texts.length}.vectors`));
  const length = await model.dimensions(forever);
  if (await file.exists()) {
    const all = new Float32Array(await file.arrayBuffer());
    return texts.map((_, at) => all.subarray(at * length, (at + 1) * length));
  }
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += 32)
    vectors.push(...(await model.embed(texts.slice(at, at + 32), "document", forever)));
  const all = new Float32Array(vectors.length * length);
  for (const [at, vector] of vectors.entries()) all.set(vector, at * length);
  await Bun.write(file, all);
  return vectors;
};

const evenly = <T>(from: readonly T[], count: number): T[] =>
  from.length <= count
    ? [...from]
    : Array.from({ length: count }, (_, at) => from[Math.floor((at * from.length) / count)] as T);

/** Documents of one title are an article; without a title each is one by itself. */
const articleOf = ({ id, title }: SourceDocument): string => (title === "" ? id : title);

const chooseDocuments = (set: EvaluationSet): SourceDocument[] => {
  const readable = set.documents.filter(({ text }) => text.trim() !== "");
  const articles = [...new Set(readable.map(articleOf))].sort((a, b) => Bun.hash.crc32(a) - Bun.hash.crc32(b));
  const chosen: SourceDocument[] = [];
  for (const article of articles) {
    if (chosen.length >= maxDocuments) break;
    chosen.push(...readable.filter((document) => articleOf(document) === article));
  }
  return chosen.slice(0, maxDocuments);
};

interface Asked {
  kind: ExampleLine["kind"];
  text: string;
  /** Documents left out to make it absent; null: it is absent as it is. */
  sources: ReadonlySet<string> | null;
}

const questionsOf = async (set: EvaluationSet, documents: readonly SourceDocument[]): Promise<Asked[]> => {
  const groups = await groupNearDuplicates(documents.map(({ text }) => text));
  const groupOf = new Map(documents.map(({ id }, at) => [id, groups[at] ?? 0]));
  const withAlike = (ids: readonly string[]): Set<string> => {
    const wanted = new Set(ids.map((id) => groupOf.get(id)));
    const articles = new Set(documents.filter(({ id }) => ids.includes(id)).map(articleOf));
    return new Set(
      documents.filter((each) => wanted.has(groupOf.get(each.id)) || articles.has(articleOf(each))).map(({ id }) => id),
    );
  };
  const relevant = (question: EvaluationSet["questions"][number]): string[] =>
    documents
      .map(({ id }) => id)
      .filter((id) => question.score({ pieces: [{ document: id, start: 0, end: 1 }], refusedAbove: 1 }).recall5 > 0);
  const own = set.questions.flatMap((question): Asked[] => {
    const ids = relevant(question);
    return ids.length === 0 ? [] : [{ kind: "real", text: question.text, sources: withAlike(ids) }];
  });
  // Where only a part of the set is taken, the questions about the rest are absent as they are.
  const chosen = new Set(documents.map(({ id }) => id));
  const rest = set.documents.filter(({ id }) => !chosen.has(id)).map(({ id }) => id);
  const elsewhere = set.questions.filter(
    (question) =>
      relevant(question).length === 0 &&
      question.score({ pieces: rest.map((document) => ({ document, start: 0, end: 1 })), refusedAbove: 1 }).recall20 >
        0,
  );
  const made = await likelyQuestions(documents, Math.min(4, Math.ceil(maxQuestions / documents.length)));
  const foreign = sets
    .filter(({ name }) => name !== set.name)
    .flatMap(({ questions }) => evenly(questions, foreignOfSet))
    .map(({ text }): Asked => ({ kind: "foreign", text, sources: null }));
  return [
    ...evenly(own, maxQuestions),
    ...evenly(elsewhere, maxQuestions / 2).map(({ text }): Asked => ({ kind: "real", text, sources: null })),
    // As the calibration has it: the own document and its near-duplicates are left out, not the article.
    ...evenly(made, maxQuestions).map(({ document, text }): Asked => {
      const group = groupOf.get(document);
      const sources = new Set(documents.filter(({ id }) => groupOf.get(id) === group).map(({ id }) => id));
      return { kind: "made", text, sources };
    }),
    ...foreign,
  ];
};

const measure = async (set: EvaluationSet, documents: readonly SourceDocument[]): Promise<ExampleLine[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-gate-"));
  const index = {
    provider: fixed.provider,
    model: fixed.model,
    dimensions: await fixed.dimensions(forever),
    analysisVersion,
  };
  const store = await openStore({ dataDir, index, log: silent, syncWrites: false });
  try {
    const { id: organizationId } = await store.organizations.upsert("default");
    const tenant: Tenant = { organizationId, partitionId: null };
    const recordOf = new Map<string, string>();
    const all: NewSnippet[] = [];
    for (const { id, title } of documents) recordOf.set(id, sampleDocument({ organizationId, name: title || id }).id);
    for (let start = 0; start < documents.length; start += 64)
      await Promise.all(
        documents.slice(start, start + 64).map(async ({ id, title, text }) => {
          const record = { ...sampleDocument({ organizationId, name: title || id }), id: recordOf.get(id) as string };
          const snippets = await snippetsOf(record, text, store.indexes.active().id, fixed);
          await store.documents.publish(record, text, snippets);
          all.push(...snippets);
        }),
      );
    all.sort((a, b) => Bun.hash.crc32(a.text) - Bun.hash.crc32(b.text));
    const modelVectors = minilm === null ? [] : await cached(minilm, set.name, all.map(embeddingInput));
    const modelOf = new Map(all.map(({ id }, at) => [id, modelVectors[at] ?? null]));
    const staticOf = (snippet: NewSnippet) => snippet.vectors.get(store.indexes.active().id) ?? null;
    const hits = all.map(
      (snippet): SnippetHit => ({
        ...snippet,
        textScore: null,
        vector: staticOf(snippet),
        modelVector: modelOf.get(snippet.id) ?? null,
      }),
    );
    const questions = await questionsOf(set, documents);
    const view = store.openSnippets();
    try {
      const lines: ExampleLine[] = [];
      for (const question of questions)
        lines.push(...(await ask(view, tenant, question, hits, recordOf)).map((line) => ({ set: set.name, ...line })));
      return lines;
    } finally {
      view.close();
    }
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const ask = async (
  view: SnippetView,
  tenant: Tenant,
  { kind, text, sources }: Asked,
  all: readonly SnippetHit[],
  recordOf: ReadonlyMap<string, string>,
): Promise<Omit<ExampleLine, "set">[]> => {
  const { terms } = analyzeQuery(text);
  const scope = { documentId: null, partitionId: null, metadata: null };
  const [[vector = null], [modelVector = null]] = await Promise.all([
    fixed.embed([text], "query", forever),
    minilm === null ? [] : minilm.embed([text], "query", forever),
  ]);
  const withModel = (hit: SnippetHit): SnippetHit => ({ ...hit, modelVector: modelOfId.get(hit.id) ?? null });
  const modelOfId = new Map(all.map(({ id, modelVector: own }) => [id, own]));
  const [textHits, vectorHits, frequencies] = await Promise.all([
    view.searchText(tenant, scope, terms, { limit: candidatesOfLeg, ...candidateFieldWeights }),
    vector === null ? [] : view.searchVectors(tenant, scope, vector, candidatesOfLeg),
    view.documentFrequencies(
      tenant,
      terms.map(({ term }) => term),
    ),
  ]);
  const modelHits =
    modelVector === null
      ? []
      : all
          .map((hit) => ({ hit, cosine: hit.modelVector === null ? -1 : dot(modelVector, hit.modelVector) }))
          .sort((a, b) => b.cosine - a.cosine)
          .slice(0, candidatesOfLeg)
          .map(({ hit }) => hit);
  const leftOut = new Set([...(sources ?? [])].map((id) => recordOf.get(id) ?? id));
  const background = all.slice(0, backgroundSnippets);
  const features = (out: ReadonlySet<string>, hasModel: boolean): number[] | null => {
    const byIndex = [textHits, vectorHits];
    const hits = unionOf([...byIndex, hasModel ? modelHits : []]).map(withModel);
    const found = withoutDocuments({ textHits, hits, frequencies, background }, out);
    const words = queryWords(terms, found.frequencies);
    const own = found.textHits.length > 0 ? found.textHits : found.hits;
    const scorer = createTextScorer(words, averageTermsLength([own]));
    const foundByIndex = new Set(byIndex.flat().map(({ id }) => id));
    const vectors = { index: vector, model: hasModel ? modelVector : null };
    return gateFeatures({
      candidates: scoreCandidates(found.hits, foundByIndex, scorer, vectors),
      words,
      texts: [text],
      frequencies: found.frequencies,
      dense: denseShare(terms),
      vector,
      modelVector: hasModel ? modelVector : null,
      isIndexStatic: true,
      familiarity: {
        static: familiarityOf("static", fixed.fusionWeight(text)),
        model: hasModel && minilm !== null ? familiarityOf("model", minilm.fusionWeight(text)) : 0,
      },
      background: found.background,
    });
  };
  const lines: Omit<ExampleLine, "set">[] = [];
  for (const tier of minilm === null ? (["static"] as const) : (["static", "minilm"] as const)) {
    const line = (isThere: boolean) => ({
      kind,
      tier,
      isThere,
      text,
      features: features(isThere ? new Set() : leftOut, tier === "minilm"),
    });
    lines.push(...(sources === null ? [line(false)] : [line(true), line(false)]));
  }
  return lines;
};

await mkdir(to, { recursive: true });
const sets = (await Promise.all(positionals.map(readSets))).flat();
for (const set of sets) {
  const file = Bun.file(join(to, `${set.name}.jsonl`));
  if (await file.exists()) continue;
  const began = performance.now();
  const documents = chooseDocuments(set);
  const lines = await measure(set, documents);
  await Bun.write(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stderr.write(`${set.name}: ${documents.length} documents, ${lines.length} examples, ${seconds} s\n`);
}
process.exit(0);
