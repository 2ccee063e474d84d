import { inParallel } from "../async/in-parallel.ts";
import { blobIn } from "../store/snapshots/clone-store.ts";
import { manifestName, objectName, pieceBytes, updateDigest } from "./format/format.ts";
import { type FoundBackup, readFileList, readManifests } from "./manifests.ts";
import { readObject } from "./objects.ts";
import { BackupFailure, type BackupTarget } from "./target/target.ts";

/** What a check found in one backup. */
interface VerifiedBackup {
  readonly id: string;
  readonly status: "intact" | "damaged";
  /** Null if the manifest cannot be read. */
  readonly markedAt: string | null;
  readonly files: number;
  readonly bytes: number;
  /** What is damaged: paths of files, and of the parts of the backup itself. The first hundred. */
  readonly damaged: readonly string[];
  /** Objects of the target that are damaged or missing, by their names there. The first hundred. */
  readonly objects: readonly string[];
}

const maxReadsAtOnce = 8;
const maxNamed = 100;

/**
 * Reads every object that backups name, once, and compares it with its SHA-256; those of uploads of several pieces once
 * more, for the name of the whole.
 * @param backups which of them are checked; those that are removed meanwhile are left out
 * @param onRead called with the bytes that were read since the last call
 */
export const verifyBackups = async (
  target: BackupTarget,
  backups: readonly FoundBackup[],
  onRead: (bytes: number) => void,
  signal: AbortSignal,
): Promise<VerifiedBackup[]> => {
  /** Length of each object; null if it is missing or damaged. */
  const lengths = new Map<string, Promise<number | null>>();
  const isIntact = async (sha256: string, bytes: number): Promise<boolean> => {
    let length = lengths.get(sha256);
    if (length === undefined) {
      length = readObject(target, sha256, signal).then((piece) => {
        onRead(bytes);
        return piece?.length ?? null;
      });
      lengths.set(sha256, length);
    }
    return (await length) === bytes;
  };

  const hashOf = async (pieces: readonly string[]): Promise<string> => {
    const hash = new Bun.CryptoHasher("sha256");
    for (const piece of pieces) await updateDigest(hash, (await readObject(target, piece, signal)) ?? new Uint8Array());
    return hash.digest("hex");
  };
  /** By the names of the pieces: each backup that has the file names the same ones. */
  const contents = new Map<string, Promise<string>>();
  /** Whether an uploaded file is the one that documents name. Its pieces are known to be intact. */
  const isNamedByContent = async (path: string, pieces: readonly string[]): Promise<boolean> => {
    const sha256 = blobIn(path);
    if (sha256 === null || (pieces.length === 1 && pieces[0] === sha256)) return true;
    const key = pieces.join(" ");
    const content = contents.get(key) ?? hashOf(pieces);
    contents.set(key, content);
    return (await content) === sha256;
  };

  const verified: VerifiedBackup[] = [];
  for (const { id, manifest } of backups) {
    const damaged: string[] = [];
    const objects = new Set<string>();
    const note = (what: string, object: string | null): void => {
      if (damaged.length < maxNamed) damaged.push(what);
      if (object !== null && objects.size < maxNamed) objects.add(objectName(object));
    };
    const files = typeof manifest === "string" ? manifest : await readFileList(target, manifest, signal);
    if (typeof files === "string") note(files, null);
    if (typeof files === "string" && typeof manifest !== "string")
      for (const piece of manifest.list.pieces)
        if ((await readObject(target, piece, signal)) === null) objects.add(objectName(piece));
    await inParallel(typeof files === "string" ? [] : files, maxReadsAtOnce, async ({ path, bytes, pieces }) => {
      for (const [index, piece] of pieces.entries()) {
        if (await isIntact(piece, Math.min(pieceBytes, bytes - index * pieceBytes))) continue;
        note(path, piece);
        return;
      }
      if (!(await isNamedByContent(path, pieces))) note(`${path} (its content is not what its name says)`, null);
    });
    // Retention removes the oldest at any time: what is gone is not damaged.
    if (damaged.length > 0 && (await target.read(manifestName(id), signal)) === null) continue;
    verified.push({
      id,
      status: damaged.length === 0 ? "intact" : "damaged",
      markedAt: typeof manifest === "string" ? null : manifest.markedAt,
      files: typeof manifest === "string" ? 0 : manifest.files,
      bytes: typeof manifest === "string" ? 0 : manifest.bytes,
      damaged,
      objects: [...objects],
    });
  }
  return verified;
};

/**
 * The selected backups: all, or one by its id or the beginning of it.
 * @returns an empty list if there is none; several only for null
 * @throws BackupFailure if several backups begin with it
 */
export const findBackups = async (
  target: BackupTarget,
  id: string | null,
  signal: AbortSignal,
): Promise<FoundBackup[]> => {
  const found = await readManifests(target, signal);
  if (id === null) return found;
  const exact = found.filter((backup) => backup.id === id);
  const meant = exact.length > 0 ? exact : found.filter((backup) => id.length >= 8 && backup.id.startsWith(id));
  if (meant.length > 1)
    throw new BackupFailure(`${meant.length} backups of ${target.name} begin with ${id}: write more of the id.`);
  return meant;
};
