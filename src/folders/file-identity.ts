import { createHash } from "node:crypto";

const digest = (path: string, length: number): string =>
  createHash("sha256").update(path).digest("hex").slice(0, length);

/**
 * The external id of a file's document, the same at every run. The path itself stays here: readers of the documents
 * have no business with this machine's folders.
 * @param path absolute
 */
export const externalIdOfFile = (path: string): string => `file:${digest(path, 32)}`;

/** What names a folder in the metadata of the documents that came from it. @param path absolute */
export const idOfFolder = (path: string): string => digest(path, 16);
