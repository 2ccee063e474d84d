import { createBreather } from "../async/breathe.ts";
import { ApiError } from "../domain/errors.ts";
import { cleanText } from "../text/clean-text.ts";
import { checkRecord, RecordFault } from "./check-record.ts";
import { type DocumentEntry, isKind, isMember, type Part, type RecordEntry } from "./entry.ts";

/** An entry that an import takes, with what it holds in memory until it is dropped. */
export type TakenEntry = (
  | RecordEntry<"partition">
  | DocumentEntry
  | RecordEntry<"chat">
  | RecordEntry<"message">
  | Part
) & {
  bytes: number;
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Escapes of NUL and of surrogates, which may be lone: a decoded line holds neither as such. */
const mayBeUnclean = /\\u(0000|d[89a-f])/i;

const parseLine = (text: string): unknown =>
  mayBeUnclean.test(text)
    ? JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? cleanText(value) : value))
    : JSON.parse(text);

const readLine = ({ line, text, refusal, bytes }: ReceivedLine): TakenEntry | null => {
  if (text === null) throw refusal ?? new Error("a line without text or reason");
  let value: unknown;
  try {
    value = parseLine(text);
  } catch {
    throw refuse(`line ${line}`, "it is no JSON");
  }
  if (!isObject(value)) throw refuse(`line ${line}`, "it is no JSON object");
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
    if (kind !== "document") return { kind, record: checkRecord(kind, record), at: place, bytes } as TakenEntry;
    const members = Array.isArray(follows) ? follows : [];
    if (!members.every(isMember) || new Set(members).size < members.length)
      throw new RecordFault("its `follows` is unknown");
    return { kind, record: checkRecord(kind, record), at: place, follows: members, bytes };
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
  const breathe = createBreather();
  for await (const lines of linesTogether(groups)) {
    await breathe(); // what is here already is looked up in memory
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
