import { type DocumentRecord, isUnfinished, waitingFields } from "../../domain/records.ts";
import { pendingTextId, type StoredText } from "../documents/document-rows.ts";
import { textIsLost } from "../engine/damage.ts";
import { isOneOf } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";

/** What is left of the rows that the revision of a document names. */
export interface RowsLeft {
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
export const restoreDocument = async (
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
