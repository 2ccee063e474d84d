import type { JsonObject } from "./records.ts";

/** What the audit log tells of. */
export const auditActions = [
  "key.created",
  "key.revoked",
  "chat.changed",
  "chat.published",
  "chat.unpublished",
  "chat.deleted",
  "document.deleted",
  "partition.deleted",
  "settings.reloaded",
  "backup.created",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** By what a change came: a key, a browser signed in with a key, the operator's command line, or a start of the server. */
export const auditActors = ["key", "session", "operator", "start"] as const;

/** `failed`: the change ended with an error, and may be done in part. */
export const auditOutcomes = ["done", "failed"] as const;

/**
 * A change that somebody made. It holds ids and settings, no text, title or name of a document or chat, no message and no
 * secret: what is deleted must not stay here.
 */
export interface AuditEntry {
  id: string;
  organizationId: string;
  createdAt: number;
  action: AuditAction;
  actor: (typeof auditActors)[number];
  /** The key that it was made with; null for `operator` and `start`. */
  keyId: string | null;
  /** Its name then. */
  keyName: string | null;
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
