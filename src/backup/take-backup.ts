import { open } from "node:fs/promises";
import { inParallel } from "../async/in-parallel.ts";
import type { FrozenFile, FrozenStore } from "../store/contract.ts";
import {
  encodeFileList,
  encodeManifest,
  formatVersion,
  type ListedFile,
  type Manifest,
  manifestName,
  pieceBytes,
  updateDigest,
} from "./format/format.ts";
import { othersIn, readFileList, readManifests } from "./manifests.ts";
import { createObjectWriter, listObjects, type ObjectWriter } from "./objects.ts";
import type { BackupTarget } from "./target/target.ts";

interface TakeOptions {
  id: string;
  createdAt: number;
  target: BackupTarget;
  freeze(): Promise<FrozenStore>;
  /** Names the store in manifests. */
  store: string;
  /** The machine and the data directory, for people. */
  server: NonNullable<Manifest["server"]>;
  /** Version of the program. */
  version: string;
  /** Called before the backup counts as complete. @throws where others may have removed parts of it */
  assertHeld(): Promise<void>;
  /** Called while the backup makes progress. */
  onProgress(progress: BackupProgress): void;
  /** Other servers keep their backups in the same target. */
  onOthers(servers: readonly string[]): void;
  /** A file that documents name is not in the data directory, or has another content than its name says. */
  onMissing(path: string): void;
  signal: AbortSignal;
}

/** How far a backup is. */
interface BackupProgress {
  /** Null until the moment whose state it holds. */
  readonly markedAt: number | null;
  readonly documents: number | null;
  /** All that a restore would write, of the files done so far. */
  readonly bytes: number;
  readonly newBytes: number;
}

/** Files copied at the same time: with their pieces and the read-back, 64 MiB. */
const maxFilesAtOnce = 8;

/**
 * Makes a backup: keeps the files of the store as they are, puts into the target the pieces that it lacks, reads each
 * back, and writes the manifest last. Files of the newest backup of this store that cannot have changed are not read.
 * The caller holds a claim on the target.
 * @throws BackupFailure, the signal's reason
 */
export const takeBackup = async (options: TakeOptions): Promise<Manifest> => {
  const { id, target, store, server, version, signal } = options;
  const before = await readManifests(target, signal);
  const others = othersIn(before, { store, server });
  if (others.length > 0) options.onOthers(others);
  const previous = before
    .map(({ manifest }) => manifest)
    .find((each) => typeof each !== "string" && each.store === store);
  const listed = typeof previous === "object" ? await readFileList(target, previous, signal) : [];
  const unchanged = new Map((typeof listed === "string" ? [] : listed).map((file) => [file.path, file]));
  let progress: BackupProgress = { markedAt: null, documents: null, bytes: 0, newBytes: 0 };
  const advance = (change: Partial<BackupProgress>): void => {
    progress = { ...progress, ...change };
    options.onProgress(progress);
  };
  const objects = createObjectWriter(
    target,
    await listObjects(target, signal),
    (bytes) => advance({ newBytes: progress.newBytes + bytes }),
    signal,
  );
  const frozen = await options.freeze();
  let files: ListedFile[];
  try {
    advance({ markedAt: frozen.markedAt, documents: frozen.documents });
    const stored = await inParallel(frozen.files, maxFilesAtOnce, async (file) => {
      const kept = reuse(file, unchanged.get(file.path), objects) ?? (await copy(file, objects, signal));
      if (kept === null) options.onMissing(file.path);
      else advance({ bytes: progress.bytes + kept.bytes });
      return kept;
    });
    files = stored.filter((file) => file !== null);
  } finally {
    await frozen.release();
  }
  const list = await encodeFileList(files, signal);
  const pieces: string[] = [];
  for (let start = 0; start < list.length; start += pieceBytes) {
    pieces.push(await objects.put(list.subarray(start, start + pieceBytes)));
  }
  await target.flush();
  const manifest: Manifest = {
    format: formatVersion,
    id,
    createdAt: new Date(options.createdAt).toISOString(),
    markedAt: new Date(frozen.markedAt).toISOString(),
    finishedAt: new Date().toISOString(),
    version,
    store,
    server,
    documents: frozen.documents,
    files: files.length,
    bytes: progress.bytes,
    newBytes: progress.newBytes,
    list: { bytes: list.length, pieces },
  };
  await options.assertHeld();
  await target.write(manifestName(id), encodeManifest(manifest), signal);
  await target.flush();
  return manifest;
};

/** What the target has of a file without reading it; null if it has to be read. */
const reuse = (file: FrozenFile, before: ListedFile | undefined, objects: ObjectWriter): ListedFile | null => {
  const { path, sha256 } = file;
  // A file of one piece is an object under its own name.
  const { size } = Bun.file(file.source); // 0 for one that is gone: the target may have it
  const bytes = sha256 === null ? null : objects.bytesOf(sha256);
  // An object of another length was cut off.
  if (sha256 !== null && bytes !== null && bytes > 0 && (size === bytes || size === 0))
    return { path, bytes, pieces: [sha256] };
  // An uploaded file is named by its content: what the target has of it stays right, whatever became of it here.
  if (before === undefined || !file.isNameUnique || (sha256 === null && size !== before.bytes)) return null;
  const isWhole = before.pieces.every((piece, index) =>
    objects.has(piece, Math.min(pieceBytes, before.bytes - index * pieceBytes)),
  );
  return isWhole ? before : null;
};

/** Puts a file into the target. @returns null if it is not there, or damaged: it has another content than its name says */
const copy = async (file: FrozenFile, objects: ObjectWriter, signal: AbortSignal): Promise<ListedFile | null> => {
  const source = await open(file.source, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (source === null) return null;
  try {
    const pieces: string[] = [];
    let bytes = 0;
    const { size } = await source.stat();
    const hash = file.sha256 === null ? null : new Bun.CryptoHasher("sha256");
    for (;;) {
      signal.throwIfAborted();
      const piece = new Uint8Array(Math.min(pieceBytes, Math.max(size - bytes, 1)));
      const read = await readFully(source, piece, bytes);
      if (read > 0) pieces.push(await objects.put(piece.subarray(0, read)));
      if (hash !== null) await updateDigest(hash, piece.subarray(0, read));
      bytes += read;
      if (read < piece.length || bytes >= size)
        return hash === null || hash.digest("hex") === file.sha256 ? { path: file.path, bytes, pieces } : null;
    }
  } finally {
    await source.close();
  }
};

/** Fills the buffer unless the file ends before. @returns bytes read */
const readFully = async (
  source: Awaited<ReturnType<typeof open>>,
  buffer: Uint8Array,
  position: number,
): Promise<number> => {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await source.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
};
