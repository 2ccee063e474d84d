import { inParallel } from "../async/in-parallel.ts";
import { messageOf } from "../domain/thrown.ts";
import { type FolderState, type FollowOptions, looksOf } from "./folder-state.ts";
import type { FolderScan, SeenFile } from "./scan-folder.ts";
import { takeFile } from "./take-file.ts";
import type { FolderDocument } from "./target.ts";

/** Files hashed and put in at once. */
const maxConcurrent = 4;

/**
 * Updates the documents of a folder to what a scan found.
 * @returns `isDone`: no file needs another look soon; `isDelayed`: something failed and is tried again
 * @throws the signal's reason
 */
export const applyScan = async (
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
    if (known !== undefined && !known.isMisplaced && looksOf(known) === looksOf(seen)) return false;
    return refused.get(path) !== looksOf(seen);
  });
  const settled = changed.filter(([path, seen]) => isSettled(state, path, seen, options.settleMs));
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
  await inParallel(settled, maxConcurrent, ([path, seen]) =>
    step(() => takeFile(options, state, path, seen, signal), path),
  );
  for (const document of gone) {
    signal.throwIfAborted();
    // A document that was moved meanwhile has another path, or its path belongs to another document now.
    const isCurrent = documents.get(document.path) === document;
    if (isCurrent) await step(() => removeGone(options, state, document, signal), document.path);
  }
  return { isDone: unsettled.size === 0 && state.missing.size === 0 && !isDelayed, isDelayed };
};

/** Whether a file is not growing: it looks as it did at the last look, or was last written some time ago. */
const isSettled = ({ unsettled }: FolderState, path: string, seen: SeenFile, settleMs: number): boolean => {
  const looks = looksOf(seen);
  const ageMs = Date.now() - Date.parse(seen.modifiedAt);
  const isQuiet = unsettled.get(path) === looks || (!unsettled.has(path) && ageMs > settleMs);
  if (isQuiet) unsettled.delete(path);
  else unsettled.set(path, looks);
  return isQuiet;
};

/** Documents whose file was not there at two looks in a row: programs replace files by way of another name. */
const goneDocuments = ({ documents, missing }: FolderState, scan: FolderScan): FolderDocument[] => {
  const absent = [...documents.values()].filter(
    ({ path }) =>
      !scan.files.has(path) &&
      !scan.isTruncated &&
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
