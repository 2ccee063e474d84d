import { constants } from "node:fs";
import { access, type FileHandle, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { codeOf } from "../domain/errors.ts";
import { type FolderState, type FollowOptions, looksOf } from "./folder-state.ts";
import { type SeenFile, seenFileOf } from "./scan-folder.ts";
import {
  type FolderDocument,
  type FolderFile,
  hashBytes,
  hashFile,
  type PutOutcome,
  type SmallFile,
} from "./target.ts";

/** Opening a pipe does not wait for its other end. Zero where the system lacks the flag. */
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const folderFlags = readFlags | (constants.O_DIRECTORY ?? 0);
const noLinkFlag = constants.O_NOFOLLOW ?? 0;
/** macOS: no link anywhere in the path. */
const noLinkAnywhereFlag = 0x2000_0000;

const failure = (code: string, message: string): Error => Object.assign(new Error(`${code}: ${message}`), { code });

/**
 * Opens a file of a folder for reading. No symbolic link below the folder is followed, neither the file nor a folder on
 * the way to it: a user who may write there cannot have files elsewhere read, whatever the timing.
 * @param folder absolute; may itself be a link
 * @param path relative to it, with `/`
 * @throws Error with a code: ELOOP or ENOTDIR for a link, ENOENT, EACCES …
 */
export const openWithin = async (folder: string, path: string): Promise<FileHandle> => {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".."))
    throw failure("ENOENT", "not below the folder");
  if (process.platform === "linux") return await openStepByStep(folder, names);
  if (process.platform === "darwin")
    return await open(join(await realpath(folder), ...names), readFlags | noLinkAnywhereFlag);
  return await openAndLook(folder, names);
};

/** Each folder is opened in the one before it, by descriptor: nothing that is renamed meanwhile matters. */
const openStepByStep = async (folder: string, names: readonly string[]): Promise<FileHandle> => {
  let parent = await open(folder, folderFlags);
  try {
    for (const name of names.slice(0, -1)) {
      const next = await openIn(parent, name, folderFlags);
      await parent.close();
      parent = next;
    }
    return await openIn(parent, names.at(-1) ?? "", readFlags);
  } finally {
    await parent.close();
  }
};

const openIn = async (parent: FileHandle, name: string, flags: number): Promise<FileHandle> => {
  try {
    return await open(`/proc/self/fd/${parent.fd}/${name}`, flags | noLinkFlag);
  } catch (error) {
    await access("/proc/self/fd").catch(() => {
      throw failure("ENOSYS", "/proc is not mounted, without which files of a folder cannot be opened safely");
    });
    throw error;
  }
};

/** For systems that offer nothing better: refuses a file that turns out to be elsewhere. */
const openAndLook = async (folder: string, names: readonly string[]): Promise<FileHandle> => {
  const path = join(folder, ...names);
  const file = await open(path, readFlags | noLinkFlag);
  const expected = join(await realpath(folder), ...names);
  const actual = await realpath(path).catch(() => "");
  if (actual === expected || actual.toLowerCase() === expected.toLowerCase().replaceAll("/", sep)) return file;
  await file.close();
  throw failure("ELOOP", "a link leads out of the folder");
};

/** Codes for a file that was replaced by a link, or is gone: the next scan shows what is there now. */
const goneCodes = ["ENOENT", "ENOTDIR", "ELOOP"];

/** Documents whose files are gone, by the SHA-256 of these: a file of the same content is such a file, moved. */
type MoveSources = Map<string, Set<FolderDocument>>;

export const moveSources = ({ documents, missing }: FolderState): MoveSources => {
  const sources: MoveSources = new Map();
  for (const path of missing.keys()) {
    const document = documents.get(path);
    if (document === undefined || document.isMisplaced) continue;
    const ofContent = sources.get(document.sha256) ?? new Set();
    sources.set(document.sha256, ofContent.add(document));
  }
  return sources;
};

/** What taking a file needs. */
interface Taking {
  options: FollowOptions;
  state: FolderState;
  sources: MoveSources;
  signal: AbortSignal;
}

/**
 * Puts one file in, unless its document exists already. It is opened once: what is hashed is what is stored.
 * @throws what the target throws; the signal's reason
 */
export const takeFile = async (
  options: FollowOptions,
  state: FolderState,
  sources: MoveSources,
  path: string,
  seen: SeenFile,
  signal: AbortSignal,
): Promise<void> => {
  const taking: Taking = { options, state, sources, signal };
  const { maxBytes } = options;
  if (seen.bytes > maxBytes)
    return refuse(taking, path, seen, `it is larger than ${maxBytes} bytes (ingest.maxDocumentBytes)`);
  await withFile(taking, path, seen, async (opened, checkSame) => {
    const sha256 = await hashFile(opened, signal);
    if (!(await checkSame())) return;
    const file = { absolutePath: join(options.path, path), path, sha256, content: Bun.file(opened.fd), ...seen };
    if (await isPlaced(taking, file)) return;
    settle(taking, file, await options.target.put(file, signal));
  });
};

