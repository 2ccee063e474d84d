import type { AuditAction, AuditEntry } from "../../domain/audit.ts";
import type { Page, Paging } from "./paging.ts";

interface AuditFilter {
  action?: AuditAction;
  /** Epoch ms: only entries from then on. */
  since?: number;
}

export interface AuditStore {
  /**
   * Adds an entry. It survives a crash of the process from here on; it is on the disk with the next durable write to any
   * table.
   */
  add(entry: AuditEntry): Promise<void>;
  replace(entry: AuditEntry): Promise<void>;
  /** Of a change that did not happen. */
  remove(id: string): Promise<void>;
  list(organizationId: string, filter: AuditFilter, paging: Paging): Promise<Page<AuditEntry>>;
  /** Removes the entries of all organizations that are older. */
  removeOlder(ageMs: number): Promise<void>;
}
