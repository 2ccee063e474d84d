import { derivedId } from "../../domain/ids.ts";
import type { Chat, DocumentRecord, Message, Partition } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import { documentRows, pendingTextId, type StoredText, textRows } from "../documents/document-rows.ts";
import { toArrowTable } from "../engine/arrow-rows.ts";
import { createRowReader } from "../engine/cells.ts";
import { allOf, equals, isOneOf } from "../engine/filters.ts";
import type { Connection, LanceTable } from "../engine/lance.ts";
import type { BrokenDeletions } from "../engine/table-commits.ts";
import { checksumColumn, columnsOf, type TableDefinition } from "../engine/table-definition.ts";
import { runWhole } from "../migrations/migrations.ts";
import { keyRows, organizationRows, partitionRows } from "../records/accounts.ts";
import { chatRows, messageRows } from "../records/chat-rows.ts";

/**
 * Heals tables in which several rows have one id. LanceDB knows no unique keys: earlier versions of Carrel let imports
 * side by side store such rows, of which some readers saw one and some another, and which made every change of them fail.
 * Rows of one owner are one record: its newest row stays. Of several owners, the newest keeps the id, and the records of
 * the others get ids of their own, so that nothing is lost. It runs before the tables are opened.
 */
interface RepeatedIds {
  connection: Connection;
  brokenDeletions: BrokenDeletions;
  log: Logger;
  /** Rows of this table are removed: their bytes are to be erased. */
  noteErasure(table: string): Promise<void>;
}

type Row = { id: string; organizationId?: string; createdAt: number; updatedAt?: number };

/** A row that cannot keep its id, and the one that it gets. */
interface Move<T> {
  row: T;
  id: string;
}

/** One kind of record. */
interface Kind<T extends Row> {
  definition: TableDefinition<T>;
  /** Rows of one id and one owner are the same record. */
  ownerOf(row: T): string;
  /** Gives records other ids in all tables that name them. @returns the new rows; none: they are only dropped */
  move(moves: readonly Move<T>[], tables: Tables): Promise<T[]>;
  /** Removes what belongs to rows that are removed, and not to those that keep the ids. */
  clear?(dropped: readonly { row: T; kept: T }[], tables: Tables): Promise<void>;
}

interface Tables {
  /** Runs work on each table whose name matches. */
  each(name: RegExp, work: (table: LanceTable) => Promise<unknown>): Promise<void>;
}

const organizationOf = ({ organizationId = "" }: Row): string => organizationId;

/** What names the records by their ids names them by the new ones, in each organization. */
const rename = async <T extends Row>(column: string, moves: readonly Move<T>[], table: LanceTable): Promise<void> => {
  for (const { row, id } of moves) {
    const where = allOf(equals("organizationId", organizationOf(row)), equals(column, row.id));
    // The checksum of a row would be that of its old id: without one, the row is taken as it is.
    if ((await table.countRows(where)) > 0)
      await table.update({ where, values: { [column]: id, [checksumColumn]: null } });
  }
};

const withId = <T extends Row>({ row, id }: Move<T>): T => ({ ...row, id });

const partitions: Kind<Partition> = {
  definition: partitionRows,
  ownerOf: organizationOf,
  async move(moves, { each }) {
    await each(/^(documents|chats|keys|(snippets|vectors)_.*)$/, (table) => rename("partitionId", moves, table));
    return moves.map(withId);
  },
};

const chats: Kind<Chat> = {
  definition: chatRows,
  ownerOf: organizationOf,
  async move(moves, { each }) {
    await each(/^messages$/, (table) => rename("chatId", moves, table));
    return moves.map(withId);
  },
};

const messages: Kind<Message> = {
  definition: messageRows,
  ownerOf: ({ organizationId, chatId }) => `${organizationId}\n${chatId}`,
  move: async (moves) => moves.map(withId),
};

/** Ids that the texts of a document have, the newest first. */
const textIdsOf = (document: DocumentRecord): string[] => [
  pendingTextId(document),
  ...(document.revision === null ? [] : [document.revision]),
];

