import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { manifestPattern } from "../store/disk/table-folder.ts";
import { BucketFailure, type SharedBucket } from "./bucket.ts";

/**
 * What the shared store holds, and who writes it. Each change of the store is one new head, with the next number: an object is
 * created, or somebody else has created it, so whoever lost the writer's place cannot make one. (Replacing an object only
 * while it is unchanged, `If-Match`, is not atomic everywhere: Versity's gateway let 2 of 16 win.) All other objects are
 * written once too, under names that nobody else takes.
 */
const headSchema = Type.Object({
  format: Type.Literal(1),
  number: Type.Integer(),
  /** One more with each keeper. */
  epoch: Type.Integer(),
  /** One more with each change of what is stored. */
  version: Type.Integer(),
  /** Drawn for each write: tells whether a write whose answer was lost has been made. */
  nonce: Type.String(),
  /** Who writes; null after an orderly stop. */
  keeper: Type.Union([Type.Null(), Type.Object({ id: Type.String(), address: Type.String() })]),
  /** The keeper brings the store of its data directory: until its first tables are here, nobody else has them. */
  arriving: Type.Boolean(),
  /** By table, the manifest of its newest version: its name in the table, and the object. */
  tables: Type.Record(
    Type.String({ pattern: "^[A-Za-z0-9_-]{1,200}$" }), // both become names of files
    Type.Object({
      name: Type.String({ pattern: manifestPattern }),
      object: Type.String(),
      bytes: Type.Integer(),
    }),
    { additionalProperties: false },
  ),
  /** See `Reading`. */
  unpublished: Type.Array(Type.String()),
  /** One more whenever an uploaded file came or went. */
  files: Type.Integer(),
  /** Small files of the data directory, in base64. */
  notes: Type.Record(Type.String(), Type.String()),
});

export type Head = Static<typeof headSchema>;

const folder = "heads";
const maxNumber = 999_999_999_999_999;
/** The object of a head. Numbers count down in names: the newest is the first of a list. */
export const headObject = (number: number): string => `${folder}/${String(maxNumber - number).padStart(15, "0")}.json`;
const numberIn = (object: string): number => {
  const [, digits] = /\/(\d{15})\.json$/.exec(object) ?? [];
  return digits === undefined ? 0 : maxNumber - Number(digits);
};

export const newHead: Head = {
  format: 1,
  number: 0,
  epoch: 0,
  version: 0,
  nonce: "",
  keeper: null,
  arriving: false,
  tables: {},
  unpublished: [],
  files: 0,
  notes: {},
};

/** Whether there is anything to read: the keeper of a new store sends its tables after its first head. */
export const hasStore = ({ tables }: Pick<Head, "tables">): boolean => Object.keys(tables).length > 0;

const parseHead = (name: string, bytes: Uint8Array): Head => {
  let found: unknown;
  try {
    found = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    found = null;
  }
  if (Value.Check(headSchema, found)) return found;
  throw new BucketFailure(
    `The head in ${name} is not one that this version of Carrel reads: another program wrote it, or a newer Carrel.`,
  );
};

/** @returns null if the bucket holds no store yet */
export const readHead = async (bucket: SharedBucket, signal: AbortSignal): Promise<Head | null> => {
  for (;;) {
    const newest = await newestNumber(bucket, signal);
    if (newest === 0) return null;
    const bytes = await bucket.read(headObject(newest), signal);
    if (bytes !== null) return parseHead(bucket.name, bytes);
  }
};

/** The number of the newest head; 0: there is none. */
export const newestNumber = async (bucket: SharedBucket, signal: AbortSignal): Promise<number> => {
  for await (const { name } of bucket.list(folder, signal, 1)) return numberIn(name);
  return 0;
};

/** @returns the newest head; null where none came after the one with this number */
export const readNewerHead = async (bucket: SharedBucket, after: number, signal: AbortSignal): Promise<Head | null> =>
  (await bucket.read(headObject(after + 1), signal)) === null ? null : readHead(bucket, signal);

/**
 * Writes the head that follows another one.
 * @param before its number; 0: there is none yet
 * @returns null where another process was first
 */
export const writeHead = async (
  bucket: SharedBucket,
  next: Omit<Head, "nonce" | "number">,
  before: number,
  signal: AbortSignal,
): Promise<Head | null> => {
  const head: Head = { ...next, number: before + 1, nonce: crypto.randomUUID() };
  const object = headObject(head.number);
  if (await bucket.create(object, new TextEncoder().encode(JSON.stringify(head)), signal)) return head;
  // A write whose answer was lost is made again, and conflicts with itself.
  const found = await bucket.read(object, signal);
  return found !== null && parseHead(bucket.name, found).nonce === head.nonce ? head : null;
};

/** The objects of heads that came before one. */
export const olderHeads = async (bucket: SharedBucket, number: number, signal: AbortSignal): Promise<string[]> => {
  const older: string[] = [];
  for await (const { name } of bucket.list(folder, signal)) if (numberIn(name) < number) older.push(name);
  return older;
};
