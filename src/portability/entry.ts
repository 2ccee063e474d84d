import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { ApiError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/records.ts";
import { checkObject } from "../text/json-object.ts";
import { slicesOf } from "../text/slices.ts";
import {
  chatSchema,
  documentSchema,
  type ExportedDocument,
  type ExportedRecord,
  type Kind,
  kinds,
  type Manifest,
  manifestSchema,
  messageSchema,
  partitionSchema,
} from "./format.ts";

/**
 * What `/api/export` answers with and `/api/import` takes, one a line: the records of an export in the order of its
 * files. Long texts and original files follow their document in parts, so that no line, and no copy in memory, is long.
 */
export type Entry =
  | { kind: "organization"; organization: string; carrel: string; createdAt: string }
  | RecordEntry<"partition">
  | DocumentEntry
  | RecordEntry<"chat">
  | RecordEntry<"message">
  | Part
  | { kind: "end"; records: Record<Kind, number> };

export interface RecordEntry<K extends Kind> {
  kind: K;
  record: ExportedRecord[K];
  /** Where the record comes from, such as `chats.ndjson:12`: errors name it. */
  at?: string;
}

/** What may follow a document. */
export type Member = "text" | "pendingText" | "file";

export interface DocumentEntry extends RecordEntry<"document"> {
  /** What follows in parts, in this order; these texts are null in the record. */
  follows: Member[];
}

/** A piece of a text, or of a file in Base64. */
export interface Part {
  kind: "part";
  of: Member;
  data: string;
  last: boolean;
}

/** Characters of a text in one part, and of the longest text that is in its record. */
export const maxPartCharacters = 64 * 1024;
/** Bytes of a file in one part: a multiple of three, so that Base64 has no padding in between. */
export const maxPartBytes = 192 * 1024;
/**
 * Longest line of a record without its texts: room for a message with fifty sources, each with 64 KiB of metadata and
 * as much else.
 */
export const maxLineBytes = 16 * 1024 * 1024;

export const isKind = (value: unknown): value is Kind => kinds.some((kind) => kind === value);

export const isMember = (value: unknown): value is Member =>
  value === "text" || value === "pendingText" || value === "file";

function* textParts(of: Member, text: string): Generator<Part> {
  let sent = 0;
  for (const data of slicesOf(text, maxPartCharacters)) {
    sent += data.length;
    yield { kind: "part", of, data, last: sent === text.length };
  }
}

/**
 * A document, then its long texts.
 * @param hasFile whether the caller sends its file after that @param at see `RecordEntry`
 */
export function* documentEntries(document: ExportedDocument, hasFile: boolean, at?: string): Generator<Entry> {
  const record = { ...document };
  const long: { of: Member; text: string }[] = [];
  for (const member of ["text", "pendingText"] as const) {
    const text = document[member];
    if (text === null || text.length <= maxPartCharacters) continue;
    record[member] = null;
    long.push({ of: member, text });
  }
  const follows = [...long.map(({ of }) => of), ...(hasFile ? (["file"] as const) : [])];
  const entry: DocumentEntry = { kind: "document", record, ...(at === undefined ? {} : { at }), follows };
  yield entry;
  for (const { of, text } of long) yield* textParts(of, text);
}

/** The parts of what follows a document. @param cutOff makes the error for where something else comes */
export async function* partsOf<Arriving extends Entry>(
  entries: AsyncIterator<Arriving, void>,
  of: Member,
  cutOff: () => Error,
): AsyncGenerator<Extract<Arriving, Part>> {
  for (;;) {
    const { value } = await entries.next();
    if (value?.kind !== "part" || value.of !== of) throw cutOff();
    yield value as Extract<Arriving, Part>;
    if (value.last) return;
  }
}

/** What is wrong with a record, in words; the value itself is not repeated. */
export class RecordFault extends Error {
  override readonly name = "RecordFault";
}

/** Faults that one message names. */
const maxFaults = 5;

const checks: Record<Kind, TypeCheck<TSchema>> = {
  partition: TypeCompiler.Compile<TSchema>(partitionSchema),
  document: TypeCompiler.Compile<TSchema>(documentSchema),
  chat: TypeCompiler.Compile<TSchema>(chatSchema),
  message: TypeCompiler.Compile<TSchema>(messageSchema),
};
const manifestCheck = TypeCompiler.Compile<TSchema>(manifestSchema);

const nameOf = (pointer: string): string => pointer.split("/").slice(1).join(".").slice(0, 200);

const faultsOf = (check: TypeCheck<TSchema>, value: unknown): string => {
  const faults = new Map<string, string>();
  for (const { path, message } of check.Errors(value)) {
    const name = nameOf(path);
    if (!faults.has(name)) faults.set(name, `${name === "" ? "it" : name}: ${message}`);
    if (faults.size === maxFaults) break;
  }
  return [...faults.values()].join("; ");
};

/** @throws RecordFault that names the fields */
export const checkRecord = <K extends Kind>(kind: K, value: unknown): ExportedRecord[K] => {
  if (!checks[kind].Check(value)) throw new RecordFault(faultsOf(checks[kind], value));
  const times = value as { createdAt: string; updatedAt?: string };
  for (const name of ["createdAt", "updatedAt"] as const)
    if (times[name] !== undefined && Number.isNaN(Date.parse(times[name])))
      throw new RecordFault(`${name}: there is no such time`);
  checkObjects(value as Partial<ExportedRecord[Kind]>);
  return value as ExportedRecord[K];
};

/** A source holds the metadata of its document and more; the line has a limit of its own. */
const sourceLimits = { maxBytes: maxLineBytes, maxDepth: 100 };

/** The free-form objects of a record, within the limits of the API. */
const checkObjects = (record: Partial<ExportedRecord[Kind]>): void => {
  try {
    if ("metadata" in record) checkObject("metadata", (record.metadata ?? {}) as JsonObject);
    if ("brandSettings" in record) checkObject("brandSettings", (record.brandSettings ?? {}) as JsonObject);
    if ("sourceDocuments" in record)
      for (const { metadata } of record.sourceDocuments ?? [])
        checkObject("sourceDocuments", metadata as JsonObject, sourceLimits);
  } catch (error) {
    throw error instanceof ApiError ? new RecordFault(error.message.replace(/\.$/, "")) : error;
  }
};

/** @throws RecordFault that names the fields */
export const checkManifest = (value: unknown): Manifest => {
  if (!manifestCheck.Check(value)) throw new RecordFault(faultsOf(manifestCheck, value));
  return value as Manifest;
};
