import { ApiError } from "../domain/errors.ts";
import type { KeyLimits, Principal, Tenant } from "../domain/records.ts";
import type { DocumentStore } from "../store/contract.ts";
import { type LimitSources, limitsOfKey } from "./rates.ts";

/** An amount that is stored, or is about to be. */
export interface Usage {
  documents: number;
  /** Of texts and original files. */
  bytes: number;
}

/** What an organization or a partition uses, without asking the store each time. */
interface UsageOfScope {
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

const createUsage = (documents: Pick<DocumentStore, "usage">, now: () => number) => {
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

/** Storage that is reserved for work under way. */
export interface Reservation {
  /** The work ended. @param isStored whether the amount is in the store now */
  settle(isStored: boolean): void;
}

/** Compares what is stored with the quotas. */
export interface Quotas {
  /**
   * Reserves room before something is stored. A fetched page and the text of a file count from when they are stored.
   * @param whom an import keeps to the quota of its organization also where the operator makes it
   * @throws ApiError quota_reached
   */
  reserve(principal: Principal, amount: Usage, whom?: "keys" | "and the operator"): Promise<Reservation>;
  /** Something was removed or replaced: what is stored is measured before anybody is refused. */
  noteChange(organizationId: string): void;
}

const unlimited: Reservation = { settle: () => undefined };

interface Bound {
  scope: UsageOfScope;
  limits: Pick<KeyLimits, "maxDocuments" | "maxBytes">;
  who: "key" | "organization";
}

/**
 * The quotas of keys and organizations. What counts against a key is all that it can see: its organization's documents,
 * or those of the partition it is limited to, whoever added them. The operator's socket, folders and sites are not
 * limited, but for imports; what they store counts.
 */
export const createQuotas = (
  sources: LimitSources & { documents: Pick<DocumentStore, "usage"> },
  now: () => number = () => performance.now(),
): Quotas => {
  const usage = createUsage(sources.documents, now);

  const boundsOf = (principal: Principal): Bound[] => {
    const tenant: Tenant = { organizationId: principal.organizationId, partitionId: principal.partitionId };
    const bounds: Bound[] = [
      { scope: usage.of(tenant), limits: limitsOfKey(sources, principal), who: "key" },
      {
        scope: usage.of({ ...tenant, partitionId: null }),
        limits: sources.settings.limits.organization,
        who: "organization",
      },
    ];
    return bounds.filter(({ limits }) => limits.maxDocuments !== null || limits.maxBytes !== null);
  };

  /** The first limit that the amount does not fit under. */
  const exceeded = ({ scope, limits, who }: Bound, amount: Usage): ApiError | null => {
    const used = scope.used();
    const { maxDocuments, maxBytes } = limits;
    if (maxDocuments !== null && amount.documents > 0 && used.documents + amount.documents > maxDocuments)
      return reached(who, "maxDocuments", `${maxDocuments.toLocaleString("en")} documents`, used.documents);
    if (maxBytes !== null && (used.bytes + amount.bytes > maxBytes || used.bytes >= maxBytes))
      return reached(who, "maxBytes", `${maxBytes.toLocaleString("en")} bytes`, used.bytes);
    return null;
  };

  return {
    async reserve(principal, amount, whom = "keys") {
      if (principal.keyId === null && whom === "keys") return unlimited;
      const bounds = boundsOf(principal);
      if (bounds.length === 0) return unlimited;
      for (const bound of bounds) {
        const withBytes = bound.limits.maxBytes !== null;
        await bound.scope.measure(withBytes, "when old");
        if (exceeded(bound, amount) !== null) await bound.scope.measure(withBytes, "when changed");
      }
      // From here on without a pause: two callers must not take the same room.
      for (const bound of bounds) {
        const refusal = exceeded(bound, amount);
        if (refusal !== null) throw refusal;
      }
      const taken = bounds.map(({ scope }) => scope.take(amount));
      return {
        settle(isStored) {
          for (const settle of taken) settle(isStored);
        },
      };
    },
    noteChange: (organizationId) => usage.noteChange(organizationId),
  };
};

const reached = (who: Bound["who"], setting: "maxDocuments" | "maxBytes", limit: string, used: number): ApiError => {
  const rule =
    who === "key"
      ? `This key may not add more once it can see ${limit} (${setting} of the key, or limits.key.${setting})`
      : `This organization may hold ${limit} (limits.organization.${setting})`;
  return new ApiError(
    "quota_reached",
    `${rule}; ${used.toLocaleString("en")} are stored. Delete what is no longer needed, or ask the operator for more.`,
  );
};

/** Wraps the document store: what is removed or replaced makes room at once. */
export const watchRemovals = (documents: DocumentStore, { noteChange }: Pick<Quotas, "noteChange">): DocumentStore => ({
  ...documents,
  async remove(tenant, id) {
    const isRemoved = await documents.remove(tenant, id);
    noteChange(tenant.organizationId);
    return isRemoved;
  },
  async publish(document, text, snippets) {
    const published = await documents.publish(document, text, snippets);
    noteChange(document.organizationId);
    return published;
  },
  async relabel(tenant, id, change, more) {
    const changed = await documents.relabel(tenant, id, change, more);
    noteChange(tenant.organizationId);
    return changed;
  },
});
