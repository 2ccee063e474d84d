import type { Held } from "../async/in-flight.ts";
import { createWorkUnderWay, type WorkUnderWay } from "../async/in-parallel.ts";
import { ApiError } from "../domain/errors.ts";
import type { DocumentRecord, Principal } from "../domain/records.ts";
import type { TextToAnalyze } from "../ingest/index/analyzed-text.ts";
import { prepareDocument, prepareTexts } from "../ingest/prepare/prepare-document.ts";
import type { IngestWork } from "../ingest/work.ts";
import { IdTakenError } from "../store/contract/documents.ts";
import type { RecordEntry } from "./entry.ts";
import type { Kind } from "./format.ts";
import { importChat, importMessages, importPartition } from "./import-chats.ts";
import { addLeftOut, createIdentities, type Imported, type ImportRun, type LeftOut, noCounts } from "./import-run.ts";
import { type ReceivedLine, readEntries, refuse, type TakenEntry } from "./read-entries.ts";
import { type StagedDocument, stageDocument } from "./stage-document.ts";

/** The document took the file: its hold is not released at the end. */
const takesFile = (run: ImportRun, { blobHash }: DocumentRecord): void => {
  const at = blobHash === null ? -1 : run.files.indexOf(blobHash);
  if (at >= 0) run.files.splice(at, 1);
};

/** Another organization may take the ids again and again; more often than this nobody does without meaning to. */
const maxPlaces = 8;

/** Stores documents; where another organization takes the id of one meanwhile, under the ids that they get then. */
const placeAgainWhileTaken = async (
  run: ImportRun,
  staged: readonly StagedDocument[],
  store: (documents: DocumentRecord[]) => Promise<void>,
): Promise<void> => {
  for (let places = 1; ; places += 1) {
    try {
      return await store(staged.map(({ document }) => document));
    } catch (error) {
      if (!(error instanceof IdTakenError) || places === maxPlaces) throw error;
    }
    for (const one of staged)
      one.document = { ...one.document, id: (await run.identities.document(one.exportedId)).id };
  }
};

/** Stores small documents that name no file, all at once; searches find them when it returns. */
const storeSmall = async (run: ImportRun, staged: readonly StagedDocument[]): Promise<void> => {
  const { work, tenant, signal } = run;
  try {
    const texts = staged.map(({ found }) => found as TextToAnalyze);
    const indexed = await prepareTexts(work, { tenant, urgency: "background", signal }, texts);
    signal.throwIfAborted();
    await placeAgainWhileTaken(run, staged, async (documents) => {
      await work.pipeline.publishNew(documents, indexed, signal, true);
    });
    for (const one of staged) await settle(run, one);
  } catch (error) {
    if (signal.aborted || !isOfText(error)) throw error;
    for (const one of staged) await storeAlone(run, one); // one of them is the cause
  }
};

/** Stores one document: what can be searched at once is, the rest waits to be processed or is failed as it was. */
const storeAlone = async (run: ImportRun, staged: StagedDocument): Promise<void> => {
  const { work, tenant, signal } = run;
  const { found, pendingText } = staged;
  const { document } = staged;
  if (found === null) return await storeWithoutText(run, staged, document, pendingText);
  try {
    const options = { tenant, urgency: "background", characters: found.text.length, signal } as const;
    const steps = await prepareDocument(work, options);
    try {
      const { warnings, mimeType } = document;
      const read = { ...found, title: null, fileName: null, mimeType, warnings, blobHash: null, putsBlob: false };
      const indexed = await steps.index(read, document.name);
      signal.throwIfAborted();
      await placeAgainWhileTaken(run, [staged], async (documents) => {
        await work.pipeline.publishNew(documents, [indexed], signal, true);
      });
    } finally {
      await steps.end();
    }
  } catch (error) {
    if (signal.aborted || !isOfText(error)) throw error;
    const failed = { ...document, status: "failed" as const, error: (error as ApiError).message };
    return await storeWithoutText(run, staged, failed, found.text);
  }
  await settle(run, staged);
};

/** The error concerns this text alone: other texts can be indexed. */
const isOfText = (error: unknown): boolean => error instanceof ApiError && error.code === "unreadable_file";

const storeWithoutText = async (
  run: ImportRun,
  staged: StagedDocument,
  document: DocumentRecord,
  text: string | null,
): Promise<void> => {
  const { store, ingest } = run.work;
  staged.document = document;
  await placeAgainWhileTaken(run, [staged], async () => await store.documents.add(staged.document, text));
  const { id, organizationId, status } = staged.document;
  if (status === "pending") ingest.enqueue({ id, organizationId });
  noteStored(run, staged);
};

const noteStored = (run: ImportRun, { document, reserved, bytes }: StagedDocument): void => {
  takesFile(run, document);
  for (const reservation of reserved) {
    reservation.settle(true);
    run.reserved.delete(reservation);
  }
  run.count("documents", "added");
  run.held.drop(bytes);
};

/**
 * Ends the import of a published document: if it was to be processed again, or had failed meanwhile, that is stored
 * too.
 */
const settle = async (run: ImportRun, staged: StagedDocument): Promise<void> => {
  const { store, ingest } = run.work;
  const { document, pendingText } = staged;
  if (document.status !== "processed") {
    const { status, error, errorReason, updatedAt } = document;
    await store.documents.patch(
      run.tenant,
      document.id,
      { status, error, errorReason, updatedAt },
      pendingText ?? undefined,
    );
    if (status === "pending") ingest.enqueue({ id: document.id, organizationId: document.organizationId });
  }
  noteStored(run, staged);
};

