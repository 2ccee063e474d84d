import { type DocumentRecord, externalIdOf } from "../../domain/records.ts";
import type { DocumentStore, NewName } from "../contract/documents.ts";
import { equals } from "../engine/filters.ts";
import { allOfIndexes, type LiveIndex } from "../search/live-indexes.ts";
import { toSnippetPairs } from "../search/metadata.ts";
import type { StoredSnippet } from "../search/snippet-rows.ts";
import type { CarriedVectors } from "./carried-vectors.ts";
import type { RecordWriter } from "./document-group.ts";
import type { IndexRows } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";
import type { Replacement } from "./publish.ts";

/** What the snippets of a document carry of it. */
type Label = Pick<StoredSnippet, "revision" | "partitionId" | "metadataPairs">;

/** The terms of the name come first; those of the cover follow them. */
const renamed = (before: string, { titleTerms, formerTitleTerms: former }: NewName): string =>
  former !== undefined && before.startsWith(`${former} `) ? `${titleTerms}${before.slice(former.length)}` : titleTerms;

/** Changes what the snippets of a document carry of it: they are written as a new revision. */
export const createRelabel = (
  tables: DocumentTables,
  writer: RecordWriter,
  replacement: Replacement,
  carried: CarriedVectors,
): DocumentStore["relabel"] => {
  const { records, texts, pendingTexts, live, gate, serialize } = tables;

  /** The current snippets with another label. An index that is being built may not hold the document yet. */
  const relabeledRows = async (revision: string, label: Label, name?: NewName): Promise<IndexRows> => {
    const rows = new Map<LiveIndex, StoredSnippet[]>();
    for (const index of allOfIndexes(live)) {
      const current = await index.segments.find(equals("revision", revision));
      if (index !== live.active && current.length === 0) continue;
      rows.set(
        index,
        current.map((snippet) => ({
          ...snippet,
          ...label,
          titleTerms: name === undefined ? snippet.titleTerms : renamed(snippet.titleTerms, name),
        })),
      );
    }
    return rows;
  };

  /** @returns the record as it is written */
  const writeRelabeled = async (
    before: DocumentRecord,
    changed: DocumentRecord,
    putsFile: boolean,
    name: NewName | undefined,
  ): Promise<DocumentRecord> => {
    if (before.revision === null) {
      await writer.write(changed, before, putsFile);
      return changed;
    }
    const document = { ...changed, revision: Bun.randomUUIDv7() };
    const [stored] = await texts.find({ where: equals("id", before.revision), limit: 1 });
    const label = {
      revision: document.revision,
      partitionId: document.partitionId,
      metadataPairs: toSnippetPairs(document.metadata),
    };
    const rows = await relabeledRows(before.revision, label, name);
    const vectors = await carried.relabeled(before.revision, document);
    await replacement.replace({ document, before, text: stored?.text ?? null, rows, vectors, putsFile });
    return document;
  };

  return (tenant, id, { name, metadata, partitionId }, more) =>
    gate.shared(() =>
      serialize(id, async () => {
        const before = await records.find(tenant, id);
        if (before === null) return null;
        const putsFile = more !== undefined && "blobHash" in more.fields;
        const changed: DocumentRecord = {
          ...before,
          ...more?.fields,
          id,
          organizationId: before.organizationId,
          createdAt: before.createdAt,
          revision: before.revision,
          name: name?.name ?? before.name,
          metadata: metadata === undefined ? before.metadata : metadata,
          externalId: metadata === undefined ? before.externalId : externalIdOf(metadata),
          partitionId: partitionId === undefined ? before.partitionId : partitionId,
          updatedAt: Date.now(),
        };
        const write = () => writeRelabeled(before, changed, putsFile, name);
        return await pendingTexts.replace(before, changed, more?.pendingText ?? null, write);
      }),
    );
};
