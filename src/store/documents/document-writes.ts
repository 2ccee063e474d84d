import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import type { DocumentStore } from "../contract.ts";
import { equals } from "../engine/filters.ts";
import { type TermTally, tallyTerms } from "../search/frequencies.ts";
import { allOfIndexes, type LiveIndex } from "../search/live-indexes.ts";
import type { StoredSnippet } from "../search/snippet-rows.ts";
import { createDocumentGroups, type DocumentWrite } from "./document-group.ts";
import { pendingTextId } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";
import { canonicalJson, maxSnippetPairs, toSnippetPairs } from "./metadata.ts";
import { toPublicationRows } from "./publication-rows.ts";

type Writes = Pick<
  DocumentStore,
  "add" | "announce" | "patch" | "publish" | "publishNew" | "relabel" | "remove" | "withExternalId"
>;

export const createDocumentWrites = (tables: DocumentTables): Writes => {
  const { frequencies, records, texts, live, revisions, scopes, blobs, serialise, gate } = tables;
  const serialiseExternalId = createKeyedMutex();
  const groups = createDocumentGroups(tables);

  const tenantOf = ({ organizationId }: DocumentRecord): Tenant => ({ organizationId, partitionId: null });

  const unchanged: Pick<DocumentWrite, "text" | "rows" | "replaces"> = { text: null, rows: new Map(), replaces: false };

  const writeAll = async (writes: readonly DocumentWrite[], isPatient = false): Promise<void> => {
    if (writes.some(({ document: { metadata } }) => Object.keys(metadata ?? {}).length > maxSnippetPairs)) {
      scopes.noteManyPairs();
    }
    await groups.write(writes, isPatient);
  };

  /**
   * Writes what the document holds and its record; afterwards the file it names is its own, and the one it named before
   * may go.
   * @param puts whether the caller put the file for this write, also where the record named the same one before
   */
  const write = async (
    document: DocumentRecord,
    before: DocumentRecord | null,
    puts: boolean,
    content = unchanged,
  ): Promise<void> => {
    await writeAll([{ document, ...content }]);
    const other = document.blobHash !== (before?.blobHash ?? null);
    if (document.blobHash !== null && (other || puts)) blobs.adopt(document.blobHash);
    if (other && before?.blobHash) await blobs.removeIfUnused(before.blobHash);
  };

  /** The text that the document waits with: a new one takes the place of the last. */
  const putPendingText = async (document: DocumentRecord, text: string): Promise<void> => {
    const id = pendingTextId(document);
    await texts.upsert(id, [{ id, organizationId: document.organizationId, documentId: document.id, text }]);
  };

  /** Not awaited to the disk: after a power cut rows that no document names are removed anyway. */
  const removeRevision = async (revision: string, withText = true): Promise<void> => {
    await Promise.all([
      withText ? texts.remove(revision, "id", [revision], false) : undefined,
      ...allOfIndexes(live).map(({ table }) => table.remove(revision, "revision", [revision], false)),
    ]);
    for (const { filled } of allOfIndexes(live)) filled.delete(revision);
    revisions.forget(revision);
  };

  /** Terms of what a document holds now, to take them off the counts; null where nobody keeps counts. */
  const currentTally = async ({ organizationId, revision }: DocumentRecord): Promise<TermTally | null> => {
    if (revision === null || !frequencies.keeps(organizationId)) return null;
    const where = equals("revision", revision);
    return tallyTerms(await live.active.table.scan(["terms"], { where }, (row) => row.string("terms")));
  };

  /** Tells the counts that one thing took the place of another. */
  const recount = (
    before: { document: DocumentRecord; tally: TermTally | null } | null,
    after: { document: DocumentRecord; rows: ReadonlyMap<LiveIndex, readonly StoredSnippet[]> } | null,
  ): void => {
    const indexIds = allOfIndexes(live).map(({ info }) => info.id);
    if (before?.tally) frequencies.change(indexIds, before.document, before.tally, -1);
    if (after !== null) {
      const isKept = frequencies.keeps(after.document.organizationId);
      for (const [index, rows] of after.rows) {
        const tally: TermTally = isKept ? tallyTerms(rows.map(({ terms }) => terms)) : new Map();
        frequencies.change([index.info.id], after.document, tally, 1);
      }
    }
    // Somebody began to keep counts after this write had looked.
    if (before !== null && before.document.revision !== null && before.tally === null) {
      frequencies.forget(before.document.organizationId);
    }
    tables.onSearchableChange();
  };

  /** The rows are there and the record names them: whoever looks from now on sees them. */
  const becomeCurrent = (
    revision: string,
    replaced: string | null,
    rows: ReadonlyMap<LiveIndex, readonly StoredSnippet[]>,
  ): void => {
    if (live.building !== null && rows.has(live.building)) live.building.filled.add(revision);
    revisions.committed(revision, replaced);
  };

  /** Makes rows current: they are appended unseen, the record names them, and what it named before goes. */
  const replace = async (
    document: DocumentRecord & { revision: string },
    before: DocumentRecord | null,
    text: string | null,
    rows: ReadonlyMap<LiveIndex, readonly StoredSnippet[]>,
    puts: boolean,
  ): Promise<void> => {
    const { revision } = document;
    const replaced = before?.revision ?? null;
    const { id } = document;
    // The text that waits under the document's own id becomes its first revision's as it stands.
    const takesPending = before !== null && replaced === null && revision === id;
    const tally = before === null ? null : await currentTally(before);
    revisions.born(revision);
    try {
      await write(document, before, puts, {
        text: takesPending || text === null ? null : { id: revision, text },
        rows,
        replaces: replaced !== null,
      });
    } catch (error) {
      tables.inBackground(removeRevision(revision, !takesPending)); // it stays hidden until that is done
      throw error;
    }
    becomeCurrent(revision, replaced, rows);
    recount(before === null ? null : { document: before, tally }, { document, rows });
    if (replaced !== null) {
      tables.inBackground(revisions.viewsClosed().then(() => removeRevision(replaced)));
    }
    if (before !== null && before.status !== "processed" && document.status === "processed" && !takesPending) {
      const waited = pendingTextId(before);
      tables.inBackground(texts.remove(waited, "id", [waited], false)); // the text it came with
    }
  };

  return {
    announce: groups.announce,
    add: (document, text) =>
      serialise(document.id, async () => {
        const before = await records.find(tenantOf(document), document.id);
        const id = pendingTextId(document);
        const isNew = before === null;
        if (text !== null && !isNew) await putPendingText(document, text);
        await write(document, before, true, { ...unchanged, text: text !== null && isNew ? { id, text } : null });
      }),
    patch: (tenant, id, change, pendingText) =>
      serialise(id, async () => {
        const before = await records.find(tenant, id);
        if (before === null) return null;
        const { organizationId, createdAt, revision } = before;
        // A reason belongs to the error that it came with.
        const { errorReason = change.error === undefined ? before.errorReason : null } = change;
        const changed: DocumentRecord = { ...before, ...change, errorReason, id, organizationId, createdAt, revision };
        const moved = changed.partitionId !== before.partitionId;
        const relabelled = canonicalJson(changed.metadata) !== canonicalJson(before.metadata);
        if (revision !== null && (moved || relabelled || changed.name !== before.name)) {
          throw new Error("name, metadata and partition of a document with snippets are changed by relabel");
        }
        if (pendingText !== undefined) await putPendingText(before, pendingText);
        await write(changed, before, "blobHash" in change);
        return changed;
      }),
    publish: (document, text, snippets) =>
      gate.shared(() =>
        serialise(document.id, async () => {
          const { revision } = document;
          const before = await records.find(tenantOf(document), document.id);
          if (revision === null || revision === before?.revision) throw new Error("a publish needs a new revision");
          const rows = toPublicationRows(live, { document, text, snippets });
          // Over a processed document there was no `add` that took the file over.
          await replace({ ...document, revision }, before, text, rows, before?.status === "processed");
        }),
      ),
    publishNew: (publications) =>
      gate.shared(async () => {
        const added = publications.map((publication) => {
          const { document, text } = publication;
          const { revision } = document;
          if (revision === null) throw new Error("a publish needs a new revision");
          const rows = toPublicationRows(live, publication);
          return { document, revision, text: { id: revision, text }, rows, replaces: false };
        });
        for (const { revision } of added) revisions.born(revision);
        try {
          await writeAll(added, true);
        } catch (error) {
          for (const { revision } of added) tables.inBackground(removeRevision(revision));
          throw error;
        }
        for (const { document, revision, rows } of added) {
          becomeCurrent(revision, null, rows);
          recount(null, { document, rows });
        }
      }),
    relabel: (tenant, id, { name, metadata, partitionId }, more) =>
      gate.shared(() =>
        serialise(id, async () => {
          const before = await records.find(tenant, id);
          if (before === null) return null;
          const { organizationId, createdAt } = before;
          const puts = more !== undefined && "blobHash" in more.fields;
          const changed: DocumentRecord = {
            ...before,
            ...more?.fields,
            id,
            organizationId,
            createdAt,
            revision: before.revision,
            name: name?.name ?? before.name,
            metadata: metadata === undefined ? before.metadata : metadata,
            externalId: metadata === undefined ? before.externalId : externalIdOf(metadata),
            partitionId: partitionId === undefined ? before.partitionId : partitionId,
            updatedAt: Date.now(),
          };
          // Until the record says that it waits, nobody takes it for the document's.
          if (more?.pendingText !== undefined) await putPendingText(before, more.pendingText);
          if (before.revision === null) {
            await write(changed, before, puts);
            return changed;
          }
          const revision = Bun.randomUUIDv7();
          const [stored] = await texts.find({ where: equals("id", before.revision), limit: 1 });
          const label = {
            revision,
            partitionId: changed.partitionId,
            metadataPairs: toSnippetPairs(changed.metadata),
            ...(name === undefined ? {} : { titleTerms: name.titleTerms }),
          };
          const rows = new Map<LiveIndex, StoredSnippet[]>();
          for (const index of allOfIndexes(live)) {
            const current = await index.table.find({ where: equals("revision", before.revision) });
            if (index === live.active || current.length > 0) {
              rows.set(
                index,
                current.map((snippet) => ({ ...snippet, ...label })),
              );
            }
          }
          const relabelled = { ...changed, revision };
          await replace(relabelled, before, stored?.text ?? null, rows, puts);
          return relabelled;
        }),
      ),
    remove: (tenant, id) =>
      gate.shared(() =>
        serialise(id, async () => {
          const before = await records.find(tenant, id);
          if (before === null) return false;
          const tally = await currentTally(before);
          await records.remove(id);
          if (before.revision !== null) revisions.hide(before.revision);
          recount({ document: before, tally }, null);
          await Promise.all([
            before.revision === null ? undefined : removeRevision(before.revision),
            texts.remove(id, "id", [pendingTextId(before)], false),
            before.blobHash === null ? undefined : blobs.removeIfUnused(before.blobHash),
          ]);
          return true;
        }),
      ),
    withExternalId: (tenant, externalId, work) =>
      serialiseExternalId(JSON.stringify([tenant.organizationId, externalId]), work),
  };
};

/** `metadata.externalId` where it is a string. */
export const externalIdOf = (metadata: DocumentRecord["metadata"]): string | null =>
  metadata !== null && Object.hasOwn(metadata, "externalId") && typeof metadata.externalId === "string"
    ? metadata.externalId
    : null;
