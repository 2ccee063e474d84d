import type { Chunk } from "../../text/chunk/chunk.ts";

/** The text of a chunk that the embedding model is given: the column names of a table belong to its rows. */
export const embeddingInput = ({ context, text }: Pick<Chunk, "context" | "text">): string =>
  context === "" ? text : `${context}\n${text}`;
