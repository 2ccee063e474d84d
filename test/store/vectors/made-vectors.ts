import type { DocumentRecord, NewSnippet, VectorSetDescription } from "../../../src/domain/records.ts";
import type { SnippetVector, Store } from "../../../src/store/contract.ts";
import { openStore } from "../../../src/store/open.ts";
import { embeddingInputHash } from "../../../src/text/chunk/chunk.ts";
import { sampleDocument, sampleSnippets, sampleVector } from "../../../tools/samples/records.ts";
import { silentLog } from "../open-temporary-store.ts";

const dimensions = 6;
export const model: VectorSetDescription = {
  provider: "ollama",
  model: "nomic",
  dimensions,
  modelRevision: "",
  analysisVersion: 1,
};

/** The vector that the model makes of a text: the same for the same text. */
export const vectorOf = (text: string): Float32Array => sampleVector(Bun.hash.crc32(text) % 1_000, dimensions);

/** What the model makes of snippets. */
export const vectorsOf = (snippets: readonly Pick<NewSnippet, "position" | "text" | "context">[]): SnippetVector[] =>
  snippets.map((snippet) => ({
    position: snippet.position,
    inputHash: embeddingInputHash(snippet),
    vector: vectorOf(snippet.text),
  }));

/** Publishes a document with one snippet a text. */
export const publish = async (
  store: Store,
  texts: readonly string[],
  change: Partial<DocumentRecord> = {},
): Promise<{ document: DocumentRecord & { revision: string }; snippets: NewSnippet[] }> => {
  const document = sampleDocument(change);
  const snippets = sampleSnippets(document, [store.indexes.active().id], texts);
  await store.documents.publish(document, texts.join(" "), snippets);
  return { document, snippets };
};

/** Adds what the model makes of all documents that lack vectors. */
export const fill = async (store: Store): Promise<void> => {
  const set = store.vectors.building() ?? store.vectors.active();
  if (set === null) throw new Error("no set to fill");
  for (;;) {
    const documents = await store.vectors.lacking(10);
    if (documents.length === 0) return;
    const snippets = await store.indexes.snippetsOf(documents);
    const additions = documents.map((document) => ({
      document,
      vectors: vectorsOf(snippets.get(document.id) ?? []).map((made) => ({ ...made })),
    }));
    await store.vectors.add(set.id, additions);
  }
};

export const reopen = (dataDir: string): Promise<Store> =>
  openStore({
    dataDir,
    index: { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 },
    log: silentLog,
    syncWrites: false,
  });

/** The revision and position of each row of a closed store's vector tables, sorted. */
export const storedRows = async (dataDir: string): Promise<string[]> => {
  const { connect } = await import("../../../src/store/engine/lance.ts");
  const { connection } = await connect(`${dataDir}/tables`);
  const rows: string[] = [];
  for (const name of await connection.tableNames()) {
    if (!name.startsWith("vectors_")) continue;
    const table = await connection.openTable(name);
    for (const row of await table.query().select(["revision", "position"]).toArray())
      rows.push(`${row.revision} ${row.position}`);
    table.close();
  }
  connection.close();
  return rows.sort();
};
