import type { DocumentRecord, Principal } from "../domain/records.ts";
import type { Reservation } from "../limits/quotas.ts";
import type { IndexedText } from "./index/index-text.ts";
import { ingestDocument, textAmount } from "./ingest.ts";
import { newDocument } from "./new-document.ts";
import { choosePartition, type PartitionChoice } from "./partition-choice.ts";
import { prepareTexts } from "./prepare/prepare-document.ts";
import { type ReadText, withProperties } from "./prepare/source.ts";
import type { Ingested, IngestRequest } from "./request.ts";
import type { IngestWork } from "./work.ts";

/** A small text that becomes a new document, whatever is stored already. */
export interface NewSmallText {
  request: IngestRequest;
  name: string;
  /** What the source of the request holds. */
  read: Pick<ReadText, "text" | "pages" | "mimeType" | "warnings" | "properties">;
}

/** @returns null for a request of another kind */
export const newSmallText = (work: IngestWork, request: IngestRequest): NewSmallText | null => {
  const { source, name, upsert } = request;
  if (source.kind !== "text" || name === null || upsert || work.pipeline.sizeOf(source) !== "small") return null;
  return { request, name, read: { text: source.text, pages: [], mimeType: null, warnings: [] } };
};

/** The result for one text. */
type Outcome = { document: DocumentRecord } | { error: unknown };

/** What the steps share. */
interface Run {
  work: IngestWork;
  principal: Principal;
  signal: AbortSignal;
  /** In the order of the texts. */
  outcomes: Outcome[];
}

interface Placed {
  at: number;
  small: NewSmallText;
  choice: PartitionChoice;
}

/**
 * Ingests small texts, all at once: each costs a fraction of what it would alone. Searches find them when it returns.
 * @returns in the order of the texts; a failure of one does not affect the others
 */
export const ingestTexts = async (
  work: IngestWork,
  principal: Principal,
  texts: readonly NewSmallText[],
  signal: AbortSignal,
): Promise<Outcome[]> => {
  const run: Run = { work, principal, signal, outcomes: [] };
  const choose = partitionChooser(run);
  const placed: Placed[] = [];
  const reserved: [at: number, Reservation][] = [];
  for (const [at, small] of texts.entries()) {
    try {
      work.pipeline.checkText(small.read.text);
      const choice = await choose(small.request);
      reserved.push([at, await work.quotas.reserve(principal, textAmount(small.read.text))]);
      placed.push({ at, small, choice });
    } catch (error) {
      run.outcomes[at] = { error };
    }
  }
  try {
    if (placed.length > 0) await indexAndStore(run, placed);
  } finally {
    for (const [at, { settle }] of reserved) settle("document" in (run.outcomes[at] ?? {}));
  }
  return run.outcomes;
};

/** Looks up each requested partition once. */
const partitionChooser = ({ work, principal }: Run) => {
  const choices = new Map<string, Promise<PartitionChoice>>();
  return (request: IngestRequest): Promise<PartitionChoice> => {
    const key = JSON.stringify([request.partitionId, request.partition]);
    const choice = choices.get(key) ?? choosePartition(work.store, principal, request);
    choices.set(key, choice);
    return choice;
  };
};

const indexAndStore = async (run: Run, placed: readonly Placed[]): Promise<void> => {
  let indexed: IndexedText[];
  try {
    const options = { tenant: run.principal, urgency: "background", signal: run.signal } as const;
    const named = placed.map(({ small: { read, name } }) => ({ text: read.text, pages: read.pages, name }));
    indexed = await prepareTexts(run.work, options, named);
  } catch (error) {
    if (placed.length === 1 || run.signal.aborted) for (const { at } of placed) run.outcomes[at] = { error };
    else for (const one of placed) await indexAndStore(run, [one]); // one of them may be the cause
    return;
  }
  const texts = placed.map((one, at) => ({ ...one, indexed: indexed[at] as IndexedText }));
  const byChoice = Map.groupBy(texts, ({ choice }) => JSON.stringify(choice));
  await Promise.all([...byChoice.values()].map((group) => store(run, group)));
};

