import type { Held } from "../async/in-flight.ts";
import type { IngestWork } from "../documents/ingest/ingest-work.ts";
import type { Tenant } from "../domain/records.ts";
import type { Identities } from "./identity.ts";

/** Records of one kind. */
export interface ImportCount {
  /** Were missing and were stored. */
  added: number;
  /** Were here already. */
  present: number;
  /** Were here already, changed here or there since: what is here was kept. */
  kept: number;
  /** Messages whose chat is neither here nor in the export. */
  skipped: number;
}

export const countedKinds = ["partitions", "documents", "chats", "messages"] as const;
export type CountedKind = (typeof countedKinds)[number];
export type ImportCounts = Record<CountedKind, ImportCount>;

export const noCounts = (): ImportCounts => {
  const none = (): ImportCount => ({ added: 0, present: 0, kept: 0, skipped: 0 });
  return { partitions: none(), documents: none(), chats: none(), messages: none() };
};

/** What the steps of one import share. */
export interface ImportRun {
  work: IngestWork;
  /** The whole organization. */
  tenant: Tenant;
  identities: Identities;
  maxDocumentBytes: number;
  held: Pick<Held, "drop">;
  signal: AbortSignal;
  /** Ids of the documents of this body that were begun. */
  begun: Set<string>;
  /** Files of this organization that the body has sent or named: of others it is not told whether they are there. */
  ownFiles: Set<string>;
  /** Files that were put or held and that no document has taken yet, one entry for each hold. */
  files: string[];
  count(kind: CountedKind, what: keyof ImportCount): void;
}
