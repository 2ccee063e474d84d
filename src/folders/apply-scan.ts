import { inParallel } from "../async/in-parallel.ts";
import { messageOf } from "../domain/errors.ts";
import { type FolderState, type FollowOptions, isUnchanged, looksOf } from "./folder-state.ts";
import { goneDocuments, type Trouble } from "./gone-documents.ts";
import type { FolderScan, SeenFile } from "./scan-folder.ts";
import { moveSources, takeFile, takeSmallFiles } from "./take-file.ts";
import type { FolderDocument } from "./target.ts";

/** Files hashed and put in at once. */
const maxConcurrent = 4;
/** A file of this size is read whole: its text may be small. */
const maxSmallBytes = 65_536;
/** Small files that are prepared together. */
const maxTogether = 32;
const maxTogetherBytes = 131_072;
/** Such groups at once: the store commits what comes at one time together. */
const maxGroups = 8;

/**
 * What is left: `nothing` that needs another look soon; files that are `unsettled` or missing for the first time; many
 * that are gone and are kept for a while (`waiting`); something that failed and is tried again (`delayed`).
 */
type Left = "nothing" | "unsettled" | "waiting" | "delayed";

/**
 * Updates the documents of a folder to what a scan found.
 * @param onTroubles called with why documents are kept, before anything is changed
 * @throws the signal's reason
 */
export const applyScan = async (
  options: FollowOptions & { settleMs: number },
  state: FolderState,
  scan: FolderScan,
  onTroubles: (troubles: readonly Trouble[]) => void,
  signal: AbortSignal,
): Promise<Left> => {
  const { documents, refused, unsettled } = state;
  for (const path of [...refused.keys(), ...unsettled.keys()]) {
    if (scan.files.has(path)) continue;
    refused.delete(path);
    unsettled.delete(path);
  }
  reportUnnameable(options, state, scan);
  const changed = [...scan.files].filter(([path, seen]) => {
    const known = documents.get(path);
    if (known !== undefined && isUnchanged(state, known, seen)) {
      known.seen = seen;
      return false;
    }
    return refused.get(path) !== looksOf(state, seen);
  });
  const settled = changed.filter(([path, seen]) => isSettled(state, path, seen, options.settleMs));
  const { gone, isWaiting, troubles } = goneDocuments(options, state, scan);
  onTroubles(troubles);
  const sources = moveSources(state);
  let isDelayed = false;

  const delay = (path: string, error: unknown): void => {
    signal.throwIfAborted();
    isDelayed = true;
    options.report({ kind: "delayed", path, reason: messageOf(error) });
  };
  const step = (work: Promise<void>, path: string): Promise<void> => work.catch((error) => delay(path, error));
  const isSmall = ([, { bytes }]: [string, SeenFile]) =>
    options.target.putTogether !== undefined && bytes <= Math.min(maxSmallBytes, options.maxBytes);
  await Promise.all([
    inParallel(groupsOf(settled.filter(isSmall)), maxGroups, (files) =>
      takeSmallFiles(options, state, sources, files, delay, signal),
    ),
    inParallel(
      settled.filter((file) => !isSmall(file)),
      maxConcurrent,
      ([path, seen]) => step(takeFile(options, state, sources, path, seen, signal), path),
    ),
  ]);
  for (const document of gone) {
    signal.throwIfAborted();
    // A document that was moved meanwhile has another path, or its path belongs to another document now.
    const isCurrent = documents.get(document.path) === document;
    if (isCurrent) await step(removeGone(options, state, document, signal), document.path);
  }
  if (isDelayed) return "delayed";
  if (unsettled.size > 0) return "unsettled";
  if (state.missing.size === 0) return "nothing";
  return isWaiting ? "waiting" : "unsettled";
};

const groupsOf = (files: readonly [string, SeenFile][]): [string, SeenFile][][] => {
  const groups: [string, SeenFile][][] = [];
  let bytes = 0;
  for (const file of files) {
    const last = groups.at(-1);
    bytes += file[1].bytes;
    if (last !== undefined && last.length < maxTogether && bytes <= maxTogetherBytes) last.push(file);
    else {
      groups.push([file]);
      bytes = file[1].bytes;
    }
  }
  return groups;
};

const reportUnnameable = ({ report }: FollowOptions, { unnameable }: FolderState, scan: FolderScan): void => {
  const found = new Set(scan.unnameable);
  for (const path of unnameable) if (!found.has(path)) unnameable.delete(path);
  for (const path of found) {
    if (unnameable.has(path)) continue;
    unnameable.add(path);
    report({ kind: "refused", path, reason: "its name is not UTF-8: rename it to have it read" });
  }
};

/** Whether a file is not growing: it looks as it did at the last look, or was last written some time ago. */
const isSettled = (state: FolderState, path: string, seen: SeenFile, settleMs: number): boolean => {
  const { unsettled } = state;
  const looks = looksOf(state, seen);
  const ageMs = Date.now() - Date.parse(seen.modifiedAt);
  const isQuiet = unsettled.get(path) === looks || (!unsettled.has(path) && ageMs > settleMs);
  if (isQuiet) unsettled.delete(path);
  else unsettled.set(path, looks);
  return isQuiet;
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
