import type { DocumentStore } from "../contract/documents.ts";
import { noVectorRows } from "../search/live-vector-sets.ts";
import type { CarriedVectors } from "./carried-vectors.ts";
import type { CountUpdates, Tallies } from "./count-updates.ts";
import { tenantOf } from "./document-records.ts";
import type { DocumentTables } from "./document-tables.ts";
import { toPublicationRows } from "./publication-rows.ts";
import type { RecordWriter } from "./record-writer.ts";
import type { Replacement } from "./replacement.ts";

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
