/** A file part of a multipart body, already in the blob folder. It is removed when the request ends, unless it is taken. */
export interface UploadedFile {
  name: string | null;
  /** Type the part declared, if any. */
  mimeType: string | null;
  hash: string;
  bytes: number;
  /** Passes the file to the handler, which stores a document that names it, or releases it. */
  take(): void;
}
