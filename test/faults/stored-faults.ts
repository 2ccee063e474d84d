import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** What is wrong in a data folder whose server has stopped; empty lists where all is as it should be. */
export interface StoredFaults {
  /** Documents whose snippets are not exactly one run of positions of their current revision. */
  snippets: string[];
  /** Texts or snippets that no document names. */
  strays: string[];
  /** Files that no document names, drafts, and files that are missing. */
  blobs: string[];
}

interface DocumentRow {
  id: string;
  status: string;
  revision: string | null;
  blobHash: string | null;
  chunks: number;
}

/** Looks into the tables and the folder of files themselves, past everything that would tidy them up. */
export const storedFaults = async (dataDir: string): Promise<StoredFaults> => {
  const lance = await import("@lancedb/lancedb");
  const connection = await lance.connect(join(dataDir, "tables"));
  const rowsOf = async <T>(name: string, columns: string[]): Promise<T[]> => {
    const rows = await (await connection.openTable(name)).query().select(columns).limit(10_000_000).toArray();
    return rows.map((row) => row.toJSON() as T);
  };
  const faults: StoredFaults = { snippets: [], strays: [], blobs: [] };
  const documents = await rowsOf<DocumentRow>("documents", ["id", "status", "revision", "blobHash", "chunks"]);
  if (new Set(documents.map(({ id }) => id)).size !== documents.length) faults.strays.push("a document is there twice");
  const revisions = new Set(documents.flatMap(({ revision }) => revision ?? []));

  const indexes = await rowsOf<{ id: string; state: string }>("indexes", ["id", "state"]);
  const tables = (await connection.tableNames()).filter((name) => name.startsWith("snippets"));
  const tablesOf = (id: string) => tables.filter((name) => name.startsWith(`snippets_${id}`));
  const unnamed = tables.filter((name) => !indexes.some(({ id }) => tablesOf(id).includes(name)));
  faults.strays.push(...unnamed.map((name) => `table ${name}`));
  for (const { id: index, state } of indexes) {
    const positions = new Map<string, number[]>();
    for (const table of tablesOf(index))
      for (const row of await rowsOf<{ revision: string; position: number }>(table, ["revision", "position"])) {
        if (!revisions.has(row.revision)) faults.strays.push(`snippet of revision ${row.revision}`);
        positions.set(row.revision, [...(positions.get(row.revision) ?? []), row.position]);
      }
    for (const { id, status, revision, chunks } of documents) {
      const found = (positions.get(revision ?? "") ?? []).sort((a, b) => a - b);
      if (state === "building" && found.length === 0) continue; // its turn has not come
      const isRight = found.length === chunks && found.every((position, at) => position === at);
      if (status === "processed" ? !isRight || found.length === 0 : revision === null && found.length > 0)
        faults.snippets.push(`${id} has ${found.length} of ${chunks}`);
    }
  }

  const texts = (await rowsOf<{ id: string }>("texts", ["id"])).map(({ id }) => id);
  // A failed text document keeps the text that it came with, under its own id: it can be tried again.
  const named = new Set([...revisions, ...documents.flatMap(({ id, status }) => (status === "failed" ? [id] : []))]);
  faults.strays.push(...texts.filter((id) => !named.has(id)).map((id) => `text ${id}`));
  if (new Set(texts).size !== texts.length) faults.strays.push("a text is there twice");

  const referred = new Set(documents.flatMap(({ blobHash }) => blobHash ?? []));
  const present = (await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const names = new Set(present.map(({ name }) => name));
  faults.blobs.push(...[...names].filter((name) => !referred.has(name)).map((name) => `${name} is nobody's`));
  faults.blobs.push(...[...referred].filter((name) => !names.has(name)).map((name) => `${name} is missing`));
  return faults;
};
