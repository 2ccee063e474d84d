import { auditDocuments } from "./audit-documents.ts";
import { auditChats, auditKeys, auditPartitions } from "./audit-others.ts";
import type { Client } from "./client.ts";
import type { Entry, Lane } from "./ledger.ts";
import { type Report, shorten } from "./report.ts";

export interface AuditContext {
  client: Client;
  /** Address of the server, for other keys. */
  url: string;
  lanes: readonly Lane[];
  report: Report;
  /** Said in front of each fault. */
  moment: string;
  /** Records that were found wrong: each is told of once. */
  told: Set<string>;
}

/** How many records of a kind there are that no lane knows of; such would have come from nowhere, or be there twice. */
export const reportUnknown = (
  { report, moment, told }: AuditContext,
  kind: string,
  unknown: readonly string[],
): void => {
  for (const one of unknown)
    if (!told.has(one)) report.half.push(`${moment}: ${kind} ${one} is there twice or from nowhere`);
  for (const one of unknown) told.add(one);
};

/**
 * Compares what the server holds of a record with what it may hold, and settles what was in doubt.
 * @param found what it holds, null where it holds none
 * @param equals whether that is one of the states
 */
export const settle = <State>(
  { report, moment, told }: AuditContext,
  what: string,
  entry: Entry<State> & { serial?: string },
  // biome-ignore lint/suspicious/noExplicitAny: the body of an answer
  found: any,
  equals: (state: State) => boolean,
): void => {
  report.compared += 1;
  const at = entry.states.findLastIndex((state) => (state === null ? found === null : found !== null && equals(state)));
  const isInDoubt = entry.states.length > 1;
  if (at === -1) {
    const fault = `${moment}: ${what} is ${shorten(found)}, and should be ${entry.states.map(shorten).join(" or ")}`;
    report[found !== null && isInDoubt ? "half" : "lost"].push(fault);
    entry.states = [null]; // nothing more is done to it
    entry.id = null;
    if (entry.serial !== undefined) told.add(entry.serial);
    if (found?.name !== undefined) told.add(found.name);
    if (found?.id !== undefined) told.add(found.id);
    return;
  }
  if (isInDoubt) report.underWay[at > 0 ? "done" : "undone"] += 1;
  entry.states = [entry.states[at] ?? null];
};

/** Compares all that the server holds with what was acknowledged. Afterwards nothing is in doubt any more. */
export const audit = async (context: AuditContext, isThorough: boolean): Promise<void> => {
  // Partitions first: what is in doubt of them settles what their documents may name.
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
