import type { JsonObject } from "./records.ts";

/** The actions that the audit log records. */
export const auditActions = [
  "key.created",
  "key.revoked",
  "chat.changed",
  "chat.published",
  "chat.unpublished",
  "chat.deleted",
  "document.deleted",
  "partition.deleted",
  "session.created",
  "session.ended",
  "session.refused",
  "settings.reloaded",
  "settings.changed",
  "backup.created",
  "backup.restored",
  "snapshot.restored",
  "organization.exported",
  "organization.imported",
] as const;
export type AuditAction = (typeof auditActions)[number];

/**
 * What made a change: a key, a browser signed in with a key, the operator's command line, a start of the server, a
 * folder or site that is followed, or somebody without a valid key.
 */
export const auditActors = ["key", "session", "operator", "start", "folder", "site", "nobody"] as const;

/** `failed`: the change ended with an error, and may be done in part. */
export const auditOutcomes = ["done", "failed"] as const;

/**
 * A change that somebody made. It holds ids and settings, no text, title or name of a document or chat, no message and
 * no secret: what is deleted must not stay here.
 */
export interface AuditEntry {
  id: string;
  organizationId: string;
  createdAt: number;
  action: AuditAction;
  actor: (typeof auditActors)[number];
  /** The key that it was made with; null for all but `key` and `session`. */
  keyId: string | null;
  /** Its name at that time. */
  keyName: string | null;
  /** User of the key; empty where nobody is known. */
  userId: string;
  /** Id of what was changed; null where it has none. */
  targetId: string | null;
  details: JsonObject;
  outcome: (typeof auditOutcomes)[number];
  /** Of the client, after trusted proxies; `local` for the operator. */
  address: string;
  requestId: string | null;
}

/** The part of an entry that the change itself knows. */
export type AuditedChange = Pick<AuditEntry, "action" | "targetId"> & {
  details?: JsonObject;
  /** Whether a failure can leave some of it done: the entry then stays. */
  mayBePartial?: boolean;
};
