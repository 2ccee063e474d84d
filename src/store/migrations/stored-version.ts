import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../domain/version.ts";
import { connect } from "../engine/lance.ts";
import { schemaKey } from "../engine/meta-rows.ts";
import { listSnapshots } from "../snapshots/snapshots.ts";

/** An entry of the table `meta`. */
export const programKey = "program";

/** What wrote the store last. */
interface StoredVersion {
  /** 1 where the mark is missing, or cannot be read, in a store that has tables. */
  schema: number;
  /** Null for programs that did not store it yet. */
  program: string | null;
}

/** The store was last used by a newer program: the message names both, and the ways out. */
export class StoreTooNewError extends Error {
  override readonly name = "StoreTooNewError";
}

/** Reads the version without changing anything. @returns null for a new store, and where its settings cannot be read */
export const readStoredVersion = async (dataDir: string): Promise<StoredVersion | null> => {
  const tables = join(dataDir, "tables");
  const found = await readdir(tables).catch((): string[] => []);
  if (!found.includes("meta.lance")) {
    // The mark is lost with its table: all steps run again.
    return found.some((name) => name.endsWith(".lance")) ? { schema: 1, program: null } : null;
  }
  const { connection } = await connect(tables);
  try {
    const meta = await connection.openTable("meta");
    const rows = (await meta.query().select(["id", "value"]).toArray()) as { id: string; value: string }[];
    meta.close();
    const entry = (key: string): string | null => rows.find(({ id }) => id === key)?.value ?? null;
    const others = (await connection.tableNames()).some((name) => name !== "meta");
    const schema = entry(schemaKey);
    if (schema === null && !others) return null;
    return { schema: Number(schema ?? 1), program: entry(programKey) };
  } catch {
    return null; // damaged: the repair looks at it next
  } finally {
    connection.close();
  }
};

/** @throws StoreTooNewError where the store has a newer schema than `known` */
export const refuseNewer = async (dataDir: string, stored: StoredVersion | null, known: number): Promise<void> => {
  if (stored === null || !(stored.schema > known)) return;
  const writer = stored.program === null ? "a newer Carrel" : `Carrel ${stored.program}`;
  const snapshot = (await listSnapshots(dataDir)).find(({ schema }) => schema <= known);
  const back =
    snapshot === undefined
      ? ""
      : ` or go back to the state before the upgrade with \`carrel restore --snapshot\` (taken ${snapshot.createdAt}, schema ${snapshot.schema}; what was stored since is lost),`;
  throw new StoreTooNewError(
    `The data in ${dataDir} was last used by ${writer} (schema ${stored.schema}); this is Carrel ${version}, which knows schemas up to ${known}. Start ${writer === "a newer Carrel" ? "the newer Carrel" : `${writer} or a newer one`},${back} or restore a backup. Nothing was changed.`,
  );
};
