import { ApiError } from "../domain/errors.ts";
import type { BlobStore } from "../store/contract.ts";
import { slicesOf } from "../text/slices.ts";
import { type Entry, type Member, maxPartBytes, maxPartCharacters } from "./entry.ts";

/** A file that is open: it can be read to its end even if it is removed meanwhile. */
interface OpenFile {
  sha256: string;
  first: Uint8Array | null;
  rest: {
    read(): Promise<{ value?: Uint8Array | undefined; done: boolean }>;
    cancel(): Promise<void>;
  };
}

/** @returns null where there is no such file (any more), or it is damaged */
export const openFile = async (blobs: BlobStore, sha256: string): Promise<OpenFile | null> => {
  const opened = await blobs.open(sha256).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "data_damaged") return null;
    throw error;
  });
  const rest = opened?.stream.getReader();
  if (rest === undefined) return null;
  try {
    const { value = null } = await rest.read();
    return { sha256, first: value, rest };
  } catch {
    return null;
  }
};

/** A long text in parts. */
export function* textParts(of: Member, text: string): Generator<Entry> {
  let before: string | null = null;
  for (const data of slicesOf(text, maxPartCharacters)) {
    if (before !== null) yield { kind: "part", of, data: before, last: false };
    before = data;
  }
  yield { kind: "part", of, data: before ?? "", last: true };
}

/** A file in parts, each of at most `maxPartBytes` before it is written as base64. */
export async function* fileParts({ first, rest }: OpenFile): AsyncGenerator<Entry> {
  const part = (bytes: Uint8Array, last: boolean): Entry => ({
    kind: "part",
    of: "file",
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    last,
  });
  let held: Uint8Array = first ?? new Uint8Array();
  try {
    for (let isEnded = first === null; !isEnded; ) {
      for (; held.byteLength > maxPartBytes; held = held.subarray(maxPartBytes))
        yield part(held.subarray(0, maxPartBytes), false);
      const { value, done } = await rest.read();
      isEnded = done;
      if (value !== undefined) held = Buffer.concat([held, value]);
    }
    yield part(held, true);
  } finally {
    await rest.cancel().catch(() => undefined);
  }
}
