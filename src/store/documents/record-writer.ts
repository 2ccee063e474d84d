import type { DocumentRecord } from "../../domain/records.ts";
import { noVectorRows } from "../search/live-indexes.ts";
import { maxSnippetPairs } from "../search/metadata.ts";
import type { DocumentWrite } from "./document-group.ts";
import { createDocumentGroups } from "./document-group.ts";
import type { DocumentTables } from "./document-tables.ts";

/** The content of a document that is written with its record. */
export type Content = Pick<DocumentWrite, "text" | "rows" | "vectors" | "replaces">;

export const noContent: Content = { text: null, rows: new Map(), vectors: noVectorRows, replaces: false };

/** Writes the records of documents with their content, and keeps the files that they name. */
export interface RecordWriter {
  /**
   * Writes the content of a document, then its record. Afterwards the document owns the file that it names, and the
   * file that it named before is removed unless another document names it.
   * @param putsFile whether the caller put the file for this write, even if the record named the same one before
   */
  write(document: DocumentRecord, before: DocumentRecord | null, putsFile: boolean, content?: Content): Promise<void>;
  /**
   * Writes documents that are new; the caller put the file that one names for this write. Nobody waits for one of them:
   * their group may grow.
   */
  writeNew(writes: readonly DocumentWrite[]): Promise<void>;
  /** See `DocumentStore.announce`. */
  announce(): () => void;
}

export const createRecordWriter = (tables: DocumentTables): RecordWriter => {
  const { scopes, blobs } = tables;
  const groups = createDocumentGroups(tables);

  const writeGroup = async (writes: readonly DocumentWrite[], isPatient = false): Promise<void> => {
    if (writes.some(({ document: { metadata } }) => Object.keys(metadata ?? {}).length > maxSnippetPairs)) {
      scopes.noteManyPairs();
    }
    await groups.write(writes, isPatient);
  };

  return {
    async write(document, before, putsFile, content = noContent) {
      await writeGroup([{ document, ...content }]);
      const isOtherFile = document.blobHash !== (before?.blobHash ?? null);
      if (document.blobHash !== null && (isOtherFile || putsFile)) blobs.adopt(document.blobHash);
      if (isOtherFile && before?.blobHash) await blobs.removeIfUnused(before.blobHash);
    },
    async writeNew(writes) {
      await writeGroup(writes, true);
      for (const { document } of writes) if (document.blobHash !== null) blobs.adopt(document.blobHash);
    },
    announce: groups.announce,
  };
};
