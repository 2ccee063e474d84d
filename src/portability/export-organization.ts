import type { Held } from "../async/in-flight.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { version } from "../domain/version.ts";
import type { Store } from "../store/contract.ts";
import type { Entry } from "./entry.ts";
import { type ExportSource, exportDocument } from "./export-document.ts";

/** Documents read at a time. */
const pageOfDocuments = 128;
/** Texts are read together up to this many tokens: about one mebibyte. */
const maxGroupTokens = 250_000;
/** A file that several documents name is sent once, as far as these are remembered. */
const maxRemembered = 100_000;

/** Documents in their order, in groups whose texts fit into memory together. */
function* groupsOf(documents: readonly DocumentRecord[]): Generator<DocumentRecord[]> {
  let group: DocumentRecord[] = [];
  let tokens = 0;
  for (const document of documents) {
    const own = document.tokens ?? maxGroupTokens;
    if (group.length > 0 && tokens + own > maxGroupTokens) {
      yield group;
      group = [];
      tokens = 0;
    }
    group.push(document);
    tokens += own;
  }
  if (group.length > 0) yield group;
}

/**
 * The documents that were there at `until` (epoch ms), each followed by its long texts and its file, as they are when
 * their turn comes: one that is removed meanwhile is left out.
 * @param held counts the texts in memory
 * @returns how many
 */
async function* exportDocuments(
  source: ExportSource,
  tenant: Tenant,
  until: number,
  held: Pick<Held, "note" | "drop">,
): AsyncGenerator<Entry, number> {
  const written = new Set<string>();
  let documents = 0;
  let after = "";
  for (;;) {
    const page = await source.documents.listAfter(tenant, after, pageOfDocuments);
    for (const group of groupsOf(page.filter(({ createdAt }) => createdAt <= until))) {
      const texts = await source.documents.getTexts(group);
      const bytes = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
      held.note(bytes);
      for (const document of group) {
        const text = texts.get(document.id) ?? null;
        for await (const entry of exportDocument(source, tenant, document, text, (hash) => written.has(hash))) {
          if (entry.kind === "document") {
            documents += 1;
            if (entry.record.file !== null && written.size < maxRemembered) written.add(entry.record.file);
          }
          yield entry;
        }
      }
      held.drop(bytes);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageOfDocuments) return documents;
    after = last.id;
  }
}

/** Records read at a time. */
const pageSize = 100;

/** All records that come after one another by id, page after page. */
async function* all<T extends { id: string; createdAt: number }>(
  listAfter: (id: string) => Promise<T[]>,
  until: number,
): AsyncGenerator<T> {
  for (let page = await listAfter(""); page.length > 0; page = await listAfter(page.at(-1)?.id ?? ""))
    for (const record of page) if (record.createdAt <= until) yield record;
}

/**
 * Everything an organization holds, without vectors and keys, while the server keeps working. What is made after the
 * export began is left out, so that each record names only records that are there; a document that is removed meanwhile
 * is left out too. Ends with the entry `end`: without it the export was cut off.
 * @param tenant the whole organization
 * @param held counts the texts in memory
 */
export async function* exportOrganization(
  store: Store,
  tenant: Tenant,
  held: Pick<Held, "note" | "drop">,
): AsyncGenerator<Entry> {
  const until = Date.now();
  const organization = (await store.organizations.list()).find(({ id }) => id === tenant.organizationId)?.name ?? "";
  yield { kind: "organization", organization, carrel: version, createdAt: isoTime(until) };
  const records = { partition: 0, document: 0, chat: 0, message: 0 };

  const names = new Map<string, string>();
  for (let skip = 0; ; skip += pageSize) {
    const { items } = await store.partitions.list(tenant, { limit: pageSize, skip, sortOrder: "asc" }, null);
    for (const { id, name, createdAt } of items) {
      if (createdAt > until) continue;
      names.set(id, name);
      records.partition += 1;
      yield { kind: "partition", record: { id, name, createdAt: isoTime(createdAt) } };
    }
    if (items.length < pageSize) break;
  }

  records.document = yield* exportDocuments(store, tenant, until, held);

  const chats = new Set<string>();
  for await (const chat of all((id) => store.chats.listAfter(tenant, id, pageSize), until)) {
    const { organizationId: _, createdAt, ...fields } = chat;
    const partition = chat.partitionId === null ? null : (names.get(chat.partitionId) ?? null);
    chats.add(chat.id);
    records.chat += 1;
    yield { kind: "chat", record: { ...fields, partition, createdAt: isoTime(createdAt) } };
  }
  for await (const message of all((id) => store.messages.listAfter(tenant, id, pageSize), until)) {
    // Of a chat that was removed before it was read, messages may still be there.
    if (!chats.has(message.chatId)) continue;
    const { organizationId: _, createdAt, ...fields } = message;
    records.message += 1;
    yield { kind: "message", record: { ...fields, createdAt: isoTime(createdAt) } };
  }
  yield { kind: "end", records };
}
