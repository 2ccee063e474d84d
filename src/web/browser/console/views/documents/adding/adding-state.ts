import { computed, effect, signal } from "@preact/signals";
import type { Document as DocumentRecord, Partition } from "../../../../shared/api.ts";
import type { Client } from "../../../state/client.ts";
import { client, session } from "../../../state/session.ts";
import { noteChange } from "../record/document-actions.ts";
import type { ChosenFiles } from "./dropped-files.ts";
import { type FileToSend, sendFile } from "./send-file.ts";
import { createUploadQueue, type Upload } from "./upload-queue.ts";

/** The partition that the list shows, which new documents go to; null: none is chosen. */
export const addingPlace = signal<Partition | null>(null);

/** Files for which a partition is still to be chosen. */
export const offeredFiles = signal<ChosenFiles | null>(null);

export type AddingDialog = "page" | "site" | "text";
export const addingDialog = signal<AddingDialog | null>(null);

/** What is being added, wherever the reader goes in the console. */
export const uploads = createUploadQueue<FileToSend | null>({
  send(item, options) {
    if (item === null) throw new Error("This was not sent as a file.");
    return sendFile(item, options);
  },
});

/** How the documents are that the server has of these. */
export const batchDocuments = signal<
  ReadonlyMap<string, Pick<DocumentRecord, "progress" | "reading" | "status" | "name">>
>(new Map());

export const addFiles = ({ files }: ChosenFiles, partitionId: string | null): void => {
  if (!uploads.uploads.some(({ state }) => state !== "ready")) uploads.clear();
  uploads.add(
    files.map(({ file, path }) => ({
      name: file.name,
      item: { file, path, partitionId, idempotencyKey: crypto.randomUUID() },
    })),
  );
};

/** Documents that came otherwise than as files. */
export const followAdded = (documents: readonly { id: string; name: string }[]): void => {
  if (!uploads.uploads.some(({ state }) => state !== "ready")) uploads.clear();
  uploads.addSent(documents.map(({ id, name }) => ({ name, item: null, documentId: id })));
};

/** Files that go somewhere at once; only where there are partitions to choose from, and none is, it is asked. */
export const offerFiles = (files: ChosenFiles, hasPartitions: boolean): void => {
  if (files.files.length === 0) return;
  const isChosen = addingPlace.peek() !== null || !hasPartitions || session.peek()?.partitionId !== null;
  if (isChosen && !files.isCut) addFiles(files, addingPlace.peek()?.id ?? null);
  else offeredFiles.value = files;
};

/** Whether the browser still sends: then leaving the page would lose files. */
export const isSending = computed(
  () => uploads.changed.value >= 0 && uploads.uploads.some(({ state }) => state === "waiting" || state === "sending"),
);

const isSent = ({ state }: Upload<unknown>): boolean => state === "sent";
/** The first look shows what was added, soon; the pauses grow to the last of these. */
const pausesMs = [300, 700, 1_500];
/** A document may go back to waiting between two requests, and be seen by neither. */
const lookedTwice = 2;

let isFollowing = false;
const missed = new Map<string, number>();

/** Follows what the server has until all of it is read. */
const follow = async (): Promise<void> => {
  let known: string | null = null;
  for (let round = 0; uploads.uploads.some(isSent) && session.peek() !== null; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, pausesMs[round] ?? pausesMs.at(-1)));
    const sent = uploads.uploads.filter(isSent);
    const wanted = new Set(sent.flatMap(({ documentId }) => documentId ?? []));
    try {
      const { found, isWhole } = await readBatchStates(client, wanted, AbortSignal.timeout(60_000));
      batchDocuments.value = found;
      const newest = sent.at(-1)?.documentId ?? null;
      let isChanged = false;
      for (const upload of sent) {
        const document = found.get(upload.documentId ?? "");
        const times = document === undefined && isWhole ? (missed.get(upload.documentId ?? "") ?? 0) + 1 : 0;
        missed.set(upload.documentId ?? "", times);
        if (document?.status === "failed") uploads.settle(upload, "failed", document.error);
        else if (times >= lookedTwice) uploads.settle(upload, "ready", null);
        else continue;
        missed.delete(upload.documentId ?? "");
        isChanged = true;
      }
      if (isChanged || newest !== known) noteChange();
      known = newest;
    } catch {
      // The server is away for a moment: the next look tells.
    }
  }
  batchDocuments.value = new Map();
};

effect(() => {
  if (uploads.changed.value === 0 || isFollowing || !uploads.uploads.some(isSent)) return;
  isFollowing = true;
  void follow().finally(() => {
    isFollowing = false;
  });
});

let keyId: string | undefined;
effect(() => {
  const { id } = session.value ?? {};
  if (id === undefined || id === keyId) return;
  // Another key adds other things, perhaps elsewhere.
  if (keyId !== undefined) {
    uploads.stop();
    uploads.forgetAll();
  }
  keyId = id;
});

addEventListener("beforeunload", (event) => {
  if (isSending.peek()) event.preventDefault();
});

interface BatchStates {
  /** By id: those of the wanted documents that are waiting, being read, or failed. */
  found: ReadonlyMap<string, Pick<DocumentRecord, "status" | "error" | "progress" | "reading" | "name">>;
  /** Whether the others are certainly none of these: ready, or deleted. */
  isWhole: boolean;
}

const pageRows = 100;
/** Pages of a state that are asked for at a time. Beyond, what is not found is not known. */
const maxPages = 10;
/** In the order in which a document goes through them: one that moves on meanwhile is still found. */
const statuses = ["pending", "processing", "failed"] as const;

/**
 * How many documents are, in few requests: the lists of those that are not ready, newest first, as far back as the
 * oldest that is wanted. Ids are ordered by time.
 */
const readBatchStates = async (
  client: Client,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<BatchStates> => {
  const oldest = [...wanted].reduce((a, b) => (a < b ? a : b), "g");
  const found = new Map<string, DocumentRecord>();
  let isWhole = true;
  for (const status of statuses) {
    for (let page = 0; ; page += 1) {
      if (page === maxPages) {
        isWhole = false;
        break;
      }
      const query = { status, limit: pageRows, skip: page * pageRows };
      const { items } = await client.list<DocumentRecord>("/api/document", query, signal);
      for (const document of items) if (wanted.has(document.id)) found.set(document.id, document);
      const last = items.at(-1);
      if (items.length < pageRows || last === undefined || last.id < oldest) break;
    }
  }
  return { found, isWhole };
};
