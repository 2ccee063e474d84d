import { isObject, parseJson } from "../engine/cells.ts";
import { allOf, equals, isOneOf } from "../engine/filters.ts";
import type { Connection, LanceTable } from "../engine/lance.ts";
import type { MigrationContext } from "./migration.ts";

interface StoredChat {
  id: string;
  organizationId: string;
  userId: string;
  documentId: string | null;
  public: boolean;
  createdAt: number;
}

interface StoredKey {
  organizationId: string;
  userId: string;
  role: string;
  partitionId: string | null;
  createdAt: number;
}

/** What to do with a stored chat that has no partition. */
export type Verdict =
  | { kind: "keep" }
  /** No key shows who made it. */
  | { kind: "unknown" }
  | { kind: "narrow"; partitionId: string }
  /** Made by one of several limited keys, it is unknown which: the chat is no longer public. */
  | { kind: "close" };

/** Ids looked up in one query. */
const pageRows = 500;
/** Chat ids in one log line. */
const maxNamedChats = 100;

export const withdrawnAnswer = "This answer was withdrawn: it drew on documents outside the chat's partition.";

/**
 * Whether a chat without a partition was widened by a key limited to a partition.
 *
 * Before schema 3, a limited key that sent `"partitionId": null` got a chat over the whole organization. Such a chat
 * records its maker only by `userId`, which several keys may share. Only keys that may make chats and are older than the
 * chat count:
 *
 * - no limited key of that user: the chat stays as it is;
 * - only limited keys, all of one partition: one of them made it, so it is narrowed to that partition;
 * - limited and unlimited keys: either may have made it. A public chat over the whole organization is narrowed, because
 *   anybody can open it and narrowing can be undone. Any other stays: limited keys cannot reach it, and a chat about one
 *   document shows only that document;
 * - limited keys of several partitions: a public chat is made private.
 *
 * If no key has that `userId` (a caller's own name for its end user, or a revoked key), the maker is unknown.
 */
export const judge = (chat: StoredChat, keys: readonly StoredKey[]): Verdict => {
  const isOpen = chat.public && chat.documentId === null;
  const ofUser = keys.filter((key) => key.organizationId === chat.organizationId && key.userId === chat.userId);
  if (ofUser.length === 0) return { kind: isOpen ? "unknown" : "keep" };
  const makers = ofUser.filter((key) => key.role !== "reader" && key.createdAt <= chat.createdAt);
  const partitions = new Set(makers.map(({ partitionId }) => partitionId).filter((id) => id !== null));
  const [partitionId] = partitions;
  if (partitionId === undefined) return { kind: "keep" };
  const isSure = makers.every((key) => key.partitionId !== null);
  if (!isSure && !isOpen) return { kind: "keep" };
  if (partitions.size === 1) return { kind: "narrow", partitionId };
  return { kind: chat.public ? "close" : "keep" };
};

/** Narrows the stored chats that limited keys may have widened, and logs each. */
export const narrowChats = async ({ connection, log }: Pick<MigrationContext, "connection" | "log">): Promise<void> => {
  const names = await connection.tableNames();
  if (!["chats", "keys", "messages", "documents", "partitions"].every((name) => names.includes(name))) return;
  const keys = await read<StoredKey>(await connection.openTable("keys"), [
    "organizationId",
    "userId",
    "role",
    "partitionId",
    "createdAt",
  ]);
  const partitions = await read<{ organizationId: string }>(await connection.openTable("partitions"), [
    "organizationId",
  ]);
  const divided = new Set(partitions.map(({ organizationId }) => organizationId));
  const chats = await connection.openTable("chats");
  const columns = ["id", "organizationId", "userId", "documentId", "public", "createdAt"];
  const unknown: string[] = [];
  for (const chat of await read<StoredChat>(chats, columns, "partitionId IS NULL")) {
    const verdict = judge(chat, keys);
    if (verdict.kind === "unknown" && divided.has(chat.organizationId)) unknown.push(chat.id);
    if (verdict.kind === "narrow") {
      const { partitionId } = verdict;
      const withdrawn = await withdrawAnswers(connection, chat.id, partitionId);
      await chats.update({ where: equals("id", chat.id), values: { partitionId } });
      log.warn(
        { chatId: chat.id, partitionId, withdrawnAnswers: withdrawn },
        "a chat over the whole organization that a key limited to a partition may have made was narrowed to that partition: an unlimited key can set its partitionId to null again",
      );
    }
    if (verdict.kind === "close") {
      await chats.update({ where: equals("id", chat.id), values: { public: false } });
      log.warn(
        { chatId: chat.id },
        "a public chat over the whole organization that a key limited to a partition may have made is no longer public: an unlimited key can make it public again",
      );
    }
  }
  if (unknown.length > 0)
    log.warn(
      { chats: unknown.length, chatIds: unknown.slice(0, maxNamedChats) },
      "public chats over the whole organization whose maker is unknown were kept as they are: check that each is meant to be public",
    );
};

/**
 * Replaces the answers of a chat that quote documents outside the partition, because limited keys can read the chat from
 * now on. @returns how many
 */
const withdrawAnswers = async (connection: Connection, chatId: string, partitionId: string): Promise<number> => {
  const messages = await connection.openTable("messages");
  const where = allOf(equals("chatId", chatId), `"isSystem" = true`);
  const answers = (await read<{ id: string; sourceDocuments: string }>(messages, ["id", "sourceDocuments"], where)).map(
    ({ id, sourceDocuments }) => ({ id, sources: parseJson(sourceDocuments, isSources) }),
  );
  const wanted = [...new Set(answers.flatMap(({ sources }) => sources.map(documentOf)))];
  const inside = await documentsInside(await connection.openTable("documents"), wanted, partitionId);
  let withdrawn = 0;
  for (const { id, sources } of answers) {
    const kept = sources.filter((source) => inside.has(documentOf(source)));
    if (kept.length === sources.length) continue;
    await messages.update({
      where: allOf(equals("chatId", chatId), equals("id", id)),
      values: { message: withdrawnAnswer, sourceDocuments: JSON.stringify(kept) },
    });
    withdrawn += 1;
  }
  return withdrawn;
};

type Source = { metadata: { documentUploadId?: unknown } };

const isSources = (value: unknown): value is Source[] =>
  Array.isArray(value) && value.every((one) => isObject(one) && isObject(one.metadata));

const documentOf = ({ metadata }: Source): string => String(metadata.documentUploadId ?? "");

/** A removed document counts as outside: its partition is no longer known. */
const documentsInside = async (
  documents: LanceTable,
  ids: readonly string[],
  partitionId: string,
): Promise<Set<string>> => {
  const inside = new Set<string>();
  for (let start = 0; start < ids.length; start += pageRows) {
    const where = allOf(equals("partitionId", partitionId), isOneOf("id", ids.slice(start, start + pageRows)));
    for (const { id } of await read<{ id: string }>(documents, ["id"], where)) inside.add(id);
  }
  return inside;
};

const read = async <T>(table: LanceTable, columns: string[], where?: string): Promise<T[]> => {
  const query = table.query().select(columns);
  const rows: unknown[] = await (where === undefined ? query : query.where(where)).toArray();
  return rows.map((row) => ({ ...(row as { toJSON(): T }).toJSON() }));
};
