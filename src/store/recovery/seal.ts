/**
 * What the files of a table held when they were last known to be sound. LanceDB writes each file once and never again, and
 * looks at no checksum: a flipped byte in an index loses hits, and one in a manifest or a list of removed rows brings
 * removed rows back. The seal is made after upkeep and when the store closes, and compared at the next start (large tables: after
 * it, see `compareLater`) and by `carrel check`. Files written since are not sealed; the rows in them have checksums of their own.
 */
import { open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { inParallel } from "../../async/in-parallel.ts";
import { codeOf } from "../../domain/errors.ts";
import type { Logger } from "../../log/log.ts";
import { newestFirst, sealName } from "../disk/table-folder.ts";
import { crc32 } from "../engine/table-definition.ts";

interface SealedFile {
  bytes: number;
  hash: string;
  /** The file itself, in base64, where it is small and nothing could replace it. */
  copy?: string;
}

type Seal = Map<string, SealedFile>;

/** Rows, removed rows, indexes, and the manifest of the newest version: all that reading the table needs. */
const isSealed = (path: string): boolean => /^(data|_deletions|_indices)\//.test(path) && !path.includes("#"); // "#": LanceDB is still writing it

/** Larger ones are those of tables with thousands of files, which upkeep merges. */
const maxCopyBytes = 256 * 1024;
const pieceBytes = 1024 * 1024;
const maxAtOnce = 8;

const isCopied = (path: string, bytes: number): boolean =>
  bytes <= maxCopyBytes && (path.startsWith("_versions/") || path.startsWith("_deletions/"));

const filesOf = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
  const inVersions = paths.filter((path) => path.startsWith("_versions/"));
  const [newest] = newestFirst(inVersions.map((path) => basename(path)));
  return [...paths.filter(isSealed), ...(newest === undefined ? [] : [`_versions/${newest}`])];
};

/** Called after each piece of a file that was read; a reader that is in no hurry waits in it. */
type OnPiece = (bytes: number) => void | Promise<void>;

/** @returns null if the file is not there */
const hashFile = async (path: string, onPiece?: OnPiece): Promise<Pick<SealedFile, "bytes" | "hash"> | null> => {
  const file = await open(path, "r").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const piece = new Uint8Array(Math.min(pieceBytes, Math.max(1, size)));
    let hash = 0n;
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, bytes);
      if (bytesRead === 0) break;
      hash = Bun.hash.xxHash3(piece.subarray(0, bytesRead), hash);
      bytes += bytesRead;
      await onPiece?.(bytesRead);
    }
    return { bytes, hash: hash.toString(16) };
  } finally {
    await file.close();
  }
};

const readSeal = async (folder: string): Promise<Seal> => {
  const text = await readFile(join(folder, sealName), "utf8").catch(() => "");
  const end = text.indexOf("\n");
  if (text.slice(0, end) !== String(crc32(text.slice(end + 1)))) return new Map(); // damaged itself, or none
  return new Map(Object.entries(JSON.parse(text.slice(end + 1)) as Record<string, SealedFile>));
};

const writeSeal = async (folder: string, seal: Seal): Promise<void> => {
  const text = JSON.stringify(Object.fromEntries(seal));
  const draft = join(folder, `${sealName}.new`);
  await writeFile(draft, `${crc32(text)}\n${text}`, { mode: 0o600 });
  await rename(draft, join(folder, sealName));
};

/**
 * Seals the files of a table as they are now; those that are sealed already are not read again.
 * @param minAgeMs files written later are left out: somebody may be writing them
 */
