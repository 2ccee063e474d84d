import { digestIn, digestOf, objectName, objectsFolder } from "./format/format.ts";
import { BackupFailure, type BackupTarget } from "./target/target.ts";

/** The objects of a target: SHA-256 -> bytes. */
type KnownObjects = Map<string, number>;

export const listObjects = async (target: BackupTarget, signal: AbortSignal): Promise<KnownObjects> => {
  const known: KnownObjects = new Map();
  for await (const { name, bytes } of target.list(objectsFolder, signal)) {
    const sha256 = digestIn(name);
    if (sha256 !== null) known.set(sha256, bytes);
  }
  return known;
};

/** @returns null if the object is missing or has another content than its name says */
export const readObject = async (
  target: BackupTarget,
  sha256: string,
  signal: AbortSignal,
): Promise<Uint8Array | null> => {
  const bytes = await target.read(objectName(sha256), signal);
  return bytes !== null && (await digestOf(bytes)) === sha256 ? bytes : null;
};

/** Puts pieces into the target, each once. */
export interface ObjectWriter {
  /** @returns the SHA-256 of the piece, which is in the target and was read back @throws BackupFailure */
  put(piece: Uint8Array): Promise<string>;
  /** Whether an object of this name and length is in the target. */
  has(sha256: string, bytes: number): boolean;
  /** Length of an object that is in the target; null if there is none. */
  bytesOf(sha256: string): number | null;
}

/** @param onNew called with the length of each new object */
export const createObjectWriter = (
  target: BackupTarget,
  known: KnownObjects,
  onNew: (bytes: number) => void,
  signal: AbortSignal,
): ObjectWriter => {
  const writing = new Map<string, Promise<void>>();
  const write = async (sha256: string, piece: Uint8Array): Promise<void> => {
    await target.write(objectName(sha256), piece, signal);
    if ((await readObject(target, sha256, signal)) === null)
      throw new BackupFailure(
        `${target.name} does not keep what is written to it: an object read back was different. Check its disk.`,
      );
    known.set(sha256, piece.length);
    onNew(piece.length);
  };
  return {
    has: (sha256, bytes) => known.get(sha256) === bytes,
    bytesOf: (sha256) => known.get(sha256) ?? null,
    async put(piece) {
      const sha256 = await digestOf(piece);
      // One that has another length was cut off: it is written again.
      if (known.get(sha256) === piece.length) return sha256;
      let written = writing.get(sha256);
      if (written === undefined) {
        written = write(sha256, piece).finally(() => writing.delete(sha256));
        writing.set(sha256, written);
      }
      await written;
      return sha256;
    },
  };
};
