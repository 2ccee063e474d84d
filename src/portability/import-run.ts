import type { Held } from "../async/in-flight.ts";
import type { Principal } from "../domain/records.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Reservation } from "../limits/quotas.ts";
import type { Identities } from "./identity.ts";

/** Records of one kind. */
interface ImportCount {
  /** Were missing and were stored. */
  added: number;
  /** Were here already. */
  present: number;
  /** Were here already, changed here or there since: what is here was kept. */
  kept: number;
  /** Were left out: `LeftOut` says why. */
  skipped: number;
}

export const countedKinds = ["partitions", "documents", "chats", "messages"] as const;
type CountedKind = (typeof countedKinds)[number];
type ImportCounts = Record<CountedKind, ImportCount>;

/** Records, or parts of them, that an import did not store for one reason. */
export interface LeftOut {
  kind: CountedKind;
  /** Of the reason; an error code of the API where it has one. */
  code: string;
  reason: string;
  count: number;
  /** The first of them; null where that is not known. */
  first: string | null;
}

export interface Imported extends ImportCounts {
  leftOut: LeftOut[];
}

/** Adds what was left out for one reason to what was left out before. */
export const addLeftOut = (all: LeftOut[], more: LeftOut): void => {
  const same = all.find(({ kind, code }) => kind === more.kind && code === more.code);
  if (same === undefined) all.push({ ...more });
  else same.count += more.count;
};

export const noCounts = (): ImportCounts => {
  const none = (): ImportCount => ({ added: 0, present: 0, kept: 0, skipped: 0 });
  return { partitions: none(), documents: none(), chats: none(), messages: none() };
};

/** What the steps of one import share. */
export interface ImportRun {
  work: IngestWork;
  /** Who imports, into the whole organization. */
  tenant: Principal;
  identities: Identities;
  maxDocumentBytes: number;
  held: Pick<Held, "drop">;
  signal: AbortSignal;
  /** Ids of the documents of this body that were begun. */
  begun: Set<string>;
  /** Files of this organization that the body has sent or named: of others it is not told whether they are there. */
  ownFiles: Set<string>;
  /** Files that came with documents that were left out. */
  leftFiles: Set<string>;
  /** Files that were put or held and that no document has taken yet, one entry for each hold. */
  files: string[];
  /** Room in the quotas that is reserved for documents that are not stored yet. */
  reserved: Set<Reservation>;
  count(kind: CountedKind, what: keyof ImportCount): void;
  /** A record is not stored. @param at the record */
  leaveOut(kind: CountedKind, code: string, reason: string, at: string | undefined): void;
  /** Tells of something of a record that was left out, while the record is taken. */
  note(kind: CountedKind, code: string, reason: string, at: string | undefined): void;
}
