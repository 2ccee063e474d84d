import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { codeOf } from "../domain/errors.ts";

/** How long a pipe (`--config <(command)`) may give nothing: what is missing is mostly the program that writes to it. */
const maxSilenceMs = 10_000;
/** Between two looks into a pipe that gave nothing. */
const lookEveryMs = 20;
const chunkBytes = 65_536;

/** Why a file that somebody named cannot be read. `message` follows its path, without a full stop. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";

  /** @param code of the system call that failed, such as `ENOENT`; null where none did */
  constructor(
    message: string,
    readonly code: string | null,
  ) {
    super(message);
  }

  /** Whether the file may not be read by this user. */
  get isForbidden(): boolean {
    return isForbidden(this.code);
  }
}

const isForbidden = (code: string | null): boolean => code === "EACCES" || code === "EPERM";

export interface SmallFileOptions {
  /** A longer file is refused: a wrong path may lead to another file, or to a device that never ends. */
  maxBytes: number;
  /** What a longer file is too long for, such as `a PEM file`. */
  what: string;
  maxSilenceMs?: number;
}

/**
 * The content of a small file that the operator named. Reads no more than `maxBytes` of it, and waits for a pipe only so
 * long: a path may lead to a pipe that nobody writes to, on which opening a file waits for ever, or to `/dev/zero`.
 * @throws UnreadableFile
 */
export const readSmallFile = async (path: string, options: SmallFileOptions): Promise<Buffer<ArrayBuffer>> => {
  let file: FileHandle | null = null;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = await file.stat();
    if (found.isDirectory()) throw new UnreadableFile("is a folder", "EISDIR");
    if (found.isFile() && found.size > options.maxBytes) throw tooLong(options);
    return await readBytes(file, found.isFIFO(), options);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : unreadable(codeOf(error));
  } finally {
    await file?.close();
  }
};

const readBytes = async (
  file: FileHandle,
  isPipe: boolean,
  options: SmallFileOptions,
): Promise<Buffer<ArrayBuffer>> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  let heardAt = performance.now();
  while (true) {
    const part = Buffer.allocUnsafe(chunkBytes);
    // A pipe has the same end before its first writer comes as after its last one left.
    const read = await readNow(file, part);
    if (read === null || (read === 0 && isPipe && bytes === 0)) {
      const limitMs = options.maxSilenceMs ?? maxSilenceMs;
      if (performance.now() - heardAt > limitMs)
        throw new UnreadableFile(`gave nothing for ${limitMs / 1_000} seconds`, null);
      await setTimeout(lookEveryMs);
      continue;
    }
    if (read === 0) return Buffer.concat(parts);
    heardAt = performance.now();
    bytes += read;
    if (bytes > options.maxBytes) throw tooLong(options);
    parts.push(part.subarray(0, read));
  }
};

/** @returns how many bytes were read, 0 at the end; null where there is nothing yet */
const readNow = async (file: FileHandle, into: Buffer): Promise<number | null> => {
  try {
    return (await file.read(into, 0, into.length, null)).bytesRead;
  } catch (error) {
    if (codeOf(error) === "EAGAIN") return null;
    throw error;
  }
};

const tooLong = ({ what }: SmallFileOptions): UnreadableFile => new UnreadableFile(`is too long for ${what}`, null);

const unreadable = (code: string | null): UnreadableFile => {
  if (code === "ENOENT") return new UnreadableFile("does not exist", code);
  if (code === "EISDIR") return new UnreadableFile("is a folder", code);
  if (code === "ELOOP") return new UnreadableFile("is a link that leads back to itself", code);
  if (isForbidden(code)) return new UnreadableFile("cannot be read by this user", code);
  return new UnreadableFile(`cannot be read (${code ?? "unknown error"})`, code);
};
