import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApiError } from "../../domain/errors.ts";
import { type DocumentRecord, isUnfinished } from "../../domain/records.ts";
import { isoTime } from "../../domain/times.ts";
import type { Logger } from "../../log/log.ts";
import type { Damage, StoreDamage } from "../contract/keeping.ts";
import { folderOf } from "../disk/table-folder.ts";

/**
 * Rows that a start had to leave out of their tables, because they are damaged and nothing can restore them: until the
 * operator deletes the file, whoever asks for them gets an error and not "there is no such thing".
 */
const fileName = "damage.json";

/** Warning of a document whose text is lost while its snippets are there. */
export const textIsLost =
  "Its text was lost: questions still find it, but the whole text cannot be shown. Ingest it again.";

export type NewDamage = Omit<Damage, "foundAt">;

export const nobody = { id: null, organizationId: null, belongsTo: null };

/** A row that does not hold what was written. @param ids what can be read of its identifiers, by column */
export const damagedRow = (
  table: string,
  { ids, detail }: { ids: Readonly<Record<string, string>>; detail: string },
): NewDamage => ({
  kind: "row",
  where: table,
  id: ids.id ?? null,
  organizationId: ids.organizationId ?? null,
  belongsTo: ids.chatId ?? ids.documentId ?? null,
  detail: `a row of ${table} is damaged: ${detail}`,
});

/** A file of a table. @param path relative to the folder of the table */
export const damagedFile = (table: string, path: string, detail: "altered" | "missing") => ({
  kind: path.startsWith("_indices/") ? ("index" as const) : ("table" as const),
  where: table,
  detail: `${folderOf(table)}/${path} is ${detail === "altered" ? "not as it was written" : "missing"}`,
});

export interface DamageRegister extends Pick<StoreDamage, "list" | "error" | "unsearched"> {
  /** Logs it, once. @param isLost it is known at the next start too, though what is damaged is no longer there */
  note(damage: NewDamage, isLost?: boolean): void;
  /** Documents that are read or indexed again because of damage. */
  mend(documents: readonly Pick<DocumentRecord, "id" | "organizationId">[]): void;
  /** A document was written: what was damaged of its text and snippets has been made again. */
  noteWritten(document: DocumentRecord): void;
  /** Takes out what is mended, or was removed by its owner. */
  settle(isSettled: (damage: Damage) => boolean): void;
  /**
   * For what was not found: it may be what is damaged, whose id may be what is damaged of it.
   * @param organizationId null: of any
   * @param belongsTo a document or chat: only damage of what belongs to it
   * @throws ApiError data_damaged where there is such damage in the table
   */
  reject(table: string, organizationId: string | null, what: string, belongsTo?: string): Promise<void>;
}

/** More are counted and not listed: one broken file of rows may hold a hundred thousand. */
const maxListed = 10_000;

const keyOf = ({ kind, where, id, belongsTo }: NewDamage): string => JSON.stringify([kind, where, id, belongsTo]);

const isDamage = (value: unknown): value is Damage =>
  typeof value === "object" && value !== null && "kind" in value && "where" in value && "foundAt" in value;

/** The rows that earlier starts left out. */
export const readLost = async (dataDir: string): Promise<Damage[]> => {
  const text = await readFile(join(dataDir, fileName), "utf8").catch(() => "[]");
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isDamage) : [];
  } catch {
    return [];
  }
};

