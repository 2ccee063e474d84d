import type { AuditEntry } from "../../../shared/api.ts";
import { counted } from "../../components/words.ts";

/** Texts of the settings view. */
export const settingsStrings = {
  title: "Settings",
  tabs: { server: "Server", settings: "Settings", webhooks: "Webhooks", audit: "Audit log" },
  tabsLabel: "Parts of the settings",
  adminsOnly: "Only admins of the whole organization see the settings",
  askAdmin:
    "What concerns the whole server, such as models, storage and webhooks, is shown to keys of role admin that are not limited to a partition.",
  otherOrganizationTitle: "This is for admins of the organization “default”",
  otherOrganization:
    "They look after the whole server: its settings, models, storage and backups. Webhooks and the audit log of your own organization are under the other tabs, its keys under Keys.",

  health: "Health",
  healthReady: "Ready: it answers and stores",
  healthStates: {
    starting: "starting",
    draining: "stopping",
    unready: "It answers, but cannot write",
    degraded: "It answers, but some stored data is damaged",
  },
  problems: {
    disk_full: "The disk is full. Free some space; deleting documents still works.",
    not_writable: "The data directory cannot be written to. Look at its permissions and its disk.",
    too_many_files: "The server has as many files and connections open as the system allows (ulimit -n).",
    data_damaged:
      "Stored data is damaged and cannot be mended. carrel check names it, and the backup to restore it from.",
    store_failed: "The store failed. The server's log says why.",
    erasure_failed:
      "What was deleted could not be erased from the disk yet. The server's log says why; it tries again.",
  },
  modelFails: (part: string) => `${part}: the last call failed`,
  doctor: {
    what: "Checks all that Carrel needs: processor, memory, disk, data folder, certificate, clock, models, parser, backups. Each model is called once.",
    examine: "Check everything",
    examineAgain: "Check again",
    examining: "Looking …",
    sum: (failed: number, warnings: number) =>
      failed + warnings === 0
        ? "Nothing is wrong"
        : [
            ...(failed === 0 ? [] : [`${counted(failed, "thing does", "things do")} not work`]),
            ...(warnings === 0 ? [] : [counted(warnings, "warning", "warnings")]),
          ].join(", "),
    at: "Checked",
    fine: (number: number) => `${counted(number, "thing is", "things are")} fine`,
    status: { ok: "fine", warning: "warning", failed: "failed" },
    fix: "What to do:",
    command: "The same on the server itself, also while Carrel does not run:",
  },

  parts: "Models and parsers",
  part: {
    answer: "Writes the answers",
    embedding: "Makes the vectors",
    reranker: "Puts what was found in order",
    parser: "Reads files",
    parserServer: "Reads what the built-in parser cannot",
  },
  builtin: "built in",
  tryIt: "Try it",
  tryThat: (part: string) => `Try it: ${part}`,
  trying: "Trying …",
  trial: { ok: "works", warning: "works, with a warning", failed: "does not work" },

  vectors: "Vectors",
  vectorsInUse: (model: string, dimensions: number | null) =>
    dimensions === null ? model : `${model}: ${dimensions.toLocaleString()} numbers for each passage.`,
  vectorsWhole: "Every passage has them.",
  vectorsPending: (count: number) =>
    count === 1 ? "1 passage still gets better vectors" : `${count.toLocaleString()} passages still get better vectors`,
  vectorsChange: (model: string) => `Changing to ${model}`,
  vectorsDone: (done: number, total: number) => `${done.toLocaleString()} of ${total.toLocaleString()} documents`,
  vectorsMeanwhile: "Questions are answered as before until it is done.",

  jobs: "Documents being read",
  noJobs: "No document is waiting.",
  status: { pending: "waits", processing: "is being read" },
  pageNow: (page: number, pages: number) => `page ${page.toLocaleString()} of ${pages.toLocaleString()}`,
  andMore: (count: number) => `and ${count.toLocaleString()} more`,

  storage: "Storage",
  tables: "Tables and indexes",
  files: "Files",
  other: "Everything else",
  free: "Free on the disk",
  partial: "There is more than was counted.",

  backups: "Backups",
  noBackups: "There is none yet.",
  backUp: "Back up now",
  backingUp: "A backup was begun.",
  backup: { target: "Target", documents: "Documents", size: "Size", added: "New", status: "State", when: "When" },

  backupState: { pending: "waits", running: "is being made", completed: "completed", failed: "failed" },

  setting: "Setting",
  value: "Value",
  from: "From",
  filter: "Search settings",
  changedOnly: "Only what was set",
  defaultSource: "default",
  hidden: "set, hidden",
  notSet: "not set",
  none: "none",
  isDefault: (value: string) => `default: ${value}`,
  setBy: (variable: string) => `Also set by ${variable}`,
  nothingFound: "No setting is called so.",
  changeHint: "Settings are changed in carrel.yaml or by environment variables, and read when the server starts.",
  readFrom: "This file was read:",
  noFile: "No settings file was read.",
  version: (version: string) => `Carrel ${version}`,

  deliveries: "Deliveries",
  noWebhooksTitle: "No webhook is configured",
  noWebhooks:
    "With webhooks, Carrel tells your programs when a document was read, failed or was deleted. Name their addresses under webhooks in the configuration.",
  webhooks: "Configured",
  everyEvent: "every event",
  webhooksGuide: "How webhooks are set up",
  noDeliveries: "Nothing was sent in the last week.",
  allStates: "Every state",
  deliveryState: "State",
  delivery: { pending: "waits", delivered: "delivered", failed: "given up" },
  event: "Event",
  address: "Address",
  attempts: "Attempts",
  when: "When",
  nextAttempt: "Next attempt",
  sendAgain: "Send again",
  sendThatAgain: (event: string, address: string) => `Send again: ${event} to ${address}`,
  sentAgain: "It is being sent again.",
  openDocument: "Document",
};

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
