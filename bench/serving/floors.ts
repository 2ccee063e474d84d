import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { nearest } from "../../src/store/engine/vector-index.ts";
import { snippetColumns } from "../../src/store/search/snippet-rows.ts";
import { textQueries } from "../../src/store/search/text-query.ts";
import { analyze, analyzeQuery } from "../../src/text/analysis/analyze.ts";
import { chunkText } from "../../src/text/chunk/chunk-text.ts";

const never = new AbortController().signal;

/** The library itself, without the store around it. */
const openTables = async (folder: string) => {
  const lance = await import("@lancedb/lancedb");
  return { lance, connection: await lance.connect(folder) };
};

/**
 * The work that no ingest can do without: the same documents cut, analyzed, embedded and written with one LanceDB call.
 * @returns milliseconds
 */
export const ingestFloor = async (documents: readonly string[], folder: string): Promise<number> => {
  mkdirSync(folder, { recursive: true });
  const { connection } = await openTables(folder);
  const embedding = await createStaticEmbedding();
  const started = performance.now();
  const rows: Record<string, unknown>[] = [];
  for (const [number, text] of documents.entries()) {
    const chunks = chunkText(text, []);
    const vectors = await embedding.embed(
      chunks.map((chunk) => chunk.text),
      "document",
      never,
    );
    for (const [position, chunk] of chunks.entries())
      rows.push({
        id: `${number}-${position}`,
        documentId: String(number),
        text: chunk.text,
        terms: analyze(chunk.text).join(" "),
        vector: Array.from(vectors[position] as Float32Array),
      });
  }
  await connection.createTable("snippets", rows);
  return performance.now() - started;
};

/**
 * What one question costs when the same LanceDB calls are made and nothing else is done: full text, vectors, the
 * documents found.
 */
export const createQueryFloor = async (dataDir: string): Promise<(question: string) => Promise<number>> => {
  const { lance, connection } = await openTables(join(dataDir, "tables"));
  const names = await connection.tableNames();
  const snippets = await connection.openTable(names.find((name) => name.startsWith("snippets")) ?? "snippets");
  const documents = await connection.openTable("documents");
  // As the running program's maintenance leaves them.
  for (const table of [snippets, documents]) await table.optimize();
  const embedding = await createStaticEmbedding();
  const [organization] = await (await connection.openTable("organizations")).query().limit(1).toArray();
  const where = `organizationId = '${organization.id}'`;
  return async (question) => {
    const queries = textQueries(lance, analyzeQuery(question).terms, { titleWeight: 1, headingWeight: 1 });
    const [vector] = await embedding.embed([question], "query", never);
    if (vector === undefined) return 0;
    const started = performance.now();
    const [, ...text] = await Promise.all([
      nearest(snippets, vector, false)
        .where(where)
        .select([...snippetColumns, "vector", "_distance"])
        .limit(100)
        .toArrow(),
      ...queries.map((query) =>
        snippets
          .query()
          .fullTextSearch(query)
          .where(where)
          .select([...snippetColumns, "vector", "_score"])
          .limit(100)
          .toArrow(),
      ),
    ]);
    const best: { documentId: string }[] = text
      .flatMap((found) => found.toArray())
      .slice(0, 6)
      .map((row) => JSON.parse(row.record));
    const ids = [...new Set(best.map(({ documentId }) => documentId))];
    if (ids.length > 0)
      await documents
        .query()
        .where(`id IN (${ids.map((id) => `'${id}'`).join(", ")})`)
        .toArrow();
    return performance.now() - started;
  };
};