const writeLost = async (dataDir: string, lost: readonly Damage[]): Promise<void> => {
  const path = join(dataDir, fileName);
  if (lost.length === 0) return await rm(path, { force: true });
  await writeFile(`${path}.new`, `${JSON.stringify(lost, null, 1)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
};

/** Adds to the rows that starts left out. */
export const noteLost = async (dataDir: string, lost: readonly NewDamage[]): Promise<void> => {
  const known = new Map((await readLost(dataDir)).map((damage) => [keyOf(damage), damage]));
  for (const damage of lost) known.set(keyOf(damage), { ...damage, foundAt: Date.now() });
  await writeLost(dataDir, [...known.values()].slice(0, maxListed));
};

interface DamageOptions {
  dataDir: string;
  log: Logger;
  /** When the newest backup was made (epoch ms); null if there is none. */
  newestBackupAt(): Promise<number | null>;
  /** Whether the rows of a table are what questions are answered from. */
  isSearched(table: string): boolean;
  /** Whether the whole search index is being made again. */
  isIndexMade(): boolean;
}

export const createDamageRegister = async ({
  dataDir,
  log,
  newestBackupAt,
  isSearched,
  isIndexMade,
}: DamageOptions): Promise<DamageRegister> => {
  const lost = new Map((await readLost(dataDir)).map((damage) => [keyOf(damage), damage]));
  const known = new Map(lost);
  /** Documents, and whose they are. */
  const mending = new Map<string, string>();

  const saveLost = (): void => {
    writeLost(dataDir, [...lost.values()]).catch((error: unknown) =>
      log.warn({ error: String(error) }, `${fileName} could not be written`),
    );
  };

  const settle: DamageRegister["settle"] = (isSettled) => {
    let isLostChanged = false;
    for (const [key, damage] of known) {
      if (!isSettled(damage)) continue;
      known.delete(key);
      isLostChanged = lost.delete(key) || isLostChanged;
    }
    if (isLostChanged) saveLost();
  };

  const remedy = async (): Promise<string> => {
    const at = await newestBackupAt().catch(() => null);
    return at === null ? "no backup is known to restore it from" : `restore it from the backup of ${isoTime(at)}`;
  };

  const error: DamageRegister["error"] = async (what, cause) =>
    new ApiError("data_damaged", `${what}: ${await remedy()}; \`carrel check\` lists all damage.`, { cause });

  return {
    list: () => [...known.values()],
    error,
    note(damage, isLost = false) {
      const key = keyOf(damage);
      if (known.has(key) || known.size >= maxListed) return;
      const found = { ...damage, foundAt: Date.now() };
      known.set(key, found);
      if (isLost) {
        lost.set(key, found);
        saveLost();
      }
      const { kind, where, id, belongsTo, detail } = damage;
      const of = belongsTo === null ? {} : { belongsTo };
      void remedy().then((way) => log.error({ kind, where, id, ...of }, `stored data is damaged: ${detail}: ${way}`));
    },
    settle,
    mend(documents) {
      for (const { id, organizationId } of documents) mending.set(id, organizationId);
    },
    unsearched(organizationId) {
      if (isIndexMade() || mending.values().some((owner) => owner === organizationId)) {
        const warning =
          "Part of the search index was damaged and is being made again: some documents were not searched.";
        const headers = { "Retry-After": "5" };
        const detail = `${warning} Try again in a moment.`;
        return { warning, error: async () => new ApiError("index_incomplete", detail, { headers }) };
      }
      const isOwn = ({ where, organizationId: owner }: Damage): boolean =>
        isSearched(where) && (owner ?? organizationId) === organizationId;
      if (!known.values().some(isOwn)) return null;
      const warning = "Stored data is damaged: some documents could not be searched.";
      const what = "Nothing was found, and some documents could not be searched because they are damaged";
      return { warning, error: () => error(what) };
    },
    noteWritten(document) {
      if (isUnfinished(document)) return;
      mending.delete(document.id);
      if (known.size > 0 && !document.warnings.includes(textIsLost))
        settle(({ where, belongsTo }) => where === "texts" && belongsTo === document.id);
    },
    async reject(table, organizationId, what, belongsTo) {
      const isConcerned = (one: Damage): boolean =>
        one.where === table &&
        (one.organizationId === null || organizationId === null || one.organizationId === organizationId) &&
        (belongsTo === undefined || one.belongsTo === belongsTo || (one.id === null && one.belongsTo === null));
      if (known.values().some(isConcerned)) throw await error(what);
    },
  };
};
