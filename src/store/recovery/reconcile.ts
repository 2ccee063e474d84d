import { ApiError } from "../../domain/errors.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import type { Logger } from "../../log.ts";
import { pendingTextId, type StoredText } from "../documents/document-rows.ts";
import type { DocumentTables } from "../documents/document-tables.ts";
import { equals, isOneOf } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { allOfIndexes } from "../search/live-indexes.ts";
import { isBuiltAgain } from "../search/open-indexes.ts";

/** Rows read or written at a time. */
const batch = 1_000;

const removeAll = async <T>(table: StoreTable<T>, column: string, values: readonly string[]): Promise<void> => {
  for (let start = 0; start < values.length; start += batch) {
    await table.remove("reconcile", column, values.slice(start, start + batch));
  }
};

/** Until the space kept in reserve is free, which a write that found no space gives up. */
const reserveGoesMs = 100;

/**
 * A store on a full disk is opened all the same, for reading and for deleting: what cannot be put in order now waits for
 * the next start.
 * @returns false where there was no space for it
 */
const unlessFull = async (work: () => Promise<void>): Promise<boolean> => {
  const attempt = (): Promise<boolean> =>
    work().then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.code === "storage_unavailable") return false;
        throw error;
      },
    );
  if (await attempt()) return true;
  await Bun.sleep(reserveGoesMs);
  return await attempt();
};

/**
 * Nobody is processing anything when the store opens: what was being processed waits again. On a full disk the marks
 * stay; it is taken up all the same.
 */
export const requeueProcessing = async ({ documents }: Pick<DocumentTables, "documents">): Promise<void> => {
  const interrupted = await documents.find({ where: equals("status", "processing") });
  const waiting = interrupted.map((document) => ({
    ...document,
    status: "pending" as const,
    attempts: document.attempts + 1,
  }));
  await unlessFull(() => documents.upsert("reconcile", waiting));
};

/** Added to a document whose text is gone while its snippets are there. */
export const textIsLost = "Its text was lost: it is still found, but cannot be shown whole. Ingest it again.";

/** What is left of a document that is read again stays until that succeeds. */
const toBeRead = (document: DocumentRecord): DocumentRecord =>
  document.status === "pending" || document.status === "processing"
    ? document // it is read anyway, and how often it was tried counts on
    : {
        ...document,
        status: "pending",
        error: null,
        errorReason: null,
        textHash: null,
        attempts: 0,
        nextAttemptAt: null,
        begun: 0,
      };

const withoutText = (document: DocumentRecord): DocumentRecord =>
  document.warnings.includes(textIsLost)
    ? document
    : { ...document, textHash: null, warnings: [...document.warnings, textIsLost] };

/**
 * A document that cannot be found by its revision any more. The text that is left of it, if any, becomes what it waits
 * with; what the revision held may go when the record is written.
 */
const withoutRevision = async (
  texts: StoreTable<StoredText>,
  document: DocumentRecord & { revision: string },
): Promise<DocumentRecord> => {
  const { id, revision } = document;
  const newer = pendingTextId(document);
  const kept = await texts.find({ where: isOneOf("id", [newer, revision]) });
  const text = kept.find((one) => one.id === newer) ?? kept[0];
  if (text !== undefined) await texts.upsert(id, [{ ...text, id }]);
  const again = text !== undefined || hasSource(document);
  return {
    ...document,
    revision: null,
    textHash: null,
    status: again ? "pending" : "failed",
    error: again ? null : "its text was lost when the machine stopped: ingest it again",
    errorReason: null,
  };
};

const hasSource = ({ sourceKind, blobHash, originalUrl }: DocumentRecord): boolean =>
  sourceKind !== "text" && (blobHash !== null || originalUrl !== null);

/**
 * After an unclean stop: rows that no document names go, and documents whose rows are not there wait to be made again.
 * @returns false where the disk is too full for it: the next start has to try again
 */
