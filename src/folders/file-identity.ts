import { createHash } from "node:crypto";

const digest = (path: string, length: number): string =>
  createHash("sha256").update(path).digest("hex").slice(0, length);

/**
 * The external id of a file's document, the same at every run. A hash: readers of the documents must not learn about
 * this machine's folders.
 * @param path absolute
 */
export const externalIdOfFile = (path: string): string => `file:${digest(path, 32)}`;

/** Names a folder in the metadata of its documents. @param path absolute */
export const idOfFolder = (path: string): string => digest(path, 16);
