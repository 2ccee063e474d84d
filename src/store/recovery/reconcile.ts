import { type DocumentRecord, isUnfinished, waitingFields } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import { unlessFull } from "../disk/free-space.ts";
import { pendingTextId, type StoredText } from "../documents/document-rows.ts";
import type { DocumentTables } from "../documents/document-tables.ts";
import { isStagedTextId, stagedTextId } from "../documents/pending-texts.ts";
import { textIsLost } from "../engine/damage.ts";
import { equals, isOneOf } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { allOfIndexes, allOfVectorSets } from "../search/live-indexes.ts";
import { needsRebuild } from "../search/open-indexes.ts";

/** What is left of the rows that the revision of a document names. */
interface RowsLeft {
  hasText: boolean;
  isSearchable: boolean;
  /** Whether the search index is rebuilt anyway, from the texts. */
  isIndexRebuilt: boolean;
}

type Revised = DocumentRecord & { revision: string };

const hasSource = ({ sourceKind, blobHash, originalUrl }: DocumentRecord): boolean =>
  sourceKind !== "text" && (blobHash !== null || originalUrl !== null);

/** The document is read again from its source. The rows that are left stay until that succeeds. */
const readAgain = (document: DocumentRecord): DocumentRecord =>
  isUnfinished(document)
    ? document // it is read anyway, and the attempts that were made count
    : { ...document, ...waitingFields, textHash: null };

const withoutText = (document: DocumentRecord): DocumentRecord =>
  document.warnings.includes(textIsLost)
    ? document
    : { ...document, textHash: null, warnings: [...document.warnings, textIsLost] };

/**
 * The document without its revision. If a text is left, it becomes the pending text. The caller removes the rows of the
 * revision once the record is written.
 */
const withoutRevision = async (texts: StoreTable<StoredText>, document: Revised): Promise<DocumentRecord> => {
  const { id, revision } = document;
  const newer = pendingTextId(document);
  const kept = await texts.find({ where: isOneOf("id", [newer, revision]) });
  const text = kept.find((candidate) => candidate.id === newer) ?? kept[0];
  if (text !== undefined) await texts.upsert(id, [{ ...text, id }]);
  const isPending = text !== undefined || hasSource(document);
  return {
    ...document,
    revision: null,
    textHash: null,
    status: isPending ? "pending" : "failed",
    error: isPending ? null : "its text was lost when the machine stopped: ingest it again",
    errorReason: null,
  };
};

/** Decides what to do with a document whose revision names rows that are lost. */
const restoreDocument = async (
  texts: StoreTable<StoredText>,
  document: Revised,
  { hasText, isSearchable, isIndexRebuilt }: RowsLeft,
): Promise<DocumentRecord> => {
  // The text knows no page numbers: a file is read again for them.
  if (hasText && isIndexRebuilt) return document.sourceKind === "file" ? readAgain(document) : document;
  if (hasSource(document) && (hasText || isSearchable)) return readAgain(document);
  if (isSearchable) return withoutText(document);
  return await withoutRevision(texts, document);
};

type Tables = Omit<DocumentTables, "records">;

/** Rows read or written in one call. */
const batchRows = 1_000;

const removeAll = async (
  table: Pick<StoreTable<unknown>, "remove">,
  column: string,
  values: readonly string[],
): Promise<void> => {
  for (let start = 0; start < values.length; start += batchRows) {
    await table.remove("reconcile", column, values.slice(start, start + batchRows));
  }
};

/** What the document records name. */
interface Named {
  /** The documents that have a revision. */
  current: { id: string; revision: string }[];
  revisions: Set<string>;
  pendingTexts: Set<string>;
}

const readNamed = async ({ documents }: Tables): Promise<Named> => {
  const named: Named = { current: [], revisions: new Set(), pendingTexts: new Set() };
  await documents.scan(["id", "revision", "status"], {}, (row) => {
    const id = row.string("id");
    const revision = row.nullableString("revision");
    if (row.string("status") !== "processed") named.pendingTexts.add(pendingTextId({ id, revision }));
    if (revision === null) return;
    named.current.push({ id, revision });
    named.revisions.add(revision);
  });
  return named;
};

/** All tables whose rows belong to revisions. */
const tablesOfRevisions = ({ live, vectorSets }: Tables) => [...allOfIndexes(live), ...allOfVectorSets(vectorSets)];

/**
 * Removes the snippets and vectors of revisions that no document names.
 * @returns the revisions that the active index holds
 */
const removeStrayRevisions = async (
  tables: Tables,
  named: Named,
): Promise<{ searchable: Set<string>; strays: number; isDone: boolean }> => {
  const { live, revisions: register } = tables;
  let searchable = new Set<string>();
  const strays = new Set<string>();
  let isDone = true;
  for (const { segments } of tablesOfRevisions(tables)) {
    // A set from the start: a revision has many rows.
    const present = new Set<string>();
    await segments.visit(["revision"], "true", (row) => {
      present.add(row.string("revision"));
      return true;
    });
    if (segments === live.active.segments) searchable = present;
    const stray = [...present].filter((revision) => !named.revisions.has(revision));
    for (const revision of stray) strays.add(revision);
    if (await unlessFull(() => removeAll(segments, "revision", stray))) continue;
    isDone = false;
    for (const revision of stray) register.hide(revision);
  }
  return { searchable, strays: strays.size, isDone };
};

