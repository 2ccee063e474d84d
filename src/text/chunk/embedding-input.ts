import { createHash } from "node:crypto";
import type { Chunk } from "./chunk.ts";

/** The text of a chunk that the embedding model is given: the column names of a table belong to its rows. */
export const embeddingInput = ({ context, text }: Pick<Chunk, "context" | "text">): string =>
  context === "" ? text : `${context}\n${text}`;

/** Names an embedding input: 128 bits of its SHA-256, base64url. Equal inputs have equal vectors. */
export const embeddingInputHash = (chunk: Pick<Chunk, "context" | "text">): string =>
  createHash("sha256").update(embeddingInput(chunk)).digest().subarray(0, 16).toString("base64url");
