import type { DocumentRecord, Principal } from "../domain/records.ts";
import type { Reservation } from "../limits/quotas.ts";
import type { IndexedText } from "./index/index-text.ts";
import { textAmount } from "./ingest.ts";
import { newDocument } from "./new-document.ts";
import { choosePartition, type PartitionChoice } from "./partition-choice.ts";
import { prepareTexts } from "./prepare/prepare-document.ts";
import { type ReadText, withProperties } from "./prepare/source.ts";
import type { IngestRequest } from "./request.ts";
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
