import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { basename, join } from "node:path";
import type { JsonObject } from "../domain/records.ts";
import type { SeenFile } from "./scan-folder.ts";

const digest = (path: string, length: number): string =>
  createHash("sha256").update(path).digest("hex").slice(0, length);

/** A path, and the machine that has it: two machines that send to one server may have the same paths. */
const placeOf = (path: string, machine: string): string => (machine === "" ? path : `${machine}\0${path}`);

/**
 * The external id of a file's document, the same at every run. A hash: readers of the documents must not learn about
 * this machine's folders.
 * @param path absolute
 * @param machine empty where the store is on the same one
 */
export const externalIdOfFile = (path: string, machine = ""): string => `file:${digest(placeOf(path, machine), 32)}`;

/** Names a folder in the metadata of its documents. @param path absolute @param machine as in `externalIdOfFile` */
export const idOfFolder = (path: string, machine = ""): string => digest(placeOf(path, machine), 16);

/** A file of the folder, open for reading. */
export interface FolderFile extends SeenFile {
  /** Absolute. */
  absolutePath: string;
  /** Relative to the folder, with `/`. */
  path: string;
  /** SHA-256 of its bytes, hex. */
  sha256: string;
  /** Its bytes, from the descriptor that was hashed, whatever is at the path by now. To be read once. */
  content: Blob;
}

/** A file that was read whole. */
export interface SmallFile extends FolderFile {
  read: Uint8Array<ArrayBuffer>;
}

/** A document that came from the folder, as its metadata says. */
export interface FolderDocument extends Pick<SeenFile, "bytes" | "modifiedAt" | "volume"> {
  id: string;
  path: string;
  sha256: string;
  /** When it was last stored (epoch ms): a file that changed later may have other content. */
  storedMs: number;
  /** How the file looked when this process last knew that it is the document's; left out before that. */
  seen?: SeenFile;
  /** It is in another partition than the folder's documents are to be in. */
  isMisplaced: boolean;
}

export type PutOutcome =
  | { stored: true; documentId: string; status: string }
  /** The file is no document, as it is now. */
  | { stored: false; reason: string };

/** Turns a folder's files into documents. A call that throws is tried again later. */
export interface FolderTarget {
  list(signal: AbortSignal): Promise<FolderDocument[]>;
  put(file: FolderFile, signal: AbortSignal): Promise<PutOutcome>;
  /**
   * `put` for several small files at once, at a fraction of the cost for each; where it is left out, each is put alone.
   * @returns in the order of the files; an error for one that is to be tried again
   */
  putTogether?(files: readonly SmallFile[], signal: AbortSignal): Promise<(PutOutcome | { error: unknown })[]>;
  /** Gives a document the file's new path. @returns false where that cannot be: the file is then put in as a new one */
  move(documentId: string, file: FolderFile, signal: AbortSignal): Promise<boolean>;
  /** A document that is gone already is no error. */
  remove(documentId: string, signal: AbortSignal): Promise<void>;
}

const maxNameCharacters = 255;

/** Name of the file's document: its path, or as much of its end as a name may hold. */
export const documentName = ({ path }: Pick<FolderFile, "path">): string =>
  path.length <= maxNameCharacters ? path : basename(path).slice(-maxNameCharacters).toWellFormed();

/** The metadata that identifies the file's document. @param folder absolute @param machine as in `externalIdOfFile` */
export const metadataOf = (folder: string, file: FolderFile, machine = ""): JsonObject => ({
  externalId: externalIdOfFile(file.absolutePath, machine),
  folder: idOfFolder(folder, machine),
  path: file.path,
  bytes: file.bytes,
  modifiedAt: file.modifiedAt,
  sha256: file.sha256,
  // Without it nobody would know after a restart that the documents of a volume that is not mounted are to be kept.
  ...(file.volume === "" ? {} : { volume: file.volume }),
});

/**
 * Reads back what `metadataOf` wrote.
 * @returns null for a document that did not come from this folder, whatever its metadata says
 */
export const readFolderDocument = (
  folder: string,
  { id, metadata, storedMs }: { id: string; metadata: JsonObject | null; storedMs: number },
  machine = "",
): Omit<FolderDocument, "isMisplaced"> | null => {
  if (metadata === null) return null;
  const { externalId, path, bytes, modifiedAt, sha256, volume } = metadata;
  if (typeof path !== "string" || metadata.folder !== idOfFolder(folder, machine)) return null;
  if (externalId !== externalIdOfFile(join(folder, path), machine)) return null;
  return {
    id,
    path,
    bytes: typeof bytes === "number" ? bytes : -1,
    modifiedAt: typeof modifiedAt === "string" ? modifiedAt : "",
    sha256: typeof sha256 === "string" ? sha256 : "",
    volume: typeof volume === "string" ? volume : "",
    storedMs,
  };
};

const chunkBytes = 256 * 1024;

export const hashBytes = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** SHA-256 of an open file's bytes, hex. The read position stays at the first byte. */
export const hashFile = async (file: FileHandle, signal: AbortSignal): Promise<string> => {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
};
