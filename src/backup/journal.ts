import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isFromWrongClock, newestFirst } from "../domain/times.ts";
import { journalFile } from "./format/format.ts";

const nullable = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const recordSchema = Type.Object({
  id: Type.String(),
  /** When it was asked for, the moment whose state it holds, when it ended: epoch ms. */
  createdAt: Type.Integer(),
  markedAt: nullable(Type.Integer()),
  finishedAt: nullable(Type.Integer()),
  status: Type.Union([
    Type.Literal("pending"),
    Type.Literal("running"),
    Type.Literal("completed"),
    Type.Literal("failed"),
  ]),
  /** All that a restore writes; while it runs, of the files done so far. */
  bytes: Type.Integer(),
  /** What was written to the target. */
  newBytes: Type.Integer(),
  documents: nullable(Type.Integer()),
  target: Type.String(),
  error: nullable(Type.String()),
});

/** A requested or scheduled backup, and its result. */
export type BackupRecord = Static<typeof recordSchema>;

const journalSchema = Type.Object({ backups: Type.Array(recordSchema) });

/** Records that are kept, the newest: four months of a backup a day with as many failures. */
const maxRecords = 250;

/** Why a backup has failed whose process ended, or began to, before it was complete. */
export const stoppedDuringBackup = "the server stopped during the backup";

/**
 * The records of a data directory, the newest first; none if the file is missing or damaged: backups do not need it.
 */
const readJournal = async (dataDir: string): Promise<BackupRecord[]> => {
  const text = await readFile(join(dataDir, journalFile), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return "";
    throw error;
  });
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(journalSchema, value) ? value.backups : [];
  } catch {
    return [];
  }
};

/** The results of backups, kept over restarts: `backups.json` in the data directory. */
export interface Journal {
  /** The newest first. */
  list(): readonly BackupRecord[];
  /** Adds a record or changes it. It is on the disk when the promise resolves. */
  put(record: BackupRecord): Promise<void>;
  /** Updates a running backup in memory; nothing is written to the disk. */
  note(record: BackupRecord): void;
  /** Forgets backups that are no longer in their target. */
  forget(ids: readonly string[]): Promise<void>;
}

/**
 * Opens the journal; a backup that was running when the last process ended has failed. Only the process that holds the
 * store may.
 */
export const openJournal = async (dataDir: string): Promise<Journal> => {
  let records = (await readJournal(dataDir)).map(
    (record): BackupRecord =>
      record.status === "completed" || record.status === "failed"
        ? record
        : { ...record, status: "failed", error: stoppedDuringBackup, finishedAt: Date.now() },
  );
  let writing = Promise.resolve();

  const write = async (): Promise<void> => {
    const path = join(dataDir, journalFile);
    const draft = `${path}.part`;
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ backups: records }, null, 2)}\n`);
      await file.sync();
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await rename(draft, path);
  };
  const save = (): Promise<void> => {
    writing = writing.catch(() => undefined).then(write);
    return writing;
  };
  const set = (record: BackupRecord): void => {
    const at = records.findIndex(({ id }) => id === record.id);
    if (at !== -1) records = records.with(at, record);
    else
      records = [record, ...records]
        .sort((one, other) => newestFirst(one.createdAt, other.createdAt) || other.id.localeCompare(one.id))
        .slice(0, maxRecords);
  };

  return {
    list: () => records,
    note: set,
    put: (record) => {
      set(record);
      return save();
    },
    forget: (ids) => {
      if (ids.length === 0) return Promise.resolve();
      records = records.filter(({ id }) => !ids.includes(id));
      return save();
    },
  };
};

/** The state of the backups of a data directory. */
export interface NewestBackup {
  /**
   * The newest backup that is complete: the moment whose state it holds (epoch ms) and where it is; null if there is
   * none.
   */
  readonly completed: {
    readonly id: string;
    readonly markedAt: number;
    readonly bytes: number;
    readonly target: string;
  } | null;
  /**
   * The newest attempt that ended: "completed" or "failed", when (epoch ms), and why it failed; null if there was none.
   */
  readonly lastAttempt: {
    readonly status: "completed" | "failed";
    readonly finishedAt: number;
    readonly error: string | null;
  } | null;
}

/**
 * Time and outcome of the newest backup, for metrics and `carrel doctor`. It reads one small file of the data directory
 * (`backups.json`), whether a server runs on it or not; the target itself is not asked.
 * @throws the error of the file system if the file is there and cannot be read
 */
export const newestBackup = async (dataDir: string): Promise<NewestBackup> => {
  // What a wrong clock dated would be the newest for years.
  const records = (await readJournal(dataDir)).filter(
    ({ createdAt, finishedAt }) => !isFromWrongClock(finishedAt ?? createdAt),
  );
  const completed = records.find(({ status }) => status === "completed");
  const ended = records.find(({ status }) => status === "completed" || status === "failed");
  return {
    completed:
      completed === undefined
        ? null
        : {
            id: completed.id,
            markedAt: completed.markedAt ?? completed.createdAt,
            bytes: completed.bytes,
            target: completed.target,
          },
    lastAttempt:
      ended === undefined
        ? null
        : {
            status: ended.status === "completed" ? "completed" : "failed",
            finishedAt: ended.finishedAt ?? ended.createdAt,
            error: ended.error,
          },
  };
};

/** The moment whose state the newest complete backup holds (epoch ms); null if there is none. @throws as `newestBackup` */
export const newestBackupAt = async (dataDir: string): Promise<number | null> =>
  (await newestBackup(dataDir)).completed?.markedAt ?? null;
