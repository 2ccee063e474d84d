import type { Tenant } from "../domain/records.ts";
import type { DocumentStore } from "../store/contract.ts";

/** An amount that is stored, or is about to be. */
export interface Usage {
  documents: number;
  /** Of texts and original files. */
  bytes: number;
}

/** What an organization or a partition uses, without asking the store each time. */
export interface UsageOfScope {
  /** As last measured, with what was stored since and what is under way. */
  used(): Usage;
  /** Asks the store. `when old`: if it was long ago; `when changed`: also if it is not exact any more. */
  measure(withBytes: boolean, when: "when old" | "when changed"): Promise<void>;
  /** Counts an amount as under way. @returns ends that */
  take(amount: Usage): (isStored: boolean) => void;
}

/**
 * Folders and the operator store documents too: the measurement is repeated after this time, or after a hundred times
 * as long as it took.
 */
const maxAgeMs = 60_000;
const ageFactor = 100;
/** Organizations and partitions that are remembered; measuring again costs little. */
const maxScopes = 10_000;

interface Scope extends UsageOfScope {
  readonly organizationId: string;
  noteChange(): void;
}

export const createUsage = (documents: Pick<DocumentStore, "usage">, now: () => number) => {
  const scopes = new Map<string, Scope>();
  return {
    of(tenant: Tenant): UsageOfScope {
      const id = `${tenant.organizationId}/${tenant.partitionId ?? ""}`;
      const known = scopes.get(id);
      if (known !== undefined) return known;
      if (scopes.size >= maxScopes) scopes.clear();
      const made = createScope(documents, tenant, now);
      scopes.set(id, made);
      return made;
    },
    noteChange(organizationId: string): void {
      for (const scope of scopes.values()) if (scope.organizationId === organizationId) scope.noteChange();
    },
  };
};

const createScope = (documents: Pick<DocumentStore, "usage">, tenant: Tenant, now: () => number): Scope => {
  let measured: Usage = { documents: 0, bytes: 0 };
  let hasBytes = false;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  /** The figures may be too high, or not exact: something was stored, removed or replaced since. */
  let isStale = false;
  let measuring: Promise<void> | null = null;
  const underWay: Usage = { documents: 0, bytes: 0 };

  const ask = async (withBytes: boolean): Promise<void> => {
    const startedAt = now();
    isStale = false;
    measured = await documents.usage(tenant, withBytes);
    hasBytes = withBytes;
    measuredAt = now();
    tookMs = measuredAt - startedAt;
  };

  return {
    organizationId: tenant.organizationId,
    used: () => ({
      documents: measured.documents + underWay.documents,
      bytes: measured.bytes + underWay.bytes,
    }),
    async measure(withBytes, when) {
      await measuring;
      const isOld = now() - measuredAt > Math.max(maxAgeMs, ageFactor * tookMs) || (withBytes && !hasBytes);
      if (!isOld && !(when === "when changed" && isStale)) return;
      measuring ??= ask(withBytes).finally(() => {
        measuring = null;
      });
      await measuring;
    },
    take(amount) {
      underWay.documents += amount.documents;
      underWay.bytes += amount.bytes;
      return (isStored) => {
        underWay.documents -= amount.documents;
        underWay.bytes -= amount.bytes;
        if (!isStored) return;
        measured = { documents: measured.documents + amount.documents, bytes: measured.bytes + amount.bytes };
        isStale = true;
      };
    },
    noteChange() {
      isStale = true;
    },
  };
};
