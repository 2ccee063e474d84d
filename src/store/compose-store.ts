import { createStoreCondition } from "./condition/store-condition.ts";
import type { Ages } from "./contract/keeping.ts";
import type { Store } from "./contract.ts";
import { createDocumentReads } from "./documents/document-reads.ts";
import type { Background, DocumentTables } from "./documents/document-tables.ts";
import { createDocumentWrites } from "./documents/document-writes.ts";
import { createIndexStore } from "./documents/indexes.ts";
import { createVectorStore } from "./documents/vectors.ts";
import type { DamageRegister } from "./engine/damage.ts";
import type { GenerationCache } from "./engine/generation-cache.ts";
import { freeze } from "./freeze/freeze.ts";
import type { OpenEngine } from "./open-engine.ts";
import type { OpenResources } from "./open-resources.ts";
import type { OpenSearch } from "./open-search.ts";
import { checkOpenStore } from "./recovery/check-store.ts";
import { searchedSet } from "./search/live-indexes.ts";
import { createSnippetView } from "./search/snippets.ts";

interface StoreParts extends Pick<Store, "announce" | "close"> {
  dataDir: string;
  engine: OpenEngine;
  damage: DamageRegister;
  tables: DocumentTables;
  search: Pick<OpenSearch, "indexes" | "openIndex" | "live" | "vectors">;
  stores: OpenResources["stores"];
  /** Counts of terms and filters, until something that is searched changes. */
  answers: GenerationCache;
  background: Pick<Background, "run">;
  secret: Uint8Array;
  ages: Ages;
}

/** Puts the store together from its open parts. */
export const composeStore = (parts: StoreParts): Store => {
  const { dataDir, engine, damage, tables, search, stores, answers, background } = parts;
  const { indexes, openIndex, live, vectors } = search;
  const { blobs, revisions } = tables;
  const store: Store = {
    ...stores,
    documents: { ...createDocumentReads(tables), ...createDocumentWrites(tables) },
    blobs: {
      put: blobs.put,
      hold: blobs.hold,
      read: blobs.read,
      size: blobs.size,
      open: blobs.open,
      release: blobs.release,
    },
    indexes: createIndexStore({
      ...tables,
      indexes,
      openIndex,
      dropIndex: ({ segments }) => background.run(segments.drop()),
    }),
    vectors: createVectorStore({ ...tables, ...vectors }),
    condition: createStoreCondition({
      dataDir,
      tables: engine.tables.list,
      space: engine.space,
      folder: engine.folder,
      erasures: engine.erasures,
    }),
    damage: {
      ...damage,
      check: (onProgress, signal) => checkOpenStore({ dataDir, engine, blobs, damage, onProgress }, signal),
    },
    openSnippets: () =>
      createSnippetView({
        ...tables,
        lance: engine.lance,
        index: live.active,
        vectorSet: searchedSet(vectors.sets),
        snapshot: revisions.open(),
        counts: answers,
      }),
    freeze: () => freeze({ dataDir, engine, blobs }),
    secret: parts.secret,
    ages: parts.ages,
    announce: parts.announce,
    close: parts.close,
  };
  return store;
};
