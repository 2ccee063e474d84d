import { storedText } from "../text/clean-text.ts";
import type { Kind } from "./format.ts";

/** Fields that people read: control characters in them show nothing, and may do something to a terminal. */
const shownFields: Record<Kind, readonly string[]> = {
  partition: ["name"],
  document: ["name", "partition", "addedByUserId"],
  chat: ["name", "title", "partition", "userId"],
  message: ["message", "thread", "userId"],
};

/** Fields that become links. */
const addressFields: Record<Kind, readonly string[]> = {
  partition: [],
  document: ["originalUrl"],
  chat: ["logoUrl"],
  message: [],
};

const isWebAddress = (text: string): boolean => /^https?:\/\/[^/\s]\S*$/i.test(text);

/**
 * Puts a record right before it is checked: control characters are dropped from names and messages, and an address that is
 * not http or https is left out, since a page would make a link of it. The server itself makes the address of an uploaded
 * file. Anything that is no record is left for the check.
 * @returns whether an address was left out
 */
export const cleanRecord = (kind: Kind, record: unknown): { lostAddress: boolean } => {
  if (typeof record !== "object" || record === null) return { lostAddress: false };
  const fields = record as Record<string, unknown>;
  for (const name of shownFields[kind]) {
    const value = fields[name];
    if (typeof value === "string") fields[name] = storedText(value);
  }
  let lostAddress = false;
  for (const name of addressFields[kind]) {
    const value = fields[name];
    if (typeof value !== "string" || isWebAddress(value)) continue;
    fields[name] = null;
    lostAddress ||= value !== "" && fields.sourceKind !== "file";
  }
  return { lostAddress };
};
