import { createHash } from "node:crypto";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type TokenVectors, width } from "./token-model.ts";

/** Texts whose vectors are in memory and on the disk, so that the model sees each once. */
export interface TokenCache {
  of(text: string): TokenVectors;
  /** Writes what is new. */
  save(): Promise<void>;
}

const keyOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/**
 * A file for each set and layer: for each text its key (32 characters), the number of its pieces, their ids, their vectors.
 * @param embed gives the vectors of a text that the file does not have
 */
export const openTokenCache = async (
  folder: string,
  name: string,
  embed: (text: string) => TokenVectors,
): Promise<TokenCache> => {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.tokens`);
  const file = Bun.file(path);
  const known = new Map<string, TokenVectors>();
  const bytes = (await file.exists()) ? await file.arrayBuffer() : new ArrayBuffer(0);
  for (let at = 0; at < bytes.byteLength; ) {
    const key = new TextDecoder().decode(new Uint8Array(bytes, at, 32));
    const [count = 0] = new Int32Array(bytes, at + 32, 1);
    known.set(key, {
      pieces: new Int32Array(bytes, at + 36, count),
      vectors: new Int8Array(bytes, at + 36 + 4 * count, width * count),
    });
    at += 36 + (4 + width) * count;
  }
  let unsaved: Uint8Array[] = [];
  return {
    of(text) {
      const key = keyOf(text);
      const found = known.get(key) ?? embed(text);
      if (known.has(key)) return found;
      known.set(key, found);
      const { pieces, vectors } = found;
      unsaved.push(new TextEncoder().encode(key), bytesOf(Int32Array.of(pieces.length)), bytesOf(pieces));
      unsaved.push(bytesOf(vectors));
      return found;
    },
    async save() {
      const parts = unsaved;
      unsaved = [];
      if (parts.length > 0) await appendFile(path, Buffer.concat(parts));
    },
  };
};

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array | Int8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
