import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { newestFirst } from "../../domain/times.ts";
import type { Logger } from "../../log/log.ts";
import { loadLibc } from "../../system/libc.ts";
import { syncDisk } from "../disk/disk-sync.ts";
import { freeBytesOf, isNoSpace, usualMinFreeBytes } from "../disk/free-space.ts";
import { type ClonePlan, cloneStore, planClone } from "./clone-store.ts";

/** The store as it was before an upgrade: `snapshots/<name>/`, laid out as the data directory is. */
export interface Snapshot {
  /** Name of its folder. */
  name: string;
  /** Version of the tables in it. */
  schema: number;
  /** The program that last used them; null where it did not say so yet. */
  program: string | null;
  /** Version that the upgrade leads to. */
  target: number;
  /** ISO 8601. */
  createdAt: string;
  /** Of all its files. Most of them take no space of their own while the store has them too. */
  bytes: number;
  /** Whether the upgrade that it was taken for is complete, or was given up for the state in it. */
  isComplete: boolean;
}

/** There is no room for a snapshot: the store is not upgraded, and nothing of it was changed. */
export class NoRoomForSnapshotError extends Error {
  override readonly name = "NoRoomForSnapshotError";
}

const factsFile = "snapshot.json";
const unfinished = ".unfinished";
export const snapshotsFolder = (dataDir: string): string => join(dataDir, "snapshots");

const parseSnapshot = (name: string, text: string): Snapshot | null => {
  try {
    const { schema, program, target, createdAt, bytes, isComplete } = JSON.parse(text) as Partial<Snapshot>;
    if (typeof schema !== "number" || typeof target !== "number" || typeof createdAt !== "string") return null;
    return {
      name,
      schema,
      program: program ?? null,
      target,
      createdAt,
      bytes: bytes ?? 0,
      isComplete: isComplete === true,
    };
  } catch {
    return null;
  }
};

/** The snapshots that are whole, newest first; those that a wrong clock dated come last. */
export const listSnapshots = async (dataDir: string): Promise<Snapshot[]> => {
  const folder = snapshotsFolder(dataDir);
  const found: Snapshot[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.endsWith(unfinished)) continue;
    const text = await readFile(join(folder, name, factsFile), "utf8").catch(() => null);
    const snapshot = text === null ? null : parseSnapshot(name, text);
    if (snapshot !== null) found.push(snapshot);
  }
  return found.sort((one, other) => newestFirst(Date.parse(one.createdAt), Date.parse(other.createdAt)));
};

/**
 * Notes that the upgrade that a snapshot was taken for is over, so that the next one takes another. A full disk is no
 * failure: the next start notes it.
 */
export const closeSnapshot = async (dataDir: string, { name, ...facts }: Snapshot): Promise<void> => {
  const path = join(snapshotsFolder(dataDir), name, factsFile);
  try {
    await Bun.write(`${path}${unfinished}`, `${JSON.stringify({ ...facts, isComplete: true }, null, 2)}\n`);
    await syncDisk(snapshotsFolder(dataDir), loadLibc());
  } catch (error) {
    if (!isNoSpace(error)) throw error;
    return await rm(`${path}${unfinished}`, { force: true });
  }
  await rename(`${path}${unfinished}`, path);
};

