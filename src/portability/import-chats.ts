import { derivedId } from "../domain/ids.ts";
import type { Chat, Message, SourceDocument } from "../domain/records.ts";
import type { RecordEntry } from "./entry.ts";
import type { ExportedChat, ExportedMessage, ExportedPartition } from "./format.ts";
import type { ImportRun, Place } from "./import-run.ts";

export const importPartition = async (run: ImportRun, { id, name, createdAt }: ExportedPartition): Promise<void> => {
  const placed = await run.identities.partition(id, name, Date.parse(createdAt));
  run.count("partitions", placed?.isNew ? "added" : "present");
};

/** A chat about a document or partition that is gone stays so: it can be read, and says so when it is written to. */
export const importChat = async (run: ImportRun, record: ExportedChat): Promise<void> => {
  const { identities, tenant, work } = run;
  const { partition: _, ...fields } = record;
  const createdAt = Date.parse(record.createdAt);
  const partition =
    record.partitionId === null ? null : await identities.partition(record.partitionId, record.partition, createdAt);
  if (partition?.isNew) run.count("partitions", "added");
  const documentId = record.documentId === null ? null : (await identities.document(record.documentId)).id;
  const partitionId = record.partitionId === null ? null : (partition?.id ?? record.partitionId);
  for (;;) {
    const { id, present } = await identities.chat(record.id);
    if (present !== null) return run.count("chats", "present");
    const chat: Chat = { ...fields, id, organizationId: tenant.organizationId, documentId, partitionId, createdAt };
    if (await work.store.chats.add(chat)) return run.count("chats", "added");
    // Somebody took the id in this moment. One of this organization is found now, and is the chat itself.
    if ((await work.store.chats.find(id))?.organizationId !== tenant.organizationId) identities.noteTakenChat(id);
  }
};

/** Ids of the documents that an answer drew on, as the record names them. */
const sourceIdsOf = (record: ExportedMessage): string[] =>
  (record.sourceDocuments as SourceDocument[]).flatMap(({ metadata: { documentUploadId } }) =>
    typeof documentUploadId === "string" ? [documentUploadId] : [],
  );

/** The snippets that an answer drew on, under the ids that their documents have here. */
const sourcesOf = async (run: ImportRun, record: ExportedMessage): Promise<SourceDocument[]> => {
  const sources: SourceDocument[] = [];
  for (const source of record.sourceDocuments as SourceDocument[]) {
    const { documentUploadId } = source.metadata;
    if (typeof documentUploadId !== "string") sources.push(source);
    else {
      const { id } = await run.identities.document(documentUploadId);
      sources.push({ ...source, metadata: { ...source.metadata, documentUploadId: id } });
    }
  }
  return sources;
};

/** A message, and the ids that it may have, in the order in which they are tried. */
interface PlacedMessage {
  message: Message;
  ids: string[];
  at: string | undefined;
}

/**
 * The messages of a chat that could not keep its id cannot keep theirs; nor can one whose id a message of another chat
 * has. The last ids are the chat's alone.
 */
const idsOf = ({ tenant }: ImportRun, record: ExportedMessage, chatId: string): string[] => {
  const own = derivedId(`${tenant.organizationId}\n${chatId}`, record.id);
  const last = [own, derivedId(chatId, own)];
  const moved = derivedId(tenant.organizationId, record.id);
  return chatId === record.chatId ? [record.id, moved, ...last] : [moved, ...last];
};

/** Stores messages that are not here yet, in one commit. */
export const importMessages = async (run: ImportRun, entries: readonly RecordEntry<"message">[]): Promise<void> => {
  const { identities, tenant, work } = run;
  const placed = new Map<string, PlacedMessage>();
  const chats = new Map<string, Place<Chat>>();
  await identities.foreseeDocuments([...new Set(entries.flatMap(({ record }) => sourceIdsOf(record)))]);
  for (const { record, at } of entries) {
    const chat = chats.get(record.chatId) ?? (await identities.chat(record.chatId));
    chats.set(record.chatId, chat);
    if (chat.present === null) {
      run.leaveOut("messages", "chat_missing", "Their chat is neither here nor among what was sent.", at);
      continue;
    }
    const key = JSON.stringify([chat.id, record.id]);
    if (placed.has(key)) {
      run.count("messages", "present"); // sent twice
      continue;
    }
    const message: Message = {
      ...record,
      organizationId: tenant.organizationId,
      chatId: chat.id,
      sourceDocuments: await sourcesOf(run, record),
      createdAt: Date.parse(record.createdAt),
    };
    placed.set(key, { message, ids: idsOf(run, record, chat.id), at });
  }
  const all = [...placed.values()];
  if (all.length === 0) return;
  const chatIds = [...new Set(all.map(({ message }) => message.chatId))];
  const known = await work.store.messages.known(
    tenant,
    chatIds,
    all.flatMap(({ ids }) => ids),
  );
  let left = all.filter(({ message, ids }) => {
    const isPresent = ids.some((id) => known.get(id) === message.chatId);
    if (isPresent) run.count("messages", "present");
    return !isPresent;
  });
  for (let attempt = 0; left.length > 0; attempt += 1) {
    const messages = left.flatMap(({ message, ids }) => {
      const id = ids[attempt];
      return id === undefined ? [] : [{ ...message, id }];
    });
    const held = await work.store.messages.addMany(messages);
    left = left.filter(({ ids, at }) => {
      const id = ids[attempt];
      if (id === undefined) {
        run.leaveOut("messages", "id_taken", "Other messages have every id that they could get.", at);
        return false;
      }
      if (!held.has(id)) run.count("messages", "added");
      return held.has(id);
    });
  }
};
