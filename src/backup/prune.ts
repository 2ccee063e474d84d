import { inParallel } from "../async/in-parallel.ts";
import { createYielder } from "../async/yield.ts";
import type { Claims } from "./claims.ts";
import { backupsFolder, claimsFolder, digestIn, type Manifest, manifestName, objectsFolder } from "./format/format.ts";
import { type FoundBackup, readFileList, readManifests, serversIn } from "./manifests.ts";
import type { BackupTarget } from "./target/target.ts";

interface PruneResult {
  /** Backups that were removed. */
  readonly backups: readonly string[];
  /** Objects that were removed. */
  readonly objects: number;
  /** Why objects were left; null if they were not. */
  readonly left: string | null;
}

interface PruneOptions {
  claims: Claims;
  /** How many stay. */
  keep: number;
  /** From one backup of the schedule to the next; null: there is no schedule. */
  everyMs: number | null;
  /** Id of the backup that was just made: it stays, and those of its server are counted. */
  made: string;
  signal: AbortSignal;
}

const maxRemovalsAtOnce = 8;
const dayMs = 86_400_000;

/**
 * Removes the backups of a server but the newest, then the objects that no backup names. While anybody else works on the
 * target, or if a backup cannot be read, no object is removed: one that seems unnamed may be needed.
 */
export const prune = async (
  target: BackupTarget,
  { claims, keep, everyMs, made, signal }: PruneOptions,
): Promise<PruneResult> => {
  const claim = await claims.forPruning(signal);
  if (claim === null) return { backups: [], objects: 0, left: "another program uses the target" };
  try {
    const found = await readManifests(target, signal);
    const own = [...(serversIn(found).find(({ backups }) => backups.some(({ id }) => id === made))?.backups ?? [])];
    // Where the clock was ahead before, others seem newer.
    own.sort((one, other) => Number(other.id === made) - Number(one.id === made));
    const old = surplus(own, keep, Math.min(everyMs ?? dayMs, dayMs)).map(({ id }) => id);
    // Manifests first: a crash in between leaves too many objects, never too few.
    await inParallel(old, maxRemovalsAtOnce, (id) => target.remove(manifestName(id), signal));
    await target.flush();
    await removeDrafts(target, signal);
    const named = await namedObjects(
      target,
      found.filter(({ id }) => !old.includes(id)),
      signal,
    );
    if (typeof named === "string") return { backups: old, objects: 0, left: named };
    return { backups: old, objects: await removeUnnamed(target, named, signal), left: null };
  } finally {
    await claim.release();
  }
};

/**
 * The backups that go. Of several within a day (of the schedule's interval, where that is shorter) all but the last go
 * first: backups that are asked for in a row take the place of none of another day.
 * @param own the newest first
 */
export const surplus = <B extends Pick<Manifest, "markedAt">>(
  own: readonly B[],
  keep: number,
  apartMs: number,
): B[] => {
  const byTime = [...Map.groupBy(own, ({ markedAt }) => Math.floor(Date.parse(markedAt) / apartMs)).values()];
  const lasts = byTime.flatMap((group) => group.slice(0, 1));
  const repeated = own.filter((backup) => !lasts.includes(backup));
  return [...lasts, ...repeated].slice(keep);
};

/** The objects that some backups name; as text, why that is not known. */
const namedObjects = async (
  target: BackupTarget,
  backups: readonly FoundBackup[],
  signal: AbortSignal,
): Promise<Set<string> | string> => {
  const named = new Set<string>();
  const yieldTurn = createYielder(signal);
  for (const { id, manifest } of backups) {
    if (typeof manifest === "string") return `the backup ${id} cannot be read: ${manifest}`;
    const files = await readFileList(target, manifest, signal);
    if (typeof files === "string") return `the backup ${id} cannot be read: ${files}`;
    for (const piece of manifest.list.pieces) named.add(piece);
    for (const { pieces } of files) {
      for (const piece of pieces) named.add(piece);
      await yieldTurn();
    }
  }
  return named;
};

/** Manifests and claims that were being written when a program was killed: `backups/ID.json.UUID.part`. */
const draft = /\.[0-9a-f-]{36}\.part$/;

const removeDrafts = async (target: BackupTarget, signal: AbortSignal): Promise<void> => {
  for (const folder of [backupsFolder, claimsFolder])
    for await (const { name } of target.list(folder, signal)) if (draft.test(name)) await target.remove(name, signal);
};

const removeUnnamed = async (target: BackupTarget, named: Set<string>, signal: AbortSignal): Promise<number> => {
  const unnamed: string[] = [];
  for await (const { name } of target.list(objectsFolder, signal)) {
    // Files that were being written when a backup was killed have another form of name.
    const sha256 = digestIn(name);
    if (sha256 === null || !named.has(sha256)) unnamed.push(name);
  }
  await inParallel(unnamed, maxRemovalsAtOnce, (name) => target.remove(name, signal));
  return unnamed.length;
};
