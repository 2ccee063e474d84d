import { LRUCache } from "lru-cache";
import type { DocumentRecord } from "../../domain/records.ts";

/** Records that were read or written lately, in memory. */
interface RecentRecords {
  has(id: string): boolean;
  /** The kept record itself: whoever passes it on makes a copy (`copyOf`). */
  get(id: string): DocumentRecord | undefined;
  /** Keeps a copy, in place of the one before. */
  keep(document: DocumentRecord): void;
  forget(id: string): void;
}

/** Enough for the documents that wait to be processed: each is looked up twice. */
const maxRecent = 12_000;
/** Records whose long fields (metadata, address, warnings, error) exceed this together are not cached. */
const maxFieldsCharacters = 2_048;

const fieldsLength = ({ metadata, originalUrl, warnings, error }: DocumentRecord): number =>
  JSON.stringify([metadata, originalUrl, warnings, error]).length;

/** For a caller, who may change it without changing the kept one. */
export const copyOf = (document: DocumentRecord): DocumentRecord => ({
  ...document,
  metadata: document.metadata === null ? null : structuredClone(document.metadata),
  warnings: [...document.warnings],
  progress: { ...document.progress },
});

export const createRecentRecords = (): RecentRecords => {
  const records = new LRUCache<string, DocumentRecord>({ max: maxRecent });
  return {
    has: (id) => records.has(id),
    get: (id) => records.get(id),
    keep(document) {
      records.delete(document.id);
      if (fieldsLength(document) <= maxFieldsCharacters) records.set(document.id, copyOf(document));
    },
    forget: (id) => void records.delete(id),
  };
};
