import { type DocumentRecord, isUnfinished } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import { pendingTextId } from "../documents/document-rows.ts";
import type { DocumentTables } from "../documents/document-tables.ts";
import { isOneOf } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { allOfIndexes } from "../search/live-indexes.ts";
import { needsRebuild } from "../search/open-indexes.ts";
import { allOfVectorSets } from "../vectors/live-vector-sets.ts";
import { type RowsLeft, restoreDocument, textIsLost } from "./restore-document.ts";
import { settleStagedTexts } from "./settle-staged-texts.ts";
import { unlessFull } from "./unless-full.ts";

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