/** Documents get their texts and are indexed anew: their snippets may be under the revision of the one that stays. */
const moveDocuments = async (moves: readonly Move<DocumentRecord>[], { each }: Tables): Promise<DocumentRecord[]> => {
  const found = new Map<string, string>();
  const textOf = (document: DocumentRecord): string | undefined =>
    textIdsOf(document)
      .map((id) => found.get(JSON.stringify([document.organizationId, id])))
      .find((text) => text !== undefined);
  await each(/^texts$/, async (table) => {
    const where = isOneOf(
      "id",
      moves.flatMap(({ row }) => textIdsOf(row)),
    );
    const stored: StoredText[] = await table.query().where(where).toArray();
    for (const { id, organizationId, text } of stored) found.set(JSON.stringify([organizationId, id]), text);
    const copies = moves.flatMap(({ row, id }) => {
      const text = textOf(row);
      return text === undefined ? [] : [{ id, organizationId: row.organizationId, documentId: id, text }];
    });
    await addMissing(table, textRows, copies);
  });
  return moves.map(({ row, id }) => {
    const canBeRead = textOf(row) !== undefined || row.blobHash !== null || row.originalUrl !== null;
    return {
      ...row,
      id,
      revision: null,
      textHash: null,
      status: canBeRead ? "pending" : "failed",
      error: canBeRead ? null : "its text was lost: ingest it again",
      errorReason: null,
      attempts: 0,
      nextAttemptAt: null,
      begun: 0,
    };
  });
};

const documents: Kind<DocumentRecord> = {
  definition: documentRows,
  ownerOf: organizationOf,
  move: moveDocuments,
  async clear(dropped, { each }) {
    const others = dropped.filter(
      ({ row, kept }) => row.organizationId !== kept.organizationId || row.revision !== kept.revision,
    );
    for (const [organizationId, own] of Map.groupBy(others, ({ row }) => row.organizationId)) {
      const revisions = own.flatMap(({ row }) => row.revision ?? []);
      // The text that waits for a document belongs to its row that stays, where that is one of this organization.
      const texts = own.flatMap(({ row, kept }) =>
        kept.organizationId === organizationId ? (row.revision ?? []) : textIdsOf(row),
      );
      const where = (column: string, values: string[]): string =>
        allOf(equals("organizationId", organizationId), isOneOf(column, values));
      await each(/^texts$/, (table) => table.delete(where("id", texts)));
      await each(/^(snippets|vectors)_/, (table) => table.delete(where("revision", revisions)));
    }
  },
};

/** A key or an organization has its id from the server alone: a second row of it is a copy. */
const copies = <T extends Row>(definition: TableDefinition<T>): Kind<T> => ({
  definition,
  ownerOf: () => "",
  move: async () => [],
});

/** Two halves of a hash, together 52 bits: of a million ids, no two have the same by chance. */
const hashOf = (id: string): number => Bun.hash.xxHash32(id) * 2 ** 20 + (Bun.hash.xxHash32(id, 1) & 0xfffff);

const visitIds = async (table: LanceTable, visitor: (id: string) => void): Promise<void> => {
  for await (const batch of table.query().select(["id"])) {
    const ids = batch.getChild("id");
    for (let index = 0; index < batch.numRows; index += 1) visitor(String(ids?.get(index)));
  }
};

/** The ids that several rows have. A million ids take eight megabytes meanwhile. */
const repeatedIn = async (table: LanceTable): Promise<string[]> => {
  const hashes = new Float64Array(await table.countRows());
  let count = 0;
  await visitIds(table, (id) => {
    hashes[count] = hashOf(id);
    count += 1;
  });
  hashes.sort();
  const repeated = new Set<number>();
  for (let index = 1; index < count; index += 1)
    if (hashes[index] === hashes[index - 1]) repeated.add(hashes[index] as number);
  if (repeated.size === 0) return [];
  const ids = new Set<string>();
  await visitIds(table, (id) => {
    if (repeated.has(hashOf(id))) ids.add(id);
  });
  return [...ids];
};

/** Ids that are healed at a time. */
const pageIds = 200;
/** Ids that the log names. */
const maxNamed = 20;