/** Units of work at once: groups of small texts share their commits. */
const maxAtOnce = 16;
/** Text of the work under way at once; an analyzed character takes some ten bytes. A longer text is worked on alone. */
const maxCharacters = 4 * 1024 * 1024;

interface ImportCall {
  /** Who imports, into the whole organization. */
  tenant: Principal;
  lines: AsyncIterable<readonly ReceivedLine[]>;
  maxDocumentBytes: number;
  held: Pick<Held, "drop">;
  signal: AbortSignal;
}

/** Small documents that are indexed and stored together. */
const maxSmall = 32;
/** Messages that are stored in one commit. */
const maxMessages = 256;

/**
 * Stores the records of an export that the organization does not have yet. Texts are indexed, not parsed again; vectors
 * of the configured model are made afterwards. A record that exists already is kept as it is, so that a second import,
 * or one that continues a first, changes nothing. Ids stay the same, unless another organization has them: see
 * `derivedId`. What the quotas have no room for is left out.
 * @throws ApiError that names the record at fault; what came before it is stored
 */
export const importEntries = (work: IngestWork, call: ImportCall): Promise<Imported> =>
  // One at a time in an organization: two would both find that a record is missing.
  work.contentLock(JSON.stringify(["import", call.tenant.organizationId]), () => run(work, call));

/** An address that is left out leaves its record without one. */
const noAddress = "An address that is not http or https was left out; what it belonged to was not.";

const run = async (work: IngestWork, call: ImportCall): Promise<Imported> => {
  const counts = noCounts();
  const leftOut: LeftOut[] = [];
  const { store } = work;
  const note: ImportRun["note"] = (kind, code, reason, at = "") =>
    addLeftOut(leftOut, { kind, code, reason, count: 1, first: at === "" ? null : at });
  const importRun: ImportRun = {
    ...call,
    work,
    identities: createIdentities(store, call.tenant),
    begun: new Set(),
    ownFiles: new Set(),
    leftFiles: new Set(),
    files: [],
    reserved: new Set(),
    count: (kind, what) => {
      counts[kind][what] += 1;
    },
    note,
    leaveOut(kind, code, reason, at) {
      counts[kind].skipped += 1;
      note(kind, code, reason, at);
    },
  };
  const underWay = createWorkUnderWay(maxCharacters, maxAtOnce);
  const entries = readEntries(call.lines, (next) => importRun.identities.foreseeDocuments(documentIdsOf(next)));
  try {
    await takeEntries(importRun, entries, underWay);
    return { ...counts, leftOut };
  } finally {
    await underWay.settle().catch(() => undefined);
    for (const { settle } of importRun.reserved) settle(false);
    for (const hash of importRun.files) await store.blobs.release(hash).catch(() => undefined);
    await entries.return();
  }
};

/** The documents that these entries are, or name. */
const documentIdsOf = (entries: readonly TakenEntry[]): string[] => {
  const ids = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === "document") ids.add(entry.record.id);
    else if (entry.kind === "chat" && entry.record.documentId !== null) ids.add(entry.record.documentId);
  }
  return [...ids];
};

const takeEntries = async (
  run: ImportRun,
  entries: AsyncGenerator<TakenEntry, void>,
  underWay: WorkUnderWay,
): Promise<void> => {
  let small: StagedDocument[] = [];
  let messages: RecordEntry<"message">[] = [];
  let before: Kind = "partition";

  const storeGroup = async (): Promise<void> => {
    const group = small;
    small = [];
    if (group.length > 0) await underWay.start(charactersOf(group), () => storeSmall(run, group));
  };
  const storeMessages = async (): Promise<void> => {
    const group = messages;
    messages = [];
    if (group.length > 0) await importMessages(run, group);
  };
  /** A record may name those before it: they are all stored before the next kind begins. */
  const finishKind = async (): Promise<void> => {
    await storeGroup();
    await storeMessages();
    await underWay.settle();
  };

  for (let next = await entries.next(); next.done !== true; next = await entries.next()) {
    const entry = next.value;
    run.signal.throwIfAborted();
    if (entry.kind === "part") throw refuse("a part", "it follows no document");
    if (entry.kind !== before) await finishKind();
    before = entry.kind;
    if (entry.lostAddress) run.note(`${entry.kind}s`, "address_refused", noAddress, entry.at);
    if (entry.kind === "document") {
      const staged = await stageDocument(run, entry, entries);
      if (staged === null) continue;
      if (isSmall(run, staged)) small.push(staged);
      else await underWay.start(charactersOf([staged]), () => storeAlone(run, staged));
      if (small.length >= maxSmall) await storeGroup();
      continue;
    }
    if (entry.kind === "partition") await importPartition(run, entry.record);
    else if (entry.kind === "chat") await underWay.start(0, () => importChat(run, entry.record));
    else messages.push(entry);
    if (messages.length >= maxMessages) await storeMessages();
    run.held.drop(entry.bytes);
  }
  await finishKind();
};

const charactersOf = (staged: readonly StagedDocument[]): number =>
  staged.reduce((sum, { found, pendingText }) => sum + (found?.text.length ?? 0) + (pendingText?.length ?? 0), 0);

const isSmall = ({ work }: ImportRun, { document, found, pendingText }: StagedDocument): boolean =>
  document.blobHash === null && pendingText === null && found !== null && work.pipeline.sizeOf(found) === "small";
