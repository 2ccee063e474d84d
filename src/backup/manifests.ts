import { inParallel } from "../async/in-parallel.ts";
import { newestFirst } from "../domain/times.ts";
import { decodeFileList, type ListedFile } from "./format/file-list.ts";
import { decodeManifest, type Manifest } from "./format/manifest.ts";
import { backupIn, backupsFolder, manifestName } from "./format/names.ts";
import { readObject } from "./objects.ts";
import type { BackupTarget } from "./target/target.ts";

/** A backup of a target. */
export interface FoundBackup {
  readonly id: string;
  /** As text: why it cannot be used. */
  readonly manifest: Manifest | string;
}

const maxReadsAtOnce = 8;
/** Backups that are read at most. */
const maxBackups = 10_000;

/** The complete backups of a target, the newest first; those that a wrong clock dated, and that cannot be read, come last. */
export const readManifests = async (target: BackupTarget, signal: AbortSignal): Promise<FoundBackup[]> => {
  const ids: string[] = [];
  for await (const { name } of target.list(backupsFolder, signal)) {
    const id = backupIn(name);
    if (id !== null && ids.length < maxBackups) ids.push(id);
  }
  const found = await inParallel(ids, maxReadsAtOnce, async (id): Promise<FoundBackup> => {
    const bytes = await target.read(manifestName(id), signal);
    const manifest = bytes === null ? "its manifest is missing" : decodeManifest(bytes);
    if (typeof manifest !== "string" && manifest.id !== id) return { id, manifest: "its manifest is damaged" };
    return { id, manifest };
  });
  const markOf = ({ manifest }: FoundBackup): number =>
    typeof manifest === "string" ? Number.NEGATIVE_INFINITY : Date.parse(manifest.markedAt);
  const isBroken = ({ manifest }: FoundBackup): number => Number(typeof manifest === "string");
  return found.sort(
    (one, other) =>
      isBroken(one) - isBroken(other) || newestFirst(markOf(one), markOf(other)) || other.id.localeCompare(one.id),
  );
};

/** The files of a backup; as text: what is wrong with their list, or with what the manifest says of it. */
export const readFileList = async (
  target: BackupTarget,
  { list, files, bytes }: Manifest,
  signal: AbortSignal,
): Promise<ListedFile[] | string> => {
  const pieces = await inParallel(list.pieces, maxReadsAtOnce, (piece) => readObject(target, piece, signal));
  const whole = pieces.filter((piece) => piece !== null);
  const encoded = Buffer.concat(whole);
  if (whole.length < pieces.length || encoded.length !== list.bytes) return "its list of files is missing or damaged";
  const listed = await decodeFileList(encoded, signal);
  if (typeof listed === "string") return listed;
  // A restore looks for as much space as the manifest says.
  const isAsSaid = listed.length === files && listed.reduce((sum, file) => sum + file.bytes, 0) === bytes;
  return isAsSaid ? listed : "its list of files is not what its manifest says of it";
};
