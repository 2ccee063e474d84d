/**
 * Content-addressed files beside the tables. A file that was put stays until a document that names it is stored, or
 * until it is released; after that it stays as long as a document names it. Removing or replacing the document removes it.
 */
export interface BlobStore {
  /**
   * Writes a stream of bytes, at most `maxBytes`.
   * @param declaredBytes how long the stream is said to be: so much space is set aside before it is read
   * @throws ApiError document_too_large, storage_unavailable
   */
  put(
    source: ReadableStream<Uint8Array> | Uint8Array,
    maxBytes: number,
    declaredBytes?: number,
  ): Promise<{ hash: string; bytes: number }>;
  read(hash: string): Promise<Uint8Array | null>;
  /** For an answer that sends the file. */
  open(hash: string): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number } | null>;
  /** Takes back one `put` that no document will name: removes the file where nobody else needs it. */
  release(hash: string): Promise<void>;
}
