import { createHash } from "node:crypto";
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure, codeOf } from "../../domain/errors.ts";
import { arrivingBody } from "../../http/body/arriving-body.ts";
import { batchLines } from "../../ingest/batch-lines.ts";
import { type DocumentEntry, type Entry, maxLineBytes, partsOf } from "../../portability/entry.ts";
import { fileOfKind, formatName, formatVersion, type Kind, kinds, type Manifest } from "../../portability/format.ts";
import { isHash } from "../../store/blobs/file-hash.ts";
import { createDiskSync } from "../../store/disk/disk-sync.ts";
import { diskFault } from "../../system/faults.ts";
import { loadLibc } from "../../system/libc.ts";

type Listed = Manifest["files"]["documents.ndjson"];

/** A file of one JSON object a line, being written. */
interface LineWriter {
  add(record: object): Promise<void>;
  /** Writes the rest and closes the file. @returns what the manifest says of it */
  finish(): Promise<Listed>;
  /** Closes the file, whatever is in it. */
  abandon(): Promise<void>;
}

/** Written to the file together. */
const maxHeldCharacters = 256 * 1024;

const createLineWriter = async (path: string): Promise<LineWriter> => {
  const file: FileHandle = await open(path, "w", 0o600);
  const hash = createHash("sha256");
  let records = 0;
  let bytes = 0;
  let held: string[] = [];
  let heldCharacters = 0;

  const flush = async (): Promise<void> => {
    const data = Buffer.from(held.join(""));
    held = [];
    heldCharacters = 0;
    hash.update(data);
    bytes += data.byteLength;
    await file.writeFile(data);
  };

  return {
    async add(record) {
      const line = `${JSON.stringify(record)}\n`;
      records += 1;
      held.push(line);
      heldCharacters += line.length;
      if (heldCharacters >= maxHeldCharacters) await flush();
    },
    async finish() {
      await flush();
      await file.sync();
      await file.close();
      return { records, bytes, sha256: hash.digest("hex") };
    },
    abandon: () => file.close(),
  };
};

/** One line of a file. */
interface FileLine {
  /** From 1. */
  line: number;
  /** Null where the line is longer than `maxFileLineBytes`, or not UTF-8. */
  text: string | null;
}

/** A document with its text, as one line; more does not fit into a string either. */
const maxFileLineBytes = 512 * 1024 * 1024;

const uncounted = { add: () => undefined, drop: () => undefined };

/** The lines of a stream of bytes; blank ones are left out. */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  maxLineBytes: number = maxFileLineBytes,
): AsyncGenerator<FileLine> {
  for await (const lines of batchLines(source, { maxLineBytes, held: uncounted }))
    for (const { line, text } of lines) yield { line, text };
}

/** The lines of a file. @param onBytes called with each piece that is read */
export const linesOfFile = (path: string, onBytes: (bytes: Uint8Array) => void): AsyncGenerator<FileLine> => {
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onBytes(chunk);
      controller.enqueue(chunk);
    },
  });
  return linesOf(Bun.file(path).stream().pipeThrough(watched));
};

/** Marks a folder while it is written: a folder with neither this file nor a manifest is no export. */
const unfinishedMark = "export.unfinished";

/** @throws CommandFailure where the folder holds something else than an export that was interrupted */
export const assertExportFolder = async (target: string): Promise<void> => {
  const found = await readdir(target).catch((error: unknown): string[] => {
    if (codeOf(error) === "ENOENT") return [];
    throw new CommandFailure(`The export cannot be written to ${target}: ${diskFault(error) ?? String(error)}.`);
  });
  if (found.length > 0 && !found.includes(unfinishedMark))
    throw new CommandFailure(`${target} is not empty: name a folder that is empty or does not exist.`);
};

/** Makes the folder, which `assertExportFolder` has looked at. */
export const makeExportFolder = async (target: string): Promise<void> => {
  await mkdir(target, { recursive: true, mode: 0o700 });
  await Bun.write(join(target, unfinishedMark), "This export was not finished: run it again.\n");
  await mkdir(join(target, "files"), { recursive: true, mode: 0o700 });
};

const cutOff = (): CommandFailure =>
  new CommandFailure("The export was cut off: look at the server's log, and run it again with the same folder.");

/** A server may read files for minutes; one that hangs never goes on. */
const serverPace = { firstBytesMs: 600_000, bytesPerSecond: 1, maxPauseMs: 600_000 };

async function* entriesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Entry, void> {
  for await (const { text } of linesOf(arrivingBody(body, serverPace), 2 * maxLineBytes)) {
    let entry: unknown;
    try {
      entry = JSON.parse(text ?? "");
    } catch {
      throw cutOff();
    }
    yield entry as Entry;
  }
}