interface SnapshotOptions {
  dataDir: string;
  /** Version of the tables now, and the one they are brought to. */
  schema: number;
  target: number;
  program: string | null;
  log: Logger;
  /** Free bytes of the file system that holds a folder; others in tests. */
  freeBytes?: (folder: string) => Promise<number>;
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024).toLocaleString("en")} MB`;

/** The upgrade itself writes too. */
const roomFor = (newBytes: number): number => newBytes + usualMinFreeBytes;

const noRoom = (
  { dataDir, schema, target }: SnapshotOptions,
  { newBytes, canLink }: ClonePlan,
  free: number,
): Error => {
  const why = canLink ? "" : " (this file system has no hard links, so that all of it is copied)";
  return new NoRoomForSnapshotError(
    `The data in ${dataDir} has to be upgraded from schema ${schema} to ${target}. A snapshot of it is kept first, which takes ${megabytes(roomFor(newBytes))} of free space${why}, and the disk has ${megabytes(free)}: free some space and start again. Nothing was changed.`,
  );
};

/** Nor does an upgrade that was interrupted go on without room. */
const checkRoomToGoOn = async (options: SnapshotOptions, from: Snapshot): Promise<void> => {
  const { dataDir, target, freeBytes = freeBytesOf } = options;
  const free = await freeBytes(dataDir);
  if (free >= roomFor(0)) return;
  throw new NoRoomForSnapshotError(
    `The upgrade of the data in ${dataDir} from schema ${from.schema} to ${target} was interrupted. It goes on with ${megabytes(roomFor(0))} of free space, and the disk has ${megabytes(free)}: free some space and start again, or go back to the state before it with \`carrel restore --snapshot\`.`,
  );
};

/**
 * Keeps the store as it is before an upgrade changes it: immutable files as hard links where the file system has them,
 * the others as copies. An upgrade that was interrupted has its snapshot already. Call with the lock held, before any
 * table is opened for writing.
 * @throws NoRoomForSnapshotError
 */
export const takeSnapshot = async (options: SnapshotOptions): Promise<void> => {
  const { dataDir, schema, target, program, log, freeBytes = freeBytesOf } = options;
  const folder = snapshotsFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder))
    if (name.endsWith(unfinished)) await rm(join(folder, name), { recursive: true });
  const [newest] = await listSnapshots(dataDir);
  // Where the store has the version that the upgrade led to, only the note of its end is missing.
  if (newest !== undefined && !newest.isComplete && newest.schema <= schema && schema < newest.target) {
    await checkRoomToGoOn(options, newest);
    log.info({ snapshot: newest.name, schema: newest.schema }, "an upgrade that was interrupted goes on");
    return;
  }
  const createdAt = new Date().toISOString();
  const name = `${createdAt.replaceAll(":", "-")}-schema-${schema}`;
  const draft = join(folder, `${name}${unfinished}`);
  await mkdir(draft, { mode: 0o700 });
  let plan: ClonePlan | null = null;
  try {
    plan = await planClone(dataDir, draft);
    const free = await freeBytes(dataDir);
    if (free < roomFor(plan.newBytes)) throw noRoom(options, plan, free);
    log.info({ from: schema, to: target, files: plan.files.length }, "a snapshot is taken before the upgrade");
    await cloneStore(plan, dataDir, draft);
    log.debug({ snapshot: name }, "the files of the snapshot are there");
    const facts = { schema, program, target, createdAt, bytes: plan.bytes, isComplete: false };
    await Bun.write(join(draft, factsFile), `${JSON.stringify(facts, null, 2)}\n`);
    await syncDisk(draft, loadLibc());
    await rename(draft, join(folder, name));
    await syncDisk(folder, loadLibc());
    log.info({ snapshot: name, bytes: plan.bytes, newBytes: plan.newBytes }, "a snapshot was kept before the upgrade");
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Others wrote to the disk meanwhile.
    throw plan !== null && isNoSpace(error) ? noRoom(options, plan, await freeBytes(dataDir)) : error;
  }
};

/**
 * Once the store has the program's schema: the newest snapshot is that of a complete upgrade, and those before it go.
 */
export const settleSnapshots = async (dataDir: string, log: Logger): Promise<void> => {
  const [newest, ...older] = await listSnapshots(dataDir);
  if (newest === undefined) return;
  if (!newest.isComplete) {
    await closeSnapshot(dataDir, newest);
    log.info(
      { snapshot: newest.name, schema: newest.target },
      "the upgrade is complete; its snapshot is kept until the next one",
    );
  }
  for (const { name } of older) await rm(join(snapshotsFolder(dataDir), name), { recursive: true, force: true });
};