/** `takeFile` for several small files, which the target puts in together. @param delay told of each that failed */
export const takeSmallFiles = async (
  options: FollowOptions,
  state: FolderState,
  sources: MoveSources,
  files: readonly [path: string, SeenFile][],
  delay: (path: string, error: unknown) => void,
  signal: AbortSignal,
): Promise<void> => {
  const taking: Taking = { options, state, sources, signal };
  const put: SmallFile[] = [];
  for (const [path, seen] of files) {
    try {
      const file = await readSmallFile(taking, path, seen);
      if (file !== null && !(await isPlaced(taking, file))) put.push(file);
    } catch (error) {
      delay(path, error);
    }
  }
  if (put.length === 0) return;
  try {
    const outcomes = (await options.target.putTogether?.(put, signal)) ?? [];
    for (const [index, file] of put.entries()) {
      const outcome = outcomes[index] ?? { error: new Error("a file without a result") };
      if ("error" in outcome) delay(file.path, outcome.error);
      else settle(taking, file, outcome);
    }
  } catch (error) {
    for (const { path } of put) delay(path, error);
  }
};

/** @returns null for one that is not as it was seen: the next look decides */
const readSmallFile = async (taking: Taking, path: string, seen: SeenFile): Promise<SmallFile | null> => {
  let file: SmallFile | null = null;
  await withFile(taking, path, seen, async (opened, checkSame) => {
    const read = await readWhole(opened, seen.bytes);
    if (!(await checkSame())) return;
    const absolutePath = join(taking.options.path, path);
    file = { absolutePath, path, sha256: hashBytes(read), content: new Blob([read]), read, ...seen };
  });
  return file;
};

/** The bytes of a file of this length, fewer where it became shorter. */
const readWhole = async (opened: FileHandle, length: number): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(length);
  for (let position = 0; ; ) {
    const { bytesRead } = await opened.read(bytes, position, length - position, position);
    position += bytesRead;
    if (bytesRead === 0 || position === length) return bytes.subarray(0, position);
  }
};

const refuse = ({ options, state }: Taking, path: string, seen: SeenFile, reason: string): void => {
  state.refused.set(path, looksOf(state, seen));
  options.report({ kind: "refused", path, reason });
};

/**
 * Calls `use` with the open file, where it is as it was seen. What cannot be read is refused.
 * @param use gets what tells whether the file is still the same: if not, it is looked at again @throws what `use` throws
 */
const withFile = async (
  taking: Taking,
  path: string,
  seen: SeenFile,
  use: (opened: FileHandle, checkSame: () => Promise<boolean>) => Promise<void>,
): Promise<void> => {
  const { options, state, signal } = taking;
  let opened: FileHandle | null = null;
  const checkSame = async (): Promise<boolean> => {
    const now = await (opened as FileHandle).stat();
    const looks = looksOf(state, seenFileOf(now));
    if (now.isFile() && looks === looksOf(state, seen)) return true;
    state.unsettled.set(path, looks);
    return false;
  };
  let isOurs = false;
  try {
    opened = await openWithin(options.path, path);
    if (!(await checkSame())) return;
    await use(opened, async () => {
      const isSame = await checkSame();
      // From here on it is the target that may fail.
      isOurs = true;
      return isSame;
    });
  } catch (error) {
    if (isOurs) throw error;
    signal.throwIfAborted();
    const code = codeOf(error);
    if (code === null || !goneCodes.includes(code))
      refuse(taking, path, seen, `it cannot be read${code === null ? "" : ` (${code})`}`);
  } finally {
    await opened?.close();
  }
};

/** Notes that a document is the file's. */
const remember = ({ state }: Taking, file: FolderFile, id: string): void => {
  const { path, sha256, bytes, modifiedAt, changedMs, inode, volume } = file;
  const seen = { bytes, modifiedAt, changedMs, inode, volume };
  const document = { id, path, sha256, bytes, modifiedAt, volume, storedMs: Date.now(), seen, isMisplaced: false };
  state.documents.set(path, document);
  state.refused.delete(path);
  state.missing.delete(path);
};

const settle = (taking: Taking, file: FolderFile, outcome: PutOutcome): void => {
  const { path } = file;
  if (outcome.stored) {
    remember(taking, file, outcome.documentId);
    taking.options.report({ kind: "stored", path, documentId: outcome.documentId, status: outcome.status });
  } else refuse(taking, path, file, outcome.reason);
};

/** Whether a document of this content needs no more than to be given the file's path. */
const isPlaced = async (taking: Taking, file: FolderFile): Promise<boolean> => {
  const { options, state, sources, signal } = taking;
  const { target, report } = options;
  const { path, sha256 } = file;
  const known = state.documents.get(path);
  if (known !== undefined) {
    if (known.sha256 !== sha256 || known.isMisplaced) return false;
    if (known.seen !== undefined && isOtherInodeAlone(known.seen, file)) state.trustsInodes = false;
    if (known.volume !== file.volume) await target.move(known.id, file, signal);
    remember(taking, file, known.id);
    return true;
  }
  const ofContent = sources.get(sha256) ?? new Set();
  for (const source of ofContent) {
    // Claimed before the wait, so that no second file gets the same document.
    ofContent.delete(source);
    if (state.documents.get(source.path) !== source || !state.missing.has(source.path)) continue;
    if (!(await target.move(source.id, file, signal))) return false;
    state.documents.delete(source.path);
    state.missing.delete(source.path);
    remember(taking, file, source.id);
    report({ kind: "moved", path, from: source.path, documentId: source.id });
    return true;
  }
  return false;
};

const isOtherInodeAlone = (one: SeenFile, other: SeenFile): boolean =>
  one.inode !== other.inode && looksOf({ trustsInodes: false }, one) === looksOf({ trustsInodes: false }, other);
