import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../domain/thrown.ts";
import { type FolderState, type FollowOptions, looksOf } from "./folder-state.ts";
import { openWithin } from "./open-within.ts";
import type { SeenFile } from "./scan-folder.ts";
import { type FolderDocument, type FolderFile, hashFile } from "./target.ts";

/** Codes for a file that was replaced by a link, or is gone: the next scan shows what is there now. */
const goneCodes = ["ENOENT", "ENOTDIR", "ELOOP"];

/**
 * Puts one file in, unless its document exists already. It is opened once: what is hashed is what is stored.
 * @throws what the target throws; the signal's reason
 */
export const takeFile = async (
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
  const leaveUnsettled = (now: Stats): void => {
    state.unsettled.set(path, looksOf(seenFileOf(now)));
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
      const code = codeOf(error);
      if (code !== null && goneCodes.includes(code)) return;
      return refuse(`it cannot be read${code === null ? "" : ` (${code})`}`);
    }
    const content = Bun.file(opened.fd);
    const file: FolderFile = { absolutePath: join(folder, path), path, sha256, content, ...seen };
    await putOrMove(options, state, file, refuse, signal);
  } finally {
    await opened?.close();
  }
};

const seenFileOf = (found: Stats): SeenFile => ({ bytes: found.size, modifiedAt: found.mtime.toISOString() });

const looksLike = (now: Stats, seen: SeenFile): boolean => now.isFile() && looksOf(seenFileOf(now)) === looksOf(seen);

const putOrMove = async (
  { target, report }: FollowOptions,
  { documents, refused, missing }: FolderState,
  file: FolderFile,
  refuse: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { path, sha256, bytes, modifiedAt } = file;
  const remember = (id: string): void => {
    documents.set(path, { id, path, sha256, bytes, modifiedAt, isMisplaced: false });
    refused.delete(path);
    missing.delete(path);
  };
  /** A document of the same content whose file is gone. */
  const isSource = (document: FolderDocument): boolean =>
    document.sha256 === sha256 && missing.has(document.path) && !document.isMisplaced;
  const putBack = (source: FolderDocument): void => {
    documents.set(source.path, source);
    missing.add(source.path);
  };
  const known = documents.get(path);
  if (known?.sha256 === sha256 && !known.isMisplaced) return remember(known.id);
  const source = known === undefined ? [...documents.values()].find(isSource) : undefined;
  if (source !== undefined) {
    // Claimed before the wait, so that no second file gets the same document.
    documents.delete(source.path);
    missing.delete(source.path);
    const isMoved = await target.move(source.id, file, signal).catch((error: unknown) => {
      putBack(source);
      throw error;
    });
    if (isMoved) {
      remember(source.id);
      report({ kind: "moved", path, from: source.path, documentId: source.id });
      return;
    }
    putBack(source);
  }
  const outcome = await target.put(file, signal);
  if (!outcome.stored) return refuse(outcome.reason);
  remember(outcome.documentId);
  report({ kind: "stored", path, documentId: outcome.documentId, status: outcome.status });
};
