import type { Held } from "../async/in-flight.ts";
import { derivedId } from "../domain/ids.ts";
import type { Chat, DocumentRecord, Principal, Tenant } from "../domain/records.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Reservation } from "../limits/quotas.ts";
import { IdTakenError } from "../store/contract/documents.ts";
import type { Store } from "../store/contract.ts";

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

/** The id that a record of an export has, or will have, in the organization. */
export interface Place<T> {
  id: string;
  /** The record that is there; null where there is none yet. */
  present: T | null;
}

/**
 * Where the records of an export are in the organization, or will be. An id that is free now may be taken by another
 * organization before the record is stored: the store says so (`IdTakenError`, or `add` is false), and the record is
 * placed anew.
 */
interface Identities {
  /** Looks up many documents in one query, and forgets those looked up before. */
  foreseeDocuments(ids: readonly string[]): Promise<void>;
  document(id: string): Promise<Place<DocumentRecord>>;
  chat(id: string): Promise<Place<Chat>>;
  /** The store refused a chat under this id: another organization has it, or is just adding it. */
  noteTakenChat(id: string): void;
  /**
   * The partition with this id; else the one with this name; else a new one.
   * @param createdAt of a new one, epoch ms
   * @returns null where there is none and no name to make it with
   */
  partition(id: string, name: string | null, createdAt: number): Promise<{ id: string; isNew: boolean } | null>;
}

type Records = Pick<Store, "documents" | "chats" | "partitions">;

/** Ids that are tried for one record: more are only needed where somebody took them on purpose. */
const maxCandidates = 16;

/** What the store has under an id: the record, if it is the organization's; and whether anybody has it. */
interface Taken<T> {
  own: T | null;
  isTaken: boolean;
}

export const createIdentities = ({ documents, chats, partitions }: Records, tenant: Tenant): Identities => {
  const derived = (id: string): string => derivedId(tenant.organizationId, id);

  /** The first id under which the organization has the record; else the first that nobody has. */
  const place = async <T>(id: string, look: (id: string) => Promise<Taken<T>>): Promise<Place<T>> => {
    let free: string | null = null;
    let candidate = id;
    for (let tried = 0; tried < maxCandidates; tried += 1) {
      const { own, isTaken } = await look(candidate);
      if (own !== null) return { id: candidate, present: own };
      if (!isTaken) free ??= candidate;
      // Where the record once found its id taken, it is under the next one.
      if (!isTaken && tried > 0) break;
      candidate = derived(candidate);
    }
    if (free === null) throw new IdTakenError("record", id);
    return { id: free, present: null };
  };

  const foundPartitions = new Map<string, string>();
  const takenPartitions = new Set<string>();
  const lookForPartition = async (id: string) => ({
    own: await partitions.get(tenant, id),
    isTaken: partitions.isTaken(id) || takenPartitions.has(id),
  });
  const placePartition = async (id: string, name: string | null, createdAt: number) => {
    const trimmed = name?.trim() ?? "";
    for (;;) {
      const found = await place(id, lookForPartition);
      if (found.present !== null) return { id: found.id, isNew: false };
      if (trimmed === "") return null;
      const added = { id: found.id, name: trimmed, createdAt, organizationId: tenant.organizationId };
      if (await partitions.add(added)) return { id: found.id, isNew: true };
      const named = await partitions.getByName(tenant, trimmed);
      if (named !== null) return { id: named.id, isNew: false };
      takenPartitions.add(found.id);
    }
  };

  const takenChats = new Set<string>();
  const lookForChat = async (id: string) => {
    const found = await chats.find(id);
    const own = found?.organizationId === tenant.organizationId ? found : null;
    return { own, isTaken: found !== null || takenChats.has(id) };
  };

  let foreseen = new Map<string, DocumentRecord | null>();
  const lookForDocument = async (id: string) => {
    if (!documents.isTaken(id)) return { own: null, isTaken: false };
    const known = foreseen.get(id);
    return { own: known === undefined ? await documents.get(tenant, id) : known, isTaken: true };
  };

  return {
    async foreseeDocuments(ids) {
      const wanted = ids.flatMap((id) => [id, derived(id)]).filter(documents.isTaken);
      const found = wanted.length === 0 ? [] : await documents.getMany(tenant, wanted);
      foreseen = new Map(wanted.map((id) => [id, null]));
      for (const document of found) foreseen.set(document.id, document);
    },
    document: (id) => place(id, lookForDocument),
    chat: (id) => place(id, lookForChat),
    noteTakenChat: (id) => void takenChats.add(id),
    async partition(id, name, createdAt) {
      const known = foundPartitions.get(id);
      if (known !== undefined) return { id: known, isNew: false };
      const placed = await placePartition(id, name, createdAt);
      if (placed !== null) foundPartitions.set(id, placed.id);
      return placed;
    },
  };
};
