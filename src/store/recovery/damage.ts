import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isUnfinished } from "../../domain/document-status.ts";
import { ApiError } from "../../domain/errors.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { isoTime } from "../../domain/times.ts";
import type { Logger } from "../../log.ts";
import type { Damage, StoreDamage } from "../contract/damage.ts";
import { textIsLost } from "./restore-document.ts";

/**
 * Rows that a start had to leave out of their tables, because they are damaged and nothing can restore them: until the
 * operator deletes the file, whoever asks for them gets an error and not "there is no such thing".
 */
const fileName = "damage.json";

export type NewDamage = Omit<Damage, "foundAt">;

export interface DamageRegister extends Pick<StoreDamage, "list" | "mending" | "error"> {
  /** Logs it, once. @param isLost it is known at the next start too, though what is damaged is no longer there */
  note(damage: NewDamage, isLost?: boolean): void;
  /** Documents that are read or indexed again because of damage. */
  mend(documents: readonly Pick<DocumentRecord, "id" | "organizationId">[]): void;
  /** A document was written: what was damaged of its text and snippets has been made again. */
  noteWritten(document: DocumentRecord): void;
  /** Takes out what is mended, or was removed by its owner. */
  settle(isSettled: (damage: Damage) => boolean): void;
  /** Damage of a table that concerns a record, or records that belong to it; it may be that of an unknown one. */
  of(table: string, id: string, organizationId: string | null): Damage | null;
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

export interface DamageOptions {
  dataDir: string;
  log: Logger;
  /** When the newest backup was made (epoch ms); null if there is none. */
  newestBackupAt(): Promise<number | null>;
}

export const createDamageRegister = async ({
  dataDir,
  log,
  newestBackupAt,
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

  return {
    list: () => [...known.values()],
    async error(what, cause) {
      return new ApiError("data_damaged", `${what}: ${await remedy()}; \`carrel check\` lists all damage.`, { cause });
    },
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
    mending: (organizationId) =>
      mending
        .values()
        .filter((owner) => owner === organizationId)
        .toArray().length,
    noteWritten(document) {
      if (isUnfinished(document)) return;
      mending.delete(document.id);
      if (known.size > 0 && !document.warnings.includes(textIsLost))
        settle(({ where, belongsTo }) => where === "texts" && belongsTo === document.id);
    },
    of: (table, id, organizationId) =>
      known
        .values()
        .find(
          (damage) =>
            damage.where === table &&
            (damage.organizationId === null || organizationId === null || damage.organizationId === organizationId) &&
            (damage.id === id || damage.belongsTo === id || (damage.id === null && damage.belongsTo === null)),
        ) ?? null,
  };
};