/** Stores the texts of one partition: all of them or none. */
const store = async (run: Run, group: readonly (Placed & { indexed: IndexedText })[]): Promise<void> => {
  const { work, principal, signal, outcomes } = run;
  const choice = group[0]?.choice ?? { kind: "unnamed" };
  try {
    const stored = await work.claims.withPartition(principal, choice, (partitionId) => {
      signal.throwIfAborted();
      const documents = group.map(({ small: { request, name, read } }) => {
        const document = newDocument(principal, request, name);
        const metadata = withProperties(request.metadata, read);
        const mimeType = read.mimeType ?? document.mimeType;
        return { ...document, metadata, mimeType, warnings: read.warnings, partitionId };
      });
      const texts = group.map(({ indexed }) => indexed);
      return work.pipeline.publishNew(documents, texts, signal);
    });
    for (const [index, { at }] of group.entries()) outcomes[at] = { document: stored[index] as DocumentRecord };
  } catch (error) {
    for (const { at } of group) outcomes[at] = { error };
  }
};

/** An upsert of a file that is read in a few milliseconds. */
export type SmallFileRequest = IngestRequest & { source: { kind: "file" }; name: string; externalId: string };

export type FileOutcome = Pick<Ingested, "document" | "takesFile"> | { error: unknown };

/**
 * Ingests small files. New ones become documents together, at a fraction of what each would cost alone, and searches
 * find them when it returns; one whose document exists is replaced, and one that cannot be read becomes a failed
 * document, each on its own.
 * @returns in the order of the requests; a failure of one does not affect the others
 */
export const ingestFiles = async (
  work: IngestWork,
  principal: Principal,
  requests: readonly SmallFileRequest[],
  signal: AbortSignal,
): Promise<FileOutcome[]> => {
  const texts = await Promise.all(requests.map((request) => readSmall(work, request, signal)));
  const outcomes: FileOutcome[] = [];
  await withExternalIds(work, principal, requests, async () => {
    const ids = requests.map(({ externalId }) => externalId);
    const taken = await work.store.documents.takenExternalIds(principal, ids);
    const added = [...texts.entries()].flatMap(([at, text]) =>
      text === null || taken.has(requests[at]?.externalId ?? "") ? [] : [{ at, text }],
    );
    if (added.length === 0) return;
    const ingested = await ingestTexts(
      work,
      principal,
      added.map(({ text }) => text),
      signal,
    );
    for (const [index, { at }] of added.entries()) {
      const outcome = ingested[index];
      // What failed is tried once more alone below, where its failure is written down.
      if (outcome !== undefined && "document" in outcome) outcomes[at] = { ...outcome, takesFile: true };
      else texts[at] = null;
    }
  });
  signal.throwIfAborted();
  await Promise.all(
    requests.map(async (request, at) => {
      if (outcomes[at] !== undefined) return;
      const mode = texts[at] === null ? "later" : "now";
      outcomes[at] = await ingestDocument(work, principal, request, mode, signal, "background").catch(
        (error: unknown) => ({ error }),
      );
    }),
  );
  return outcomes;
};

/** @returns null for a file that cannot be read, or whose text is not small */
const readSmall = async (
  { pipeline }: IngestWork,
  request: SmallFileRequest,
  signal: AbortSignal,
): Promise<NewSmallText | null> => {
  const read = await pipeline.read(request.source, signal).catch(() => null);
  return read === null || pipeline.sizeOf(read) !== "small" ? null : { request, name: request.name, read };
};

/** Runs work while nobody else adds a document under one of the external ids. */
const withExternalIds = async (
  { store }: IngestWork,
  principal: Principal,
  requests: readonly SmallFileRequest[],
  work: () => Promise<void>,
): Promise<void> => {
  // In one order for all callers: two of them do not wait for each other.
  const ids = [...new Set(requests.map(({ externalId }) => externalId))].sort();
  const locked = ids.reduceRight<() => Promise<void>>(
    (inner, id) => () => store.documents.withExternalId(principal, id, inner),
    work,
  );
  await locked();
};
