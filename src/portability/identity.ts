import { createHash } from "node:crypto";
import { isRecordId } from "../domain/ids.ts";
import type { Chat, DocumentRecord, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/**
 * The id that a record gets in an organization where its own is taken by another one of the same store: always the
 * same, so that a second import finds what the first one made. It has the form and the time of a UUIDv7.
 */
export const derivedId = (organizationId: string, id: string): string => {
  const hash = createHash("sha256").update(`${organizationId}\n${id}`).digest("hex");
  const time = isRecordId(id) ? id.slice(0, 13) : `${hash.slice(0, 8)}-${hash.slice(8, 12)}`;
  return `${time}-7${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
};

/** The id that a record of an export has, or will have, in the organization. */
export interface Place<T> {
  id: string;
  /** The record that is there; null where there is none yet. */
  present: T | null;
}

export interface Identities {
  /** Looks up many documents in one query, and forgets those looked up before. */
  foreseeDocuments(ids: readonly string[]): Promise<void>;
  document(id: string): Promise<Place<DocumentRecord>>;
  chat(id: string): Promise<Place<Chat>>;
  /**
   * The partition with this id; else the one with this name; else a new one.
   * @param createdAt of a new one, epoch ms
   * @returns null where there is none and no name to make it with
   */
  partition(id: string, name: string | null, createdAt: number): Promise<{ id: string; isNew: boolean } | null>;
}

type Records = Pick<Store, "documents" | "chats" | "partitions">;

export const createIdentities = ({ documents, chats, partitions }: Records, tenant: Tenant): Identities => {
  const derived = (id: string): string => derivedId(tenant.organizationId, id);
  const foundPartitions = new Map<string, string>();

  const placePartition = async (id: string, name: string | null, createdAt: number) => {
    for (const candidate of [id, derived(id)])
      if ((await partitions.get(tenant, candidate)) !== null) return { id: candidate, isNew: false };
    const trimmed = name?.trim() ?? "";
    if (trimmed === "") return null;
    const added = { id: partitions.isTaken(id) ? derived(id) : id, name: trimmed, createdAt };
    if (await partitions.add({ ...added, organizationId: tenant.organizationId })) return { id: added.id, isNew: true };
    return { id: (await partitions.upsert(tenant, trimmed)).partition.id, isNew: false };
  };

  let foreseen = new Map<string, DocumentRecord | null>();
  const findDocument = async (id: string): Promise<DocumentRecord | null> => {
    if (!documents.isTaken(id)) return null;
    const known = foreseen.get(id);
    return known === undefined ? await documents.get(tenant, id) : known;
  };

  return {
    async foreseeDocuments(ids) {
      const wanted = ids.flatMap((id) => [id, derived(id)]).filter(documents.isTaken);
      const found = wanted.length === 0 ? [] : await documents.getMany(tenant, wanted);
      foreseen = new Map(wanted.map((id) => [id, null]));
      for (const document of found) foreseen.set(document.id, document);
    },
    async document(id) {
      for (const candidate of [id, derived(id)]) {
        const present = await findDocument(candidate);
        if (present !== null) return { id: candidate, present };
      }
      return { id: documents.isTaken(id) ? derived(id) : id, present: null };
    },
    async chat(id) {
      let isTaken = false;
      for (const candidate of [id, derived(id)]) {
        const present = await chats.find(candidate);
        if (present?.organizationId === tenant.organizationId) return { id: candidate, present };
        if (candidate === id) isTaken = present !== null;
      }
      return { id: isTaken ? derived(id) : id, present: null };
    },
    async partition(id, name, createdAt) {
      const known = foundPartitions.get(id);
      if (known !== undefined) return { id: known, isNew: false };
      const placed = await placePartition(id, name, createdAt);
      if (placed !== null) foundPartitions.set(id, placed.id);
      return placed;
    },
  };
};
