import { randomUUID } from "node:crypto";
import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * A file inside the compiled binary, in pieces that are compressed on their own: none needs the memory of the whole.
 */
export interface PackedFile {
  /** What it is called on disk. */
  name: string;
  /** Path within the binary; readable like a file, but not loadable. */
  file: string;
  /** Length and SHA-256 (hex) of the content, unpacked. */
  bytes: number;
  sha256: string;
  /** Length of each piece, packed, in order; each is a zstd frame. */
  pieces: readonly number[];
}

/**
 * Linux keeps a file in memory, and maps it into a program, in pieces as large as it was written in: with pieces of
 * megabytes, 95 MB of LanceDB's addon were resident after loading, with these 20 MB.
 */
const writeBytes = 32 * 1024;
const readBytes = 1024 * 1024;

/** The program itself is damaged. */
export class DamagedProgram extends Error {}

/**
 * Pieces that are unpacked ahead, each on a thread of its own; more than the processors of a small machine gain
 * nothing.
 */
const piecesAhead = 2;

/**
 * Whether a file is what was packed, by its SHA-256: a data directory may come from anybody, so nothing in it is run
 * for its name or a checksum that can be forged. A link counts as another file, since it can be changed afterwards. A
 * small buffer: mapping the file, or reading it at once, would count as memory.
 */
export const isUnpacked = async (packed: Pick<PackedFile, "bytes" | "sha256">, path: string): Promise<boolean> => {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size !== packed.bytes) return false;
      const hash = new Bun.CryptoHasher("sha256");
      const buffer = Buffer.allocUnsafe(readBytes);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
        if (bytesRead === 0) return hash.digest("hex") === packed.sha256;
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
};

/** The content of a packed file, piece by piece. */
async function* unpack(packed: PackedFile): AsyncGenerator<Uint8Array> {
  const source = Bun.file(packed.file);
  const ahead: Promise<Uint8Array>[] = [];
  let start = 0;
  for (const length of packed.pieces) {
    if (ahead.length > piecesAhead) yield await (ahead.shift() as Promise<Uint8Array>);
    const piece = unpackPiece(packed.name, source.slice(start, start + length));
    // One that fails is noticed when it is its turn; a reader that stops before it does not wait for it.
    piece.catch(() => undefined);
    ahead.push(piece);
    start += length;
  }
  for (const piece of ahead) yield await piece;
}

const unpackPiece = async (name: string, packed: Blob): Promise<Uint8Array> => {
  const bytes = await packed.bytes();
  return await Bun.zstdDecompress(bytes).catch(() => {
    throw new DamagedProgram(`${name} inside the program is damaged: get the program again.`);
  });
};

/**
 * Writes the content of a packed file to a new file that only its owner can run, and waits until it is on the disk.
 * Whether it is what was packed is checked by the caller, on the file.
 * @throws DamagedProgram, or the file system's error; what was written is left to the caller
 */
export const writeUnpacked = async (packed: PackedFile, path: string): Promise<void> => {
  const target = openSync(path, "wx", 0o500);
  try {
    for await (const piece of unpack(packed))
      for (let at = 0; at < piece.length; at += writeBytes) writeAll(target, piece.subarray(at, at + writeBytes));
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
};

const writeAll = (descriptor: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
};

/** A file of this age was left by a process that was killed while it wrote: no write takes that long. */
const abandonedMs = 10 * 60_000;
const partialSuffix = ".partial";

/**
 * Makes a file appear whole or not at all, however many processes make it at once: each writes one of its own name
 * beside it, which then takes the place.
 * @param write makes the file at the path it is given, which does not exist
 * @param isPlaced whether the file at `path` is what it should be: where it cannot be replaced (Windows does not while
 * a program has it loaded), another process's is as good
 */
export const placeFile = async (
  path: string,
  write: (partial: string) => Promise<void>,
  isPlaced: () => Promise<boolean> | boolean,
): Promise<void> => {
  const partial = `${path}.${randomUUID()}${partialSuffix}`;
  try {
    await write(partial);
    await rename(partial, path).catch(async (error: unknown) => {
      if (!(await isPlaced())) throw error;
    });
  } finally {
    await rm(partial, { force: true }).catch(() => undefined);
  }
  await removeAbandoned(dirname(path));
};

/** Whether a name in a folder is that of a file being written by `placeFile`. */
export const isPartial = (name: string): boolean => /\.[0-9a-f-]{36}\.partial$/.test(name);

const removeAbandoned = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(partialSuffix)) continue;
    const path = join(folder, name);
    const written = await stat(path).catch(() => null);
    if (written !== null && Date.now() - written.mtimeMs > abandonedMs) await rm(path, { force: true }).catch(() => {});
  }
};
