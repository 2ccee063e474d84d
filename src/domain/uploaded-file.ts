/** A file part of a multipart body, already written to the blob folder. It goes again when the request ends, unless taken. */
export interface UploadedFile {
  name: string | null;
  /** Type the part declared, if any. */
  mimeType: string | null;
  hash: string;
  bytes: number;
  /** Makes the file the handler's: from here on the handler stores a document that names it, or releases it. */
  take(): void;
}
