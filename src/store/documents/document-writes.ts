import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import { pause } from "../../async/waiting.ts";
import { type DocumentRecord, externalIdOf, type Tenant } from "../../domain/records.ts";
import type { DocumentStore, NewName } from "../contract/documents.ts";
import type { Damage } from "../contract/keeping.ts";
import { equals } from "../engine/filters.ts";
import { allOfIndexes, allOfVectorSets, type LiveIndex } from "../search/live-indexes.ts";
import { canonicalJson, toSnippetPairs } from "../search/scope-filter.ts";
import type { StoredSnippet } from "../search/snippet-rows.ts";
import { type CarriedVectors, createCarriedVectors } from "./carried-vectors.ts";
import { createCountUpdates } from "./count-updates.ts";
import { createRecordWriter, noContent, type RecordWriter } from "./document-group.ts";
import { tenantOf } from "./document-records.ts";
import { type IndexRows, pendingTextId } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";
import { createPublish, createReplacement, type Replacement } from "./publish.ts";

/** What the snippets of a document carry of it. */
type Label = Pick<StoredSnippet, "revision" | "partitionId" | "metadataPairs">;

/** The terms of the name come first; those of the cover follow them. */
const renamed = (before: string, { titleTerms, formerTitleTerms: former }: NewName): string =>
  former !== undefined && before.startsWith(`${former} `) ? `${titleTerms}${before.slice(former.length)}` : titleTerms;

/** Changes what the snippets of a document carry of it: they are written as a new revision. */
const createRelabel = (
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

/** How often it is looked whether the index is still behind. */
const lookEveryMs = 200;

/**
 * Makes the wait for an index that is behind. Beside questions and other work a batch of documents left 147,000 rows in 90
 * seconds that no index held, and a question took 1.2 s in place of 0.3 (docs/scale.md).
 */
export const createIndexWait = (isBehind: () => boolean): DocumentStore["untilIndexed"] => {
  /** When one of those in line was let through though the index was behind. */
  let letThroughAt = Number.NEGATIVE_INFINITY;
  return async ({ maxMs, isInLine }, signal) => {
    const beganAt = performance.now();
    const waitedMs = () => performance.now() - (isInLine ? Math.max(beganAt, letThroughAt) : beganAt);
    while (isBehind() && waitedMs() < maxMs && !signal.aborted) await pause(lookEveryMs, signal);
    if (isInLine && isBehind() && !signal.aborted) letThroughAt = performance.now();
  };
};

type Writes = Pick<
  DocumentStore,
  "add" | "announce" | "patch" | "publish" | "publishNew" | "relabel" | "remove" | "untilIndexed" | "withExternalId"
>;

/** Whether a change touches what the snippets of a document carry of it. */
const changesLabel = (before: DocumentRecord, after: DocumentRecord): boolean =>
  after.partitionId !== before.partitionId ||
  after.name !== before.name ||
  canonicalJson(after.metadata) !== canonicalJson(before.metadata);

/** Removals of rows that wait at most, while the tables have upkeep. */
const maxRemovals = 1_000;

export const createDocumentWrites = (tables: DocumentTables): Writes => {
  const { records, pendingTexts, revisions, blobs, serialize, gate, inBackground } = tables;
  const { documents, texts, live, vectorSets, damage, frequencies, onSearchableChange } = tables;
  const writer = createRecordWriter(tables);
  const counts = createCountUpdates(tables);
  const replacement = createReplacement(tables, writer, counts);
  const carried = createCarriedVectors(tables);
  const serializeExternalId = createKeyedMutex();
  let removals = 0;

  /** Removes rows that nothing finds any more. The caller waits for it only if many others wait already. */
  const removeRows = async (remove: () => Promise<void>): Promise<void> => {
    removals += 1;
    const isWaitedFor = removals > maxRemovals;
    const tried = Promise.withResolvers<void>();
    void tried.promise.then(() => {
      removals -= 1;
    });
    inBackground(() => remove().finally(tried.resolve));
    if (isWaitedFor) await tried.promise;
  };

  /** Removes what is left of a document whose record is damaged. @returns false where there is no such document */
  const removeDamaged = async ({ organizationId, partitionId }: Tenant, id: string): Promise<boolean> => {
    const isOwn = (one: Damage): boolean =>
      one.organizationId === organizationId && (one.id === id || one.belongsTo === id);
    if (partitionId !== null || !damage.list().some((one) => one.where === documents.definition.name && isOwn(one)))
      return false;
    await records.remove(id);
    const tables = [
      texts,
      ...allOfIndexes(live).map(({ segments }) => segments),
      ...allOfVectorSets(vectorSets).map(({ segments }) => segments),
    ];
    await Promise.all(tables.map((table) => table.remove(id, "documentId", [id])));
    frequencies.forget(organizationId);
    onSearchableChange(organizationId);
    damage.settle(isOwn);
    return true;
  };

  return {
    announce: writer.announce,
    untilIndexed: createIndexWait(() => live.active.segments.all().some(({ unindexed }) => unindexed.isBehind())),
    ...createPublish(tables, writer, replacement, counts, carried),
    relabel: createRelabel(tables, writer, replacement, carried),
    add: (document, text) =>
      serialize(document.id, async () => {
        const before = await records.find(tenantOf(document), document.id);
        const isNew = before === null;
        const content =
          isNew && text !== null ? { ...noContent, text: { id: pendingTextId(document), text } } : noContent;
        const write = () => writer.write(document, before, true, content);
        if (!isNew) return await pendingTexts.replace(before, document, text, write);
        const giveBack = records.take([document]);
        await write().finally(giveBack);
      }),
    patch: (tenant, id, change, pendingText) =>
      serialize(id, async () => {
        const before = await records.find(tenant, id);
        if (before === null) return null;
        const { organizationId, createdAt, revision } = before;
        // A reason belongs to one error: it goes when the error changes.
        const { errorReason = change.error === undefined ? before.errorReason : null } = change;
        const changed: DocumentRecord = { ...before, ...change, errorReason, id, organizationId, createdAt, revision };
        if (revision !== null && changesLabel(before, changed)) {
          throw new Error("name, metadata and partition of a document with snippets are changed by relabel");
        }
        const write = () => writer.write(changed, before, "blobHash" in change);
        await pendingTexts.replace(before, changed, pendingText ?? null, write);
        return changed;
      }),
    remove: (tenant, id) =>
      gate.shared(() =>
        serialize(id, async () => {
          const [before] = await records.findMany(tenant, [id]);
          if (before === undefined) return await removeDamaged(tenant, id);
          const counted = await counts.count(before);
          await records.remove(id);
          if (before.revision !== null) revisions.hide(before.revision);
          counts.replaced(counted, null);
          await Promise.all([
            removeRows(async () => {
              await Promise.all([
                before.revision === null ? undefined : replacement.removeRevision(before.revision),
                // Done once more after a failure, the id may be that of a document which was imported since.
                records.has(id) ? undefined : pendingTexts.remove(before),
              ]);
            }),
            before.blobHash === null ? undefined : blobs.removeIfUnused(before.blobHash),
          ]);
          return true;
        }),
      ),
    withExternalId: (tenant, externalId, work) =>
      serializeExternalId(JSON.stringify([tenant.organizationId, externalId]), work),
  };
};
