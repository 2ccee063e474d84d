import type { DocumentRecord } from "../../domain/records.ts";
import type { DocumentStore } from "../contract/documents.ts";
import { allOfIndexes, allOfVectorSets, noVectorRows, type VectorRows } from "../search/live-indexes.ts";
import type { CarriedVectors } from "./carried-vectors.ts";
import type { CountUpdates, Tallies } from "./count-updates.ts";
import type { RecordWriter } from "./document-group.ts";
import { tenantOf } from "./document-records.ts";
import { type IndexRows, toPublicationRows } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";

/** The new content of a document, in place of that of the revision before. */
interface NewRevision {
  document: DocumentRecord & { revision: string };
  /** The document as it is stored; null where it is new. */
  before: DocumentRecord | null;
  text: string | null;
  rows: IndexRows;
  /** Vectors taken over from the revision before. */
  vectors: VectorRows;
  /** See `RecordWriter.write`. */
  putsFile: boolean;
}

export interface Replacement {
  /** Appends the rows unseen, writes the record that names them, and removes what the record named before. */
  replace(change: NewRevision): Promise<void>;
  /** The rows are written and the record names them: views opened from now on see them. */
  makeCurrent(revision: string, replaced: string | null, rows: IndexRows): void;
  /** Removes the snippets of a revision, their vectors, and its text. Not synced: after a power loss the next start removes them. */
  removeRevision(revision: string, withText?: boolean): Promise<void>;
}

export const createReplacement = (tables: DocumentTables, records: RecordWriter, counts: CountUpdates): Replacement => {
  const { texts, pendingTexts, live, vectorSets, revisions, inBackground } = tables;

  const removeRevision: Replacement["removeRevision"] = async (revision, withText = true) => {
    await Promise.all([
      withText ? texts.remove(revision, "id", [revision], false) : undefined,
      ...[...allOfIndexes(live), ...allOfVectorSets(vectorSets)].map(({ segments }) =>
        segments.remove(revision, "revision", [revision], false),
      ),
    ]);
    for (const { filled } of allOfIndexes(live)) filled.delete(revision);
    revisions.forget(revision);
  };

  const makeCurrent: Replacement["makeCurrent"] = (revision, replaced, rows) => {
    if (live.building !== null && rows.has(live.building)) live.building.filled.add(revision);
    revisions.commit(revision, replaced);
  };

  return {
    removeRevision,
    makeCurrent,
    async replace({ document, before, text, rows, vectors, putsFile }) {
      const { id, revision } = document;
      const replaced = before?.revision ?? null;
      // The pending text is stored under the document's id already: it becomes the text of a first revision of that name.
      const takesPending = before !== null && replaced === null && revision === id;
      if (takesPending) await pendingTexts.settle(before);
      const counted = before === null ? null : await counts.count(before);
      const tallies = await counts.tally(document, rows);
      revisions.begin(revision);
      try {
        await records.write(document, before, putsFile, {
          text: takesPending || text === null ? null : { id: revision, text },
          rows,
          vectors,
          replaces: replaced !== null,
        });
      } catch (error) {
        inBackground(() => removeRevision(revision, !takesPending)); // it stays hidden until then
        throw error;
      }
      makeCurrent(revision, replaced, rows);
      counts.replaced(counted, { document, rows, vectors, tallies });
      if (replaced !== null) inBackground(() => revisions.viewsClosed().then(() => removeRevision(replaced)));
      if (before !== null && before.status !== "processed" && document.status === "processed" && !takesPending) {
        inBackground(pendingTexts.remove(before)); // not again: a newer text may be there by then
      }
    },
  };
};

const withoutNewRevision = (): Error => new Error("a publish needs a new revision");

/** Makes processed documents searchable. */
export const createPublish = (
  tables: DocumentTables,
  writer: RecordWriter,
  replacement: Replacement,
  counts: CountUpdates,
  carried: CarriedVectors,
): Pick<DocumentStore, "publish" | "publishNew"> => {
  const { records, live, revisions, gate, serialize, inBackground } = tables;
  return {
    publish: (document, text, snippets) =>
      gate.shared(() =>
        serialize(document.id, async () => {
          const { revision } = document;
          const before = await records.find(tenantOf(document), document.id);
          if (revision === null || revision === before?.revision) throw withoutNewRevision();
          const rows = toPublicationRows(live, { document, text, snippets });
          // The file of a pending document was adopted by `add`; over a processed one it was put for this write.
          const putsFile = before?.status === "processed";
          const revised = { ...document, revision };
          const old = before?.revision ?? null;
          const vectors = old === null ? noVectorRows : await carried.reused(old, revised, snippets);
          const giveBack = before === null ? records.take([document]) : () => undefined;
          await replacement.replace({ document: revised, before, text, rows, vectors, putsFile }).finally(giveBack);
        }),
      ),
    publishNew: (publications) =>
      gate.shared(async () => {
        const added = publications.map((publication) => {
          const { document, text } = publication;
          const { revision } = document;
          if (revision === null) throw withoutNewRevision();
          const rows = toPublicationRows(live, publication);
          return { document, revision, text: { id: revision, text }, rows, vectors: noVectorRows, replaces: false };
        });
        const tallies = new Map<string, Tallies>();
        for (const { document, revision, rows } of added) {
          const tallied = counts.tally(document, rows);
          if (tallied !== null) tallies.set(revision, await tallied);
        }
        const giveBack = records.take(added.map(({ document }) => document));
        for (const { revision } of added) revisions.begin(revision);
        try {
          await writer.writeNew(added).finally(giveBack);
        } catch (error) {
          for (const { revision } of added) inBackground(() => replacement.removeRevision(revision));
          throw error;
        }
        for (const { document, revision, rows, vectors } of added) {
          replacement.makeCurrent(revision, null, rows);
          counts.replaced(null, { document, rows, vectors, tallies: tallies.get(revision) ?? null });
        }
      }),
  };
};
