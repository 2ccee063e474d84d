import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddingModel } from "../../providers/contract.ts";

/** Texts given to the model at a time; what is made is kept after each. */
const batchSize = 32;

/**
 * The same model, which sees each text once: its vectors stay in a folder, for other runs too. A model server embeds some
 * 15 texts a second, and each question is asked several times.
 */
export const cachedEmbedding = (model: EmbeddingModel, folder: string): EmbeddingModel => {
  mkdirSync(folder, { recursive: true });
  const name = [model.provider, model.model, model.revision ?? ""].join("-").replace(/[^\w.-]/g, "_");
  const database = new Database(join(folder, `${name}.sqlite`), { create: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID");
  const read = database.query<{ vector: Uint8Array }, [Uint8Array]>("SELECT vector FROM vectors WHERE key = ?");
  const write = database.query("INSERT OR REPLACE INTO vectors VALUES (?, ?)");
  const keyOf = (text: string, kind: string): Uint8Array => createHash("sha256").update(`${kind}\n${text}`).digest();
  const known = (key: Uint8Array): Float32Array | null => {
    const found = read.get(key);
    // A copy, since the bytes need not begin where a number may.
    return found === null ? null : new Float32Array(found.vector.slice().buffer);
  };
  return {
    ...model,
    async embed(texts, kind, signal) {
      const keys = texts.map((text) => keyOf(text, kind));
      const vectors = keys.map(known);
      const missing = [...vectors.keys()].filter((at) => vectors[at] === null);
      for (let start = 0; start < missing.length; start += batchSize) {
        const batch = missing.slice(start, start + batchSize);
        const made = await model.embed(
          batch.map((at) => texts[at] ?? ""),
          kind,
          signal,
        );
        for (const [place, at] of batch.entries()) {
          const vector = made[place] as Float32Array;
          vectors[at] = vector;
          const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
          write.run(keys[at] as Uint8Array, bytes);
        }
      }
      return vectors.map((vector) => vector as Float32Array);
    },
  };
};
