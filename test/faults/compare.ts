import type { Client } from "./client.ts";
import type { Entry, Lane } from "./ledger.ts";
import { type Report, shorten } from "./report.ts";

export interface AuditContext {
  client: Client;
  /** Address of the server, for other keys. */
  url: string;
  lanes: readonly Lane[];
  report: Report;
  /** Stands in front of each fault. */
  moment: string;
  /** Records that were found wrong: each is reported once. */
  reported: Set<string>;
}

/** Reports records that no lane knows of: they came from nowhere, or are duplicates. */
export const reportUnknown = (
  { report, moment, reported }: AuditContext,
  kind: string,
  unknown: readonly string[],
): void => {
  for (const one of unknown)
    if (!reported.has(one)) report.half.push(`${moment}: ${kind} ${one} is a duplicate, or unknown`);
  for (const one of unknown) reported.add(one);
};

/**
 * Compares the stored record with the states that it may be in, and settles which one it is.
 * @param found the stored record, null where there is none
 * @param equals whether it is in that state
 */
export const settle = <State>(
  { report, moment, reported }: AuditContext,
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
    if (entry.serial !== undefined) reported.add(entry.serial);
    if (found?.name !== undefined) reported.add(found.name);
    if (found?.id !== undefined) reported.add(found.id);
    return;
  }
  if (isInDoubt) report.underWay[at > 0 ? "done" : "undone"] += 1;
  entry.states = [entry.states[at] ?? null];
};