/** Restores some documents, or marks what is lost of them. @returns how many have lost their text */
const restoreDocuments = async (
  tables: Tables,
  ids: readonly string[],
  rowsLeft: (revision: string) => RowsLeft,
): Promise<number> => {
  const { documents, texts, damage } = tables;
  let lostTexts = 0;
  const changed: DocumentRecord[] = [];
  const unnamed: { id: string; revision: string }[] = [];
  for (const document of await documents.find({ where: isOneOf("id", ids) })) {
    const { id, revision } = document;
    const restored =
      revision === null ? document : await restoreDocument(texts, { ...document, revision }, rowsLeft(revision));
    if (restored.warnings.includes(textIsLost)) {
      lostTexts += 1;
      const { organizationId } = document;
      const detail = "the text of a document is lost";
      damage.note({ kind: "row", where: "texts", id: revision, organizationId, belongsTo: id, detail }, true);
    } else if (isUnfinished(restored)) damage.mend([restored]);
    if (revision !== null && restored.revision === null) unnamed.push({ id, revision });
    if (!Bun.deepEquals(restored, document)) changed.push(restored);
  }
  await documents.upsert("reconcile", changed);
  const unnamedTexts = unnamed.flatMap((document) =>
    [pendingTextId(document), document.revision].filter((name) => name !== document.id),
  );
  await removeAll(texts, "id", unnamedTexts);
  const unnamedRevisions = unnamed.map(({ revision }) => revision);
  for (const { segments } of tablesOfRevisions(tables)) await removeAll(segments, "revision", unnamedRevisions);
  return lostTexts;
};

/**
 * After an unclean stop: removes rows that no document names, and restores documents whose rows are lost.
 * @returns false if the disk is too full for some of it: the next start tries again
 */
export const reconcile = async (tables: Tables, log: Logger): Promise<boolean> => {
  const { texts, live } = tables;
  const files = await tables.blobs.sweep(); // first: it frees space
  const named = await readNamed(tables);

  const textIds = new Set(await texts.scan(["id"], {}, (row) => row.string("id")));
  let isDone = await settleStagedTexts(tables, textIds);
  const strayTexts = [...textIds].filter((id) => !named.revisions.has(id) && !named.pendingTexts.has(id));
  isDone = (await unlessFull(() => removeAll(texts, "id", strayTexts))) && isDone;
  const stray = await removeStrayRevisions(tables, named);
  isDone = stray.isDone && isDone;

  const rowsLeft = (revision: string): RowsLeft => ({
    hasText: textIds.has(revision),
    isSearchable: stray.searchable.has(revision),
    isIndexRebuilt: needsRebuild(live.active.info),
  });
  const lost = named.current.filter(({ revision }) => !textIds.has(revision) || !stray.searchable.has(revision));
  let lostTexts = 0;
  for (let start = 0; start < lost.length; start += batchRows) {
    const ids = lost.slice(start, start + batchRows).map(({ id }) => id);
    const isBatchDone = await unlessFull(async () => {
      lostTexts += await restoreDocuments(tables, ids, rowsLeft);
    });
    isDone = isBatchDone && isDone;
  }

  if (lostTexts > 0) {
    const message =
      "the texts of documents that came as text are lost: they are still found, and bear a warning; ingest them again, or restore the last backup";
    log.warn({ documents: lostTexts }, message);
  }
  log.info(
    { strayTexts: strayTexts.length, strayRevisions: stray.strays, lostDocuments: lost.length, files },
    "the store was not closed cleanly, or was repaired: it has been reconciled",
  );
  if (!isDone) log.error({}, "the disk is too full to reconcile all of the store: the next start tries again");
  return isDone;
};

/**
 * Documents were to get other pending texts when the process ended: a text is brought to its place where the record that
 * it came with was stored.
 * @param textIds ids of all texts; those that are placed are added, and staged ones taken out that must stay
 * @returns false if the disk is too full for one
 */
const settleStagedTexts = async (
  { documents, texts, pendingTexts }: Pick<DocumentTables, "documents" | "texts" | "pendingTexts">,
  textIds: Set<string>,
): Promise<boolean> => {
  let isDone = true;
  for (const id of [...textIds].filter(isStagedTextId)) {
    const [staged] = await texts.find({ where: equals("id", id), limit: 1 });
    if (staged === undefined) continue;
    const [document] = await documents.find({ where: equals("id", staged.documentId), limit: 1 });
    if (document === undefined || stagedTextId(document) !== id) continue;
    pendingTexts.adopt(document, id);
    textIds.delete(id);
    if (await unlessFull(() => pendingTexts.settle(document))) textIds.add(pendingTextId(document));
    else isDone = false;
  }
  return isDone;
};

/**
 * When the store opens, no document is being processed: those that were wait again. On a full disk their status stays,
 * and they are processed all the same.
 */
export const requeueProcessing = async ({ documents }: Pick<DocumentTables, "documents">): Promise<void> => {
  const interrupted = await documents.find({ where: equals("status", "processing") });
  const pending = interrupted.map((document) => ({
    ...document,
    status: "pending" as const,
    attempts: document.attempts + 1,
  }));
  await unlessFull(() => documents.upsert("reconcile", pending));
};
