import type { Logger } from "../log.ts";
import { pendingTextId } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";
import { equals, isOneOf } from "./filters.ts";
import { allOfIndexes } from "./live-indexes.ts";
import type { DocumentRecord } from "./records.ts";
import type { StoreTable } from "./store-table.ts";

const removalBatch = 1_000;

const removeAll = async <T>(table: StoreTable<T>, column: string, values: readonly string[]): Promise<void> => {
  for (let start = 0; start < values.length; start += removalBatch) {
    await table.remove("reconcile", column, values.slice(start, start + removalBatch));
  }
};

/** Nobody is processing anything when the store opens: what was being processed waits again. */
export const requeueProcessing = async ({ documents }: Pick<DocumentTables, "documents">): Promise<void> => {
  const interrupted = await documents.find({ where: equals("status", "processing") });
  await documents.upsert(
    "reconcile",
    interrupted.map((document) => ({ ...document, status: "pending" as const, attempts: document.attempts + 1 })),
  );
};

/** A document whose rows a power cut took: it is made again from its source or its text, where there is one. */
const recovered = (document: DocumentRecord, hasText: boolean): DocumentRecord => {
  const again = hasText || document.blobHash !== null || document.originalUrl !== null;
  return {
    ...document,
    revision: null,
    textHash: null,
    status: again ? "pending" : "failed",
    error: again ? null : "its text was lost when the machine stopped: ingest it again",
  };
};

/**
 * After an unclean stop: rows that no document names go, and documents whose rows are not there wait to be made again.
 */
export const reconcile = async (tables: Omit<DocumentTables, "records">, log: Logger): Promise<void> => {
  const { documents, texts, live, blobs } = tables;
  const records = await documents.scan(["id", "revision", "status"], {}, (row) => ({
    id: row.string("id"),
    revision: row.nullableString("revision"),
    status: row.string("status"),
  }));
  const revisions = new Set(records.map(({ revision }) => revision).filter((revision) => revision !== null));
  const waiting = new Set(records.filter(({ status }) => status !== "processed").map(pendingTextId));

  const textIds = new Set(await texts.scan(["id"], {}, (row) => row.string("id")));
  const strayTexts = [...textIds].filter((id) => !revisions.has(id) && !waiting.has(id));
  await removeAll(texts, "id", strayTexts);

  let strayRevisions = 0;
  const searchable = new Set<string>();
  for (const index of allOfIndexes(live)) {
    const { table } = index;
    const present = new Set(await table.scan(["revision"], {}, (row) => row.string("revision")));
    if (index === live.active) for (const revision of present) searchable.add(revision);
    const stray = [...present].filter((revision) => !revisions.has(revision));
    strayRevisions += stray.length;
    await removeAll(table, "revision", stray);
  }

  const isWhole = (revision: string): boolean => textIds.has(revision) && searchable.has(revision);
  const lost = records.filter(({ revision }) => revision !== null && !isWhole(revision));
  for (const { id, revision } of lost) {
    const [document] = await documents.find({ where: equals("id", id), limit: 1 });
    if (document === undefined || revision === null) continue;
    const newer = pendingTextId(document);
    const kept = await texts.find({ where: isOneOf("id", [newer, revision]) });
    const text = kept.find((one) => one.id === newer) ?? kept[0];
    const isText = document.sourceKind === "text" && text !== undefined;
    if (isText) await texts.upsert(id, [{ ...text, id }]);
    await documents.upsert(id, [recovered(document, isText)]);
    const others = [newer, revision].filter((one) => one !== id || !isText);
    await texts.remove("reconcile", "id", others);
    for (const { table } of allOfIndexes(live)) await table.remove("reconcile", "revision", [revision]);
  }
  const files = await blobs.sweep();
  log.info(
    { strayTexts: strayTexts.length, strayRevisions, lostDocuments: lost.length, files },
    "the store was not closed in an orderly way: it has been put in order",
  );
};
