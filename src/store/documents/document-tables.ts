import type { Gate, KeyedMutex } from "../../async/keyed-mutex.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import type { BlobFolder } from "../blobs/blob-folder.ts";
import type { DamageRegister } from "../engine/damage.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { FrequencyCounter } from "../search/frequencies.ts";
import type { LiveIndexes, LiveVectorSets } from "../search/live-indexes.ts";
import type { ScopeFilter } from "../search/scope-filter.ts";
import type { RevisionRegister } from "../segments/revisions.ts";
import type { LackingVectors } from "../vectors/lacking-vectors.ts";
import type { DocumentRecords } from "./document-records.ts";
import type { StoredText } from "./document-rows.ts";
import type { PendingTexts } from "./pending-texts.ts";

/** Work that continues after its caller got an answer. A function is called once more by `again` where it failed. */
export interface Background {
  run(work: Promise<void> | (() => Promise<void>)): void;
  /** Does once more what failed. @throws the first failure; the others are done */
  again(): Promise<void>;
  /** Whether nothing failed that is not done since. */
  isDone(): boolean;
  /** Waits until none is running. */
  settle(): Promise<void>;
}

/** @param onLeft something failed that `again` can do */
export const createBackground = (log: Logger, onLeft: () => void): Background => {
  const running = new Set<Promise<void>>();
  const left = new Set<() => Promise<void>>();
  let hasFailed = false;
  return {
    run(work) {
      const settled = (typeof work === "function" ? work() : work).catch((error: unknown) => {
        const fields = { error: String(error) };
        if (typeof work !== "function") {
          hasFailed = true;
          return log.error(fields, "tidying up after a write failed; the next start does it");
        }
        left.add(work);
        onLeft();
        log.warn(fields, "what a write has replaced or removed could not be tidied up yet: it is tried again");
      });
      running.add(settled);
      void settled.finally(() => running.delete(settled));
    },
    async again() {
      const failures: unknown[] = [];
      for (const work of [...left]) {
        await work().then(
          () => left.delete(work),
          (error: unknown) => failures.push(error),
        );
      }
      if (failures.length > 0) throw failures[0];
    },
    isDone: () => left.size === 0 && !hasFailed,
    async settle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
};

/** What is needed to read and write documents. */
export interface DocumentTables {
  documents: StoreTable<DocumentRecord>;
  /** Single documents; every write of a document goes through it. */
  records: DocumentRecords;
  texts: StoreTable<StoredText>;
  pendingTexts: PendingTexts;
  live: LiveIndexes;
  vectorSets: LiveVectorSets;
  lacking: LackingVectors;
  revisions: RevisionRegister;
  scopes: ScopeFilter;
  blobs: BlobFolder;
  damage: DamageRegister;
  /** Serializes the writes of each document. */
  serialize: KeyedMutex;
  /** Writes of documents share it; a change of indexes holds it exclusively. */
  gate: Gate;
  /**
   * Starts work that continues after its caller got an answer; the store waits for it when it closes. A function is called
   * again later where it failed: so what is removed leaves the disk.
   */
  inBackground: Background["run"];
  frequencies: FrequencyCounter;
  /** Called when the searchable documents of an organization have changed; without it: those of all. */
  onSearchableChange(organizationId?: string): void;
}
