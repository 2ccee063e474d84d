import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { type FolderState, type FollowOptions, messageOf } from "./folder-state.ts";
import { openWithin } from "./open-within.ts";
import type { FolderScan, SeenFile } from "./scan-folder.ts";
import { type FolderDocument, type FolderFile, hashFile } from "./target.ts";

/** Files hashed and put in at once. */
const MOST_AT_ONCE = 4;

const looksOf = ({ bytes, modifiedAt }: SeenFile): string => `${bytes} ${modifiedAt}`;

/**
 * Brings the documents into step with what a scan found.
 * @returns `isDone`: nothing has to be looked at again soon; `isDelayed`: something failed and is to be tried again
 * @throws the signal's reason
 */
export const pass = async (
  options: FollowOptions & { settleMs: number },
  state: FolderState,
  scan: FolderScan,
  signal: AbortSignal,
): Promise<{ isDone: boolean; isDelayed: boolean }> => {
  const { documents, refused, unsettled } = state;
  for (const path of [...refused.keys(), ...unsettled.keys()]) {
    if (scan.files.has(path)) continue;
    refused.delete(path);
    unsettled.delete(path);
  }
  const changed = [...scan.files].filter(([path, seen]) => {
    const known = documents.get(path);
    if (known !== undefined && !known.misplaced && looksOf(known) === looksOf(seen)) return false;
    return refused.get(path) !== looksOf(seen);
  });
  const settled = changed.filter(([path, seen]) => isSettled(path, seen));
  const gone = goneDocuments(state, scan);
  let isDelayed = false;

  const step = async (work: () => Promise<void>, path: string): Promise<void> => {
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      isDelayed = true;
      options.report({ kind: "delayed", path, reason: messageOf(error) });
    }
  };
  await inParallel(settled, MOST_AT_ONCE, ([path, seen]) => step(() => take(options, state, path, seen, signal), path));
  for (const document of gone) {
    signal.throwIfAborted();
    const isStill = documents.get(document.path) === document;
    // A document that was moved meanwhile has another path, or another file's document has this one.
    if (isStill) await step(() => removeGone(options, state, document, signal), document.path);
  }
  return { isDone: unsettled.size === 0 && state.missing.size === 0 && !isDelayed, isDelayed };

  /** Not growing: it looks as it did at the last look, or was last written some time ago. */
  function isSettled(path: string, seen: SeenFile): boolean {
    const looks = looksOf(seen);
    const ageMs = Date.now() - Date.parse(seen.modifiedAt);
    const isQuiet = unsettled.get(path) === looks || (!unsettled.has(path) && ageMs > options.settleMs);
    if (isQuiet) unsettled.delete(path);
    else unsettled.set(path, looks);
    return isQuiet;
  }
};

/** Documents whose file was not there at two looks in a row: programs replace files by way of another name. */
const goneDocuments = ({ documents, missing }: FolderState, scan: FolderScan): FolderDocument[] => {
  const absent = [...documents.values()].filter(
    ({ path }) =>
      !scan.files.has(path) &&
      !scan.truncated &&
      !scan.unreadable.some((unread) => path === unread || path.startsWith(`${unread}/`)),
  );
  const gone = absent.filter(({ path }) => missing.has(path));
  missing.clear();
  for (const { path } of absent) missing.add(path);
  return gone;
};

const removeGone = async (
  { target, report }: FollowOptions,
  { documents, missing }: FolderState,
  { id, path }: FolderDocument,
  signal: AbortSignal,
): Promise<void> => {
  await target.remove(id, signal);
  documents.delete(path);
  missing.delete(path);
  report({ kind: "removed", path, documentId: id });
};

/** What a file that was swapped for a link, or is gone, fails to open with: the next look tells what is there now. */
const GONE = ["ENOENT", "ENOTDIR", "ELOOP"];

/** Puts one file in, or finds that it is there already. It is opened once: what is hashed is what is stored. */
const take = async (
  options: FollowOptions,
  state: FolderState,
  path: string,
  seen: SeenFile,
  signal: AbortSignal,
): Promise<void> => {
  const { path: folder, report, maxBytes } = options;
  const refuse = (reason: string): void => {
    state.refused.set(path, looksOf(seen));
    report({ kind: "refused", path, reason });
  };
  if (seen.bytes > maxBytes) return refuse(`it is larger than ${maxBytes} bytes (ingest.maxDocumentBytes)`);
  let opened: FileHandle | null = null;
  try {
    let sha256: string;
    try {
      opened = await openWithin(folder, path);
      const before = await opened.stat();
      if (!looksLike(before, seen)) return leaveUnsettled(before);
      sha256 = await hashFile(opened, signal);
      const now = await opened.stat();
      if (!looksLike(now, seen)) return leaveUnsettled(now);
    } catch (error) {
      signal.throwIfAborted();
      const { code } = error as { code?: string };
      if (code !== undefined && GONE.includes(code)) return;
      return refuse(`it cannot be read${code === undefined ? "" : ` (${code})`}`);
    }
    const content = Bun.file(opened.fd);
    const file: FolderFile = { absolutePath: join(folder, path), path, sha256, content, ...seen };
    await putOrMove(options, state, file, refuse, signal);
  } finally {
    await opened?.close();
  }

  function leaveUnsettled(now: Stats): void {
    state.unsettled.set(path, looksOf({ bytes: now.size, modifiedAt: now.mtime.toISOString() }));
  }
};

const looksLike = (now: Stats, seen: SeenFile): boolean =>
  now.isFile() && looksOf({ bytes: now.size, modifiedAt: now.mtime.toISOString() }) === looksOf(seen);

const putOrMove = async (
  { target, report }: FollowOptions,
  { documents, refused, missing }: FolderState,
  file: FolderFile,
  refuse: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { path, sha256, bytes, modifiedAt } = file;
  const remember = (id: string): void => {
    documents.set(path, { id, path, sha256, bytes, modifiedAt, misplaced: false });
    refused.delete(path);
    missing.delete(path);
  };
  const known = documents.get(path);
  if (known?.sha256 === sha256 && !known.misplaced) return remember(known.id);
  const source = known === undefined ? [...documents.values()].find(isSource) : undefined;
  if (source !== undefined) {
    // Taken before the wait, so that no second file takes the same.
    documents.delete(source.path);
    missing.delete(source.path);
    if (await moved(source)) {
      remember(source.id);
      report({ kind: "moved", path, from: source.path, documentId: source.id });
      return;
    }
    documents.set(source.path, source);
    missing.add(source.path);
  }
  const outcome = await target.put(file, signal);
  if (!outcome.stored) return refuse(outcome.reason);
  remember(outcome.documentId);
  report({ kind: "stored", path, documentId: outcome.documentId, status: outcome.status });

  /** A document of the same content whose file is not there any more. */
  function isSource(document: FolderDocument): boolean {
    return document.sha256 === sha256 && missing.has(document.path) && !document.misplaced;
  }

  async function moved(from: FolderDocument): Promise<boolean> {
    try {
      return await target.move(from.id, file, signal);
    } catch (error) {
      documents.set(from.path, from);
      missing.add(from.path);
      throw error;
    }
  }
};

const inParallel = async <T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> => {
  const rest = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
};
