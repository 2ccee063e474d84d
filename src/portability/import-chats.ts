import type { Chat, Message, SourceDocument } from "../domain/records.ts";
import type { ExportedChat, ExportedMessage, ExportedPartition } from "./format.ts";
import { derivedId, type Place } from "./identity.ts";
import type { ImportRun } from "./import-run.ts";

export const importPartition = async (run: ImportRun, { id, name, createdAt }: ExportedPartition): Promise<void> => {
  const placed = await run.identities.partition(id, name, Date.parse(createdAt));
  run.count("partitions", placed?.isNew ? "added" : "present");
};

/** A chat about a document or partition that is gone stays so: it can be read, and says so when it is written to. */
export const importChat = async (run: ImportRun, record: ExportedChat): Promise<void> => {
  const { identities, tenant, work } = run;
  const { id, present } = await identities.chat(record.id);
  const { partition: _, ...fields } = record;
  const createdAt = Date.parse(record.createdAt);
  const partition =
    record.partitionId === null ? null : await identities.partition(record.partitionId, record.partition, createdAt);
  if (partition?.isNew) run.count("partitions", "added");
  if (present !== null) return run.count("chats", "present");
  const documentId = record.documentId === null ? null : (await identities.document(record.documentId)).id;
  const partitionId = record.partitionId === null ? null : (partition?.id ?? record.partitionId);
  const chat: Chat = { ...fields, id, organizationId: tenant.organizationId, documentId, partitionId, createdAt };
  run.count("chats", (await work.store.chats.add(chat)) ? "added" : "present");
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

/** Stores messages that are not here yet, in one commit. */
export const importMessages = async (run: ImportRun, records: readonly ExportedMessage[]): Promise<void> => {
  const { identities, tenant, work } = run;
  const messages = new Map<string, Message>();
  const chats = new Map<string, Place<Chat>>();
  await identities.foreseeDocuments([...new Set(records.flatMap(sourceIdsOf))]);
  for (const record of records) {
    const chat = chats.get(record.chatId) ?? (await identities.chat(record.chatId));
    chats.set(record.chatId, chat);
    if (chat.present === null) {
      run.count("messages", "skipped");
      continue;
    }
    // The messages of a chat that could not keep its id cannot keep theirs.
    const id = chat.id === record.chatId ? record.id : derivedId(tenant.organizationId, record.id);
    messages.set(id, {
      ...record,
      id,
      organizationId: tenant.organizationId,
      chatId: chat.id,
      sourceDocuments: await sourcesOf(run, record),
      createdAt: Date.parse(record.createdAt),
    });
  }
  if (messages.size === 0) return;
  const chatIds = [...new Set([...messages.values()].map(({ chatId }) => chatId))];
  const known = await work.store.messages.known(tenant, chatIds, [...messages.keys()]);
  const added = [...messages.values()].filter(({ id }) => !known.has(id));
  if (added.length > 0) await work.store.messages.addMany(added);
  for (const id of messages.keys()) run.count("messages", known.has(id) ? "present" : "added");
};