const rowsOf = async <T extends Row>(table: LanceTable, { definition }: Kind<T>, ids: readonly string[]) => {
  const rows: { record: T; rowId: bigint }[] = [];
  const query = table.query().select(columnsOf(definition)).where(isOneOf("id", ids)).withRowId();
  for await (const batch of query) {
    const reader = createRowReader(batch);
    for (let index = 0; index < reader.length; index += 1) {
      const row = reader.at(index);
      rows.push({ record: definition.decode(row), rowId: row.bigint("_rowid") });
    }
  }
  const at = ({ record }: { record: T }): number => record.updatedAt ?? record.createdAt;
  return rows.sort((a, b) => at(b) - at(a));
};

/** Adds those rows whose id is not there: a crash may have come after they were added. */
const addMissing = async <T extends { id: string }>(table: LanceTable, definition: TableDefinition<T>, rows: T[]) => {
  const where = isOneOf(
    "id",
    rows.map(({ id }) => id),
  );
  const present: { id: string }[] = await table.query().select(["id"]).where(where).toArray();
  const known = new Set(present.map(({ id }) => id));
  const missing = rows.filter(({ id }) => !known.has(id));
  if (missing.length > 0) await table.add(toArrowTable(definition.schema, missing.map(definition.encode)));
};

const healTable = async <T extends Row>(table: LanceTable, kind: Kind<T>, ids: readonly string[], tables: Tables) => {
  const moves: Move<T>[] = [];
  const dropped: { row: T; kept: T; rowId: bigint }[] = [];
  for (const rows of Map.groupBy(await rowsOf(table, kind, ids), ({ record }) => record.id).values()) {
    const kept = rows[0]?.record as T;
    const owners = new Set([kind.ownerOf(kept)]);
    for (const { record: row, rowId } of rows.slice(1)) {
      const owner = kind.ownerOf(row);
      if (!owners.has(owner)) moves.push({ row, id: derivedId(owner, row.id) });
      owners.add(owner);
      dropped.push({ row, kept, rowId });
    }
  }
  if (moves.length > 0) await addMissing(table, kind.definition, await kind.move(moves, tables));
  await kind.clear?.(dropped, tables);
  if (dropped.length > 0) await table.delete(`_rowid IN (${dropped.map(({ rowId }) => rowId).join(", ")})`);
};

/**
 * See `RepeatedIds`. What is moved is added before anything is removed, so that a crash loses nothing; the next start
 * goes on.
 */
export const healRepeatedIds = async (options: RepeatedIds): Promise<void> => {
  const { connection, log, noteErasure } = options;
  const names = await connection.tableNames();
  const withTable = async <R>(name: string, work: (table: LanceTable) => Promise<R>): Promise<R> => {
    const table = await connection.openTable(name);
    try {
      return await work(table);
    } finally {
      table.close();
    }
  };
  const tables: Tables = {
    async each(name, work) {
      for (const found of names.filter((one) => name.test(one))) {
        await noteErasure(found);
        await withTable(found, work);
      }
    },
  };
  const heal = async <T extends Row>(kind: Kind<T>): Promise<void> => {
    const { name } = kind.definition;
    if (!names.includes(name)) return;
    const ids = await withTable(name, repeatedIn);
    if (ids.length === 0) return;
    const fields = { table: name, ids: ids.length, first: ids.slice(0, maxNamed) };
    try {
      await noteErasure(name);
      await runWhole(options, async () => {
        for (let start = 0; start < ids.length; start += pageIds)
          await withTable(name, (table) => healTable(table, kind, ids.slice(start, start + pageIds), tables));
      });
      log.warn(
        fields,
        "several rows had one id: each record has its own now, and documents that had to move are read anew",
      );
    } catch (error) {
      log.error(
        { ...fields, error: String(error) },
        "several rows have one id, which could not be put right: the next start tries again",
      );
    }
  };
  await heal(copies(organizationRows));
  await heal(copies(keyRows));
  await heal(partitions);
  await heal(documents);
  await heal(chats);
  await heal(messages);
};
