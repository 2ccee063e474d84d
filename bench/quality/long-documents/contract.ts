/** A file of the set. */
export interface LongDocument {
  file: string;
  pdf: Uint8Array;
  pages: number;
}

/** A question that names its document loosely. */
export interface LongQuestion {
  id: string;
  kind: string;
  text: string;
  /** The file that answers it. */
  file: string;
  /** 1-based pages that answer it. */
  pages: readonly number[];
}
