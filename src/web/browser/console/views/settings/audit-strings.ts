import type { AuditEntry } from "../../../shared/api.ts";

/** What was done, as it is told and as it is chosen. */
const actions: Record<AuditEntry["action"], string> = {
  "key.created": "Key created",
  "key.revoked": "Key revoked",
  "chat.changed": "Chat changed",
  "chat.published": "Chat made public",
  "chat.unpublished": "Chat made private",
  "chat.deleted": "Chat deleted",
  "document.deleted": "Document deleted",
  "partition.deleted": "Partition deleted",
  "session.created": "Signed in",
  "session.ended": "Signed out",
  "session.refused": "Key refused",
  "settings.reloaded": "Settings read again",
  "settings.changed": "Settings changed",
  "backup.created": "Backup made",
  "backup.restored": "Backup restored",
  "snapshot.restored": "Snapshot restored",
  "organization.exported": "Everything exported",
  "organization.imported": "Export imported",
};

/** Texts of the audit log. */
export const auditStrings = {
  title: "Who changed what",
  lead: "Keys, sign-ins, settings, deletions, backups. Entries are kept for 90 days.",
  actions,
  action: "Change",
  everyAction: "Every change",
  period: "Period",
  periods: { all: "The last 90 days", "30d": "The last 30 days", "7d": "The last 7 days", "24h": "The last 24 hours" },
  when: "When",
  what: "What",
  who: "Who",
  /** Settings of a change, by the names that the API gives them. */
  details: {
    userId: "user",
    partitionId: "partition",
    expiresAt: "expires",
    isNew: "new chat",
    fields: "settings",
    how: "its documents",
  },
  truth: { true: "yes", false: "no" },
  failed: "failed, and may be done in part",
  actors: {
    key: "by a program with its key",
    session: "signed in to the console",
    operator: "The command line on the server",
    start: "The server, at a start",
    folder: "A folder that is followed",
    site: "A site that is followed",
    nobody: "Somebody without a valid key",
  },
  from: (address: string) => `from ${address}`,
  user: (userId: string) => `user ${userId}`,
  request: (requestId: string) => `Request ${requestId}, as in the server's log`,
  list: "Entries of the audit log",
  nothing: "Nothing was changed.",
  nothingFits: "Nothing of this kind was changed in this time.",
};
