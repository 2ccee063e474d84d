import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { batchLines } from "../../ingest/batch-lines.ts";
import type { Manifest } from "../../portability/format.ts";

type Listed = Manifest["files"]["documents.ndjson"];

/** A file of one JSON object a line, being written. */
export interface LineWriter {
  add(record: object): Promise<void>;
  /** Writes the rest and closes the file. @returns what the manifest says of it */
  finish(): Promise<Listed>;
  /** Closes the file, whatever is in it. */
  abandon(): Promise<void>;
}

/** Written to the file together. */
const maxHeldCharacters = 256 * 1024;

export const createLineWriter = async (path: string): Promise<LineWriter> => {
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
