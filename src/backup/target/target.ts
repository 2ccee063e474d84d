import { pieceBytes } from "../format/format.ts";

/** A backup, its check or a restore failed. The message says what to do next, and holds no secret of the target. */
export class BackupFailure extends Error {
  override readonly name = "BackupFailure";
}

/** Longest object: a piece of a file. A manifest is far shorter. */
export const maxObjectBytes = pieceBytes;

/** An object of a target: a file of a folder, or an object of a bucket. */
export interface TargetObject {
  /** With `/`, as `objects/ab/ab12…`. */
  readonly name: string;
  readonly bytes: number;
  /** By the clock of the target (epoch ms). */
  readonly modifiedAt: number;
}

/**
 * Where backups are kept. An object is there as a whole or not at all, and seen by everybody once it is written.
 * Every method throws BackupFailure, or the signal's reason.
 */
export interface BackupTarget {
  /** The name that is shown to people; it holds no secret. */
  readonly name: string;
  /** The objects below a folder, in no order. */
  list(folder: string, signal: AbortSignal): AsyncIterable<TargetObject>;
  /** @returns null if there is none; nothing of one that is longer than any object: it is not what its name says */
  read(name: string, signal: AbortSignal): Promise<Uint8Array | null>;
  write(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Does nothing if there is none. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Resolves when all that was written survives a power loss. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