const readText = async (entries: AsyncIterator<Entry, void>, of: "text" | "pendingText"): Promise<string> => {
  const pieces: string[] = [];
  for await (const { data } of partsOf(entries, of, cutOff)) pieces.push(data);
  return pieces.join("");
};

/** Writes a file under its SHA-256. @throws CommandFailure where it has another one: the server's copy is damaged */
const writeFile = async (entries: AsyncIterator<Entry, void>, target: string, sha256: string): Promise<void> => {
  const path = join(target, "files", sha256);
  const draft = `${path}.unfinished`;
  const hash = createHash("sha256");
  const file = await open(draft, "w", 0o600);
  try {
    for await (const { data } of partsOf(entries, "file", cutOff)) {
      const bytes = Buffer.from(data, "base64");
      hash.update(bytes);
      await file.writeFile(bytes);
    }
  } finally {
    await file.close();
  }
  const found = hash.digest("hex");
  if (found !== sha256) {
    await rm(draft, { force: true });
    throw new CommandFailure(`The file ${sha256} of the store is damaged: its bytes have the SHA-256 ${found}.`);
  }
  await rename(draft, path);
};

const writeDocument = async (
  entry: DocumentEntry,
  entries: AsyncIterator<Entry, void>,
  target: string,
  writer: LineWriter,
): Promise<void> => {
  const record = { ...entry.record };
  // It becomes a path here, whoever answers.
  if (record.file !== null && (typeof record.file !== "string" || !isHash(record.file))) throw cutOff();
  for (const of of entry.follows) {
    if (of !== "file") record[of] = await readText(entries, of);
    else if (record.file === null) throw cutOff();
    else await writeFile(entries, target, record.file);
  }
  // Sent with an earlier document.
  if (record.file !== null && !entry.follows.includes("file")) await access(join(target, "files", record.file));
  await writer.add(record);
};

/** The original files that are there; drafts of an export that was interrupted are removed. */
const countOriginals = async (target: string): Promise<Manifest["originals"]> => {
  const originals = { files: 0, bytes: 0 };
  for (const name of await readdir(join(target, "files"))) {
    const path = join(target, "files", name);
    if (!isHash(name)) await rm(path, { force: true });
    else {
      originals.files += 1;
      originals.bytes += (await stat(path)).size;
    }
  }
  return originals;
};

/**
 * Writes what `/api/export` answers into the folder. The manifest comes last, once everything else is on the disk: a
 * folder without it is no export.
 * @param onRecord called with the number of records of each kind so far
 */
export const writeExport = async (
  body: ReadableStream<Uint8Array>,
  target: string,
  onRecord: (written: Readonly<Record<Kind, number>>) => void,
): Promise<Manifest> => {
  const written: Record<Kind, number> = { partition: 0, document: 0, chat: 0, message: 0 };
  const writers = new Map<Kind, LineWriter>();
  const entries = entriesOf(body);
  let begin: Extract<Entry, { kind: "organization" }> | null = null;
  let end: Extract<Entry, { kind: "end" }> | null = null;
  try {
    for (const kind of kinds) writers.set(kind, await createLineWriter(join(target, fileOfKind[kind])));
    for (let next = await entries.next(); next.done !== true; next = await entries.next()) {
      const entry = next.value;
      if (entry.kind === "organization") begin = entry;
      else if (entry.kind === "end") end = entry;
      else if (entry.kind === "part") throw cutOff();
      else {
        const writer = writers.get(entry.kind) as LineWriter;
        if (entry.kind === "document") await writeDocument(entry, entries, target, writer);
        else await writer.add(entry.record);
        written[entry.kind] += 1;
        onRecord(written);
      }
    }
    if (begin === null || end === null || kinds.some((kind) => end?.records[kind] !== written[kind])) throw cutOff();
    const files = Object.fromEntries(
      await Promise.all(kinds.map(async (kind) => [fileOfKind[kind], await writers.get(kind)?.finish()] as const)),
    ) as Manifest["files"];
    writers.clear();
    const { carrel, createdAt, organization } = begin;
    const originals = await countOriginals(target);
    const manifest: Manifest = { format: formatName, formatVersion, carrel, createdAt, organization, files, originals };
    await finishFolder(target, manifest);
    return manifest;
  } finally {
    for (const writer of writers.values()) await writer.abandon();
    await entries.return();
  }
};

const finishFolder = async (target: string, manifest: Manifest): Promise<void> => {
  const disk = await createDiskSync(target, loadLibc(), true);
  try {
    await disk.sync();
    const draft = join(target, "manifest.json.unfinished");
    await Bun.write(draft, `${JSON.stringify(manifest, null, 2)}\n`);
    await disk.sync();
    await rename(draft, join(target, "manifest.json"));
    await rm(join(target, unfinishedMark));
    await disk.sync();
  } finally {
    await disk.close();
  }
};
