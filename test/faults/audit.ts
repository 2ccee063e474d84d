import { auditDocuments } from "./audit-documents.ts";
import { auditChats, auditKeys, auditPartitions } from "./audit-others.ts";
import type { AuditContext } from "./compare.ts";

/** Compares everything that is stored with what was acknowledged. Afterwards each record has one known state. */
export const audit = async (context: AuditContext, isThorough: boolean): Promise<void> => {
  // Partitions first: their state settles what their documents may name.
  await auditPartitions(context);
  await auditDocuments(context, isThorough);
  await auditChats(context);
  await auditKeys(context);
  for (const lane of context.lanes) {
    lane.documents = lane.documents.filter(({ states }) => states[0] !== null);
    lane.partitions = lane.partitions.filter(({ states }) => states[0] !== null);
    lane.chats = lane.chats.filter(({ states }) => states[0] !== null);
    lane.keys = lane.keys.filter(({ states }) => states[0] !== null);
    lane.goneWords = [];
  }
};
