import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { ApiError } from "../../domain/errors.ts";
import type { SpaceReservation } from "../disk/free-space.ts";

interface DraftOptions {
  /** A file that does not exist yet. */
  path: string;
  maxBytes: number;
  space: SpaceReservation;
  /** Whether to wait until the file is on disk. */
  flush: boolean;
}

/**
 * Writes a draft, and computes its hash meanwhile.
 * @returns the SHA-256 (hexadecimal digits) and the length of what was written
 * @throws ApiError document_too_large
 */
export const writeDraft = async (
  { path, maxBytes, space, flush }: DraftOptions,
  source: ReadableStream<Uint8Array> | Uint8Array,
): Promise<{ hash: string; bytes: number }> => {
  const hash = createHash("sha256");
  let bytes = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of source instanceof Uint8Array ? [source] : source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        throw new ApiError(
          "document_too_large",
          `The file is larger than ${maxBytes} bytes. Split it, or raise ingest.maxDocumentBytes.`,
        );
      }
      hash.update(chunk);
      await space.beforeWrite(chunk.byteLength);
      await file.writeFile(chunk);
      space.written(chunk.byteLength);
    }
    if (flush) await file.datasync();
  } finally {
    await file.close();
  }
  return { hash: hash.digest("hex"), bytes };
};
