import { createYielder } from "../async/yield.ts";
import { ApiError } from "../domain/errors.ts";
import { isWebAddress } from "../domain/web-address.ts";
import { cleanText, storedText } from "../text/clean-text.ts";
import { exceeds, isJsonObject } from "../text/json-object.ts";
import {
  checkRecord,
  type DocumentEntry,
  isKind,
  isMember,
  type Part,
  type RecordEntry,
  RecordFault,
} from "./entry.ts";
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

/**
 * Puts a record right before it is checked: control characters are dropped from names and messages, and an address that is
 * not http or https is left out, since a page would make a link of it. The server itself makes the address of an uploaded
 * file. Anything that is no record is left for the check.
 * @returns whether an address was left out
 */
const cleanRecord = (kind: Kind, record: unknown): { lostAddress: boolean } => {
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

/** An entry that an import takes, with what it holds in memory until it is dropped. */
export type TakenEntry = (
  | RecordEntry<"partition">
  | DocumentEntry
  | RecordEntry<"chat">
  | RecordEntry<"message">
  | Part
) & {
  bytes: number;
  /** Whether the record came with an address that is left out: see `cleanRecord`. */
  lostAddress?: boolean;
};

/** A line of the body; see `batchLines`. */
export interface ReceivedLine {
  line: number;
  text: string | null;
  refusal: Error | null;
  bytes: number;
}

/** Names the record and says what is wrong with it. */
export const refuse = (at: string, fault: string): ApiError => new ApiError("invalid_request", `${at}: ${fault}.`);

/** Escapes of NUL and of surrogates, which may be lone: a decoded line holds neither as such. */
const mayBeUnclean = /\\u(0000|d[89a-f])/i;

/** Values of one record: more are no record of Carrel's, and take seconds to read, in which everybody waits. */
const maxValues = 250_000;

const parseLine = (text: string): unknown =>
  mayBeUnclean.test(text)
    ? JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? cleanText(value) : value))
    : JSON.parse(text);

const readLine = ({ line, text, refusal, bytes }: ReceivedLine): TakenEntry | null => {
  if (text === null) throw refusal ?? new Error("a line without text or reason");
  if (exceeds(text, { values: maxValues }) !== null)
    throw refuse(`line ${line}`, `it holds more than ${maxValues} values`);
  let value: unknown;
  try {
    value = parseLine(text);
  } catch {
    throw refuse(`line ${line}`, "it is no JSON");
  }
  if (!isJsonObject(value)) throw refuse(`line ${line}`, "it is no JSON object");
  const { kind, record, at, follows, of, data, last } = value;
  if (kind === "organization" || kind === "end") return null; // an export that is sent as it came
  if (kind === "part") {
    if (!isMember(of) || typeof data !== "string" || typeof last !== "boolean")
      throw refuse(`line ${line}`, "a part has `of`, `data` and `last`");
    return { kind, of, data, last, bytes };
  }
  const place = typeof at === "string" ? at.slice(0, 200) : `line ${line}`;
  if (!isKind(kind)) throw refuse(place, "its `kind` is unknown");
  try {
    const { lostAddress } = cleanRecord(kind, record);
    const taken = { kind, record: checkRecord(kind, record), at: place, bytes, lostAddress } as TakenEntry;
    if (taken.kind !== "document") return taken;
    const members = Array.isArray(follows) ? follows : [];
    if (!members.every(isMember) || new Set(members).size < members.length)
      throw new RecordFault("its `follows` is unknown");
    return { ...taken, follows: members };
  } catch (error) {
    if (error instanceof RecordFault) throw refuse(place, error.message);
    throw error;
  }
};

/** Lines that are read together, so that what they name can be looked up together. */
const maxTogether = { lines: 128, bytes: 256 * 1024 };

async function* linesTogether(groups: AsyncIterable<readonly ReceivedLine[]>): AsyncGenerator<readonly ReceivedLine[]> {
  let together: ReceivedLine[] = [];
  let bytes = 0;
  for await (const lines of groups) {
    for (const line of lines) {
      together.push(line);
      bytes += line.bytes;
      if (together.length < maxTogether.lines && bytes < maxTogether.bytes) continue;
      yield together;
      together = [];
      bytes = 0;
    }
  }
  if (together.length > 0) yield together;
}

/**
 * The entries of a body, one after the other.
 * @param foresee called with entries that come next
 * @throws ApiError for the first line that is none, after the entries before it
 */
export async function* readEntries(
  groups: AsyncIterable<readonly ReceivedLine[]>,
  foresee: (entries: readonly TakenEntry[]) => Promise<void>,
): AsyncGenerator<TakenEntry, void> {
  const yieldTurn = createYielder();
  for await (const lines of linesTogether(groups)) {
    await yieldTurn(); // what is here already is looked up in memory
    const entries: TakenEntry[] = [];
    let fault: unknown = null;
    try {
      for (const line of lines) {
        const entry = readLine(line);
        if (entry !== null) entries.push(entry);
      }
    } catch (error) {
      fault = error;
    }
    await foresee(entries);
    yield* entries;
    if (fault !== null) throw fault;
  }
}
