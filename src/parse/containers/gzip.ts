import { gunzipSync } from "node:zlib";
import { unreadable } from "../failure.ts";
import type { UnpackBudget } from "./zip.ts";

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

/** What a gzip file holds, at most what is left of the budget. @throws ApiError 422 `unreadable_file` */
export const unpackGzip = (bytes: Uint8Array, budget: UnpackBudget): Uint8Array => {
  try {
    const plain = gunzipSync(bytes, { maxOutputLength: Math.max(1, budget.remainingBytes) });
    budget.remainingBytes -= plain.length;
    return new Uint8Array(plain.buffer, plain.byteOffset, plain.length);
  } catch (cause) {
    if (cause instanceof RangeError || /BUFFER_TOO_LARGE|larger than/.test(`${cause}`))
      throw unreadable("The file unpacks to more than may be held at once.", cause);
    throw unreadable("The compressed file is cut off or broken.", cause);
  }
};

/** The name of what is inside: `notes.txt` for `notes.txt.gz`, `notes.tar` for `notes.tgz`. */
export const nameInGzip = (name: string | null): string | null =>
  name?.replace(/\.t(?:ar\.)?gz$/i, ".tar").replace(/\.gz$/i, "") ?? null;
