import type { Held } from "../async/in-flight.ts";
import type { Tenant } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { version } from "../domain/version.ts";
import type { Store } from "../store/contract.ts";
import type { Entry } from "./entry.ts";
import { exportDocuments } from "./export-documents.ts";

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
