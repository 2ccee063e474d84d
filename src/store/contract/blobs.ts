/**
 * Files beside the tables, named by their hash. A file that was put or held is held until a document that names it is stored,
 * or until it is released; after that it stays as long as a document names it.
 */
export interface BlobStore {
  /**
   * Writes a stream of bytes, at most `maxBytes`.
   * @param declaredBytes the declared length of the stream: this much space is reserved before it is read
   * @throws ApiError document_too_large, storage_unavailable
   */
  put(
    source: ReadableStream<Uint8Array> | Uint8Array,
    maxBytes: number,
    declaredBytes?: number,
  ): Promise<{ hash: string; bytes: number }>;
  /** Holds a file that is there, as `put` does with its bytes. @returns false where it is not */
  hold(hash: string): Promise<boolean>;
  /** @throws ApiError data_damaged where the file does not hold what was put, or is missing though a document names it */
  read(hash: string): Promise<Uint8Array | null>;
  /** The length of a file; null if it is not there. */
  size(hash: string): Promise<number | null>;
  /** Opens the file to send it in a response. It is compared with its hash before. @throws ApiError data_damaged as `read` */
  open(hash: string): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number } | null>;
  /** Ends the hold of one `put` or `hold` that no document will name: removes the file unless it is held or named elsewhere. */
  release(hash: string): Promise<void>;
}