export const sealTable = async (folder: string, minAgeMs = 0): Promise<void> => {
  const before = await readSeal(folder);
  const sealed: Seal = new Map();
  await inParallel(await filesOf(folder), maxAtOnce, async (path) => {
    const known = before.get(path);
    if (known === undefined && minAgeMs > 0) {
      const { mtimeMs } = await stat(join(folder, path)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs > Date.now() - minAgeMs) return;
    }
    const made = known ?? (await hashFile(join(folder, path)));
    if (made === null) return; // upkeep has removed it
    const copies = known === undefined && isCopied(path, made.bytes);
    const copy = copies ? { copy: (await readFile(join(folder, path))).toString("base64") } : {};
    sealed.set(path, { ...made, ...copy });
  });
  if (sealed.size > 0) await writeSeal(folder, sealed);
};

/** What a stop waits for: it has to end within seconds, also on a machine that is busy with other work. */
const maxSealMs = 1_000;
const maxTablesAtOnce = 4;

/** Seals the tables of a store that is closed. Of a table that is not sealed in time, the next start checks the rows. */
export const sealTables = async (dataDir: string, log: Logger): Promise<void> => {
  const folder = join(dataDir, "tables");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".lance"));
  const endsAt = performance.now() + maxSealMs;
  await inParallel(names, maxTablesAtOnce, async (name) => {
    if (performance.now() > endsAt) return;
    await sealTable(join(folder, name)).catch((error: unknown) =>
      log.warn({ table: name, error: String(error) }, "the files of a table could not be sealed"),
    );
  });
};

/** A sealed file that is not as it was. */
export interface BrokenFile {
  /** Relative to the folder of the table, with `/`. */
  path: string;
  detail: "altered" | "missing";
  copy: Uint8Array | null;
}

/** Whether a version needs a file. Upkeep leaves those of older versions for a while. */
const isNamed = (path: string, manifest: Buffer): boolean => {
  const [folder, name = "", ...rest] = path.split("/");
  if (folder === "data") return manifest.includes([name, ...rest].join("/"));
  return folder !== "_indices" || manifest.includes(Buffer.from(name.replaceAll("-", ""), "hex"));
};

export interface Comparison {
  onPiece?: OnPiece;
  /** What of files may be read that have no copy in the seal, and is taken off here; unless given, all are. */
  limit?: { bytesLeft: number };
}

/** What the comparison of a table with its seal found. */
export interface Compared {
  broken: BrokenFile[];
  /** Whether files were left out for the limit. */
  isPart: boolean;
  /** Whether all files of rows are sealed. */
  isSealed: boolean;
}

/**
 * Compares the files of a table with its seal. A manifest counts only while no newer one is there. Other files that are
 * missing may have been removed by upkeep; where not, reading the table fails.
 */
export const compareWithSeal = async (folder: string, { onPiece, limit }: Comparison = {}): Promise<Compared> => {
  const seal = await readSeal(folder);
  const present = new Set(await filesOf(folder));
  const newest = [...present].find((path) => path.startsWith("_versions/"));
  const manifest = newest === undefined ? null : await readFile(join(folder, newest));
  const isInUse = (path: string): boolean => manifest === null || isNamed(path, manifest);
  const compared: Compared = {
    broken: [],
    isPart: false,
    isSealed: ![...present].some((path) => path.startsWith("data/") && !seal.has(path) && isInUse(path)),
  };
  await inParallel([...seal], maxAtOnce, async ([path, { bytes, hash, copy }]) => {
    const isOlder = path.startsWith("_versions/") && newest !== undefined && newest < path;
    if (isOlder || !isInUse(path)) return;
    if (limit !== undefined && copy === undefined) {
      compared.isPart ||= bytes > limit.bytesLeft;
      if (bytes > limit.bytesLeft) return;
      limit.bytesLeft -= bytes;
    }
    const found = present.has(path) ? await hashFile(join(folder, path), onPiece) : null;
    if (found === null && (copy === undefined || !path.startsWith("_versions/"))) return;
    if (found?.hash === hash && found.bytes === bytes) return;
    const detail = found === null ? "missing" : "altered";
    compared.broken.push({ path, detail, copy: copy === undefined ? null : Buffer.from(copy, "base64") });
  });
  return compared;
};

export const removeSeal = (folder: string): Promise<void> => rm(join(folder, sealName), { force: true });