export const reconcile = async (tables: Omit<DocumentTables, "records">, log: Logger): Promise<boolean> => {
  const { documents, texts, live, blobs, revisions: register } = tables;
  const files = await blobs.sweep(); // makes space
  let inOrder = true;
  const records = await documents.scan(["id", "revision", "status"], {}, (row) => ({
    id: row.string("id"),
    revision: row.nullableString("revision"),
    status: row.string("status"),
  }));
  const revisions = new Set(records.map(({ revision }) => revision).filter((revision) => revision !== null));
  const waiting = new Set(records.filter(({ status }) => status !== "processed").map(pendingTextId));

  const textIds = new Set(await texts.scan(["id"], {}, (row) => row.string("id")));
  const strayTexts = [...textIds].filter((id) => !revisions.has(id) && !waiting.has(id));
  inOrder = (await unlessFull(() => removeAll(texts, "id", strayTexts))) && inOrder;

  let strayRevisions = 0;
  const searchable = new Set<string>();
  for (const index of allOfIndexes(live)) {
    const { table } = index;
    // A set from the start: there are many rows of each revision.
    const present = new Set<string>();
    await table.visit(["revision"], "true", (row) => {
      present.add(row.string("revision"));
      return true;
    });
    if (index === live.active) for (const revision of present) searchable.add(revision);
    const stray = [...present].filter((revision) => !revisions.has(revision));
    strayRevisions += stray.length;
    if (await unlessFull(() => removeAll(table, "revision", stray))) continue;
    inOrder = false;
    for (const revision of stray) register.hide(revision);
  }

  const pagesGetLost = isBuiltAgain(live.active.info);
  const isWhole = (revision: string): boolean => textIds.has(revision) && searchable.has(revision);
  const lost = records.filter(({ revision }) => revision !== null && !isWhole(revision));
  const mend = async (document: DocumentRecord & { revision: string }): Promise<DocumentRecord> => {
    const { revision } = document;
    const hasText = textIds.has(revision);
    // The index is built from its text, which knows no pages: a file is read again for them.
    if (hasText && pagesGetLost) return document.sourceKind === "file" ? toBeRead(document) : document;
    if (hasSource(document) && (hasText || searchable.has(revision))) return toBeRead(document);
    if (searchable.has(revision)) return withoutText(document);
    return await withoutRevision(texts, document);
  };
  let textsLost = 0;
  const mendAll = async (part: readonly { id: string }[]): Promise<void> => {
    const ids = part.map(({ id }) => id);
    const changed: DocumentRecord[] = [];
    const given: { id: string; revision: string }[] = [];
    for (const document of await documents.find({ where: isOneOf("id", ids) })) {
      const { revision } = document;
      const mended = revision === null ? document : await mend({ ...document, revision });
      if (mended.warnings.includes(textIsLost)) textsLost += 1;
      if (revision !== null && mended.revision === null) given.push({ id: document.id, revision });
      if (!Bun.deepEquals(mended, document)) changed.push(mended);
    }
    await documents.upsert("reconcile", changed);
    const textsOf = ({ id, revision }: { id: string; revision: string }) =>
      [pendingTextId({ id, revision }), revision].filter((name) => name !== id);
    await removeAll(texts, "id", given.flatMap(textsOf));
    for (const { table } of allOfIndexes(live))
      await removeAll(
        table,
        "revision",
        given.map(({ revision }) => revision),
      );
  };
  for (let start = 0; start < lost.length; start += batch) {
    const part = lost.slice(start, start + batch);
    inOrder = (await unlessFull(() => mendAll(part))) && inOrder;
  }
  if (textsLost > 0) {
    const message = "texts are lost of documents that came as text: they are found, and say so; ingest them again";
    log.warn({ documents: textsLost }, message);
  }
  log.info(
    { strayTexts: strayTexts.length, strayRevisions, lostDocuments: lost.length, files },
    "the store was not closed in an orderly way, or was mended: it has been put in order",
  );
  if (!inOrder) log.error({}, "the disk is too full to put all of the store in order: the next start tries again");
  return inOrder;
};
