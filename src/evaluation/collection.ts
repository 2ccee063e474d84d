import { inParallel } from "../async/in-parallel.ts";
import { maxQuestionCharacters } from "../domain/records.ts";
import type { PageStart } from "../text/chunk/chunk.ts";

/** What is measured: Carrel with a set of documents in it, in process or over HTTP. */

export interface SourceDocument {
  /** Id in the set. */
  id: string;
  title: string;
  text: string;
  /** Where its pages begin, ascending; left out if it has none. */
  pages?: readonly PageStart[];
}

/** Makes collections, each with its own documents only. */
export interface Collections {
  /** Ingests the documents of a set. @param onDone called with the number of ingested documents */
  ingest(name: string, documents: readonly SourceDocument[], onDone?: (count: number) => void): Promise<Collection>;
  /** Removes everything that was put in. */
  close(): Promise<void>;
}

export interface FoundPiece {
  /** Id the document had in the set. */
  document: string;
  /** Range in the document's text. */
  start: number;
  end: number;
  /** The page it is cited on; left out where no page is measured. */
  page?: number | null;
}

export interface Found {
  /** Best first. */
  pieces: FoundPiece[];
  /** An answer is refused at an `answers.refusalThreshold` above this, 0 to 1. */
  refusedAbove: number;
  /** The embedding model failed: full text answered alone. */
  textAlone?: boolean;
}

interface Answered {
  /** What was quoted, best first; a model's answer is one piece. Empty if the question was refused. */
  quotations: string[];
  /** Texts of the snippets it was made from, best first. */
  snippets: string[];
  /** A model wrote it, so it may differ from the documents' words. */
  byModel: boolean;
}

/** What is searched: both legs and fused, or one of them alone. */
export type Legs = "fused" | "text" | "vectors";

export interface Collection {
  search(query: string, limit: number, legs: Legs): Promise<Found>;
  answer(query: string): Promise<Answered>;
  /** Searches that this collection supports. */
  readonly legs: readonly Legs[];
  /** Questions that may run at the same time. */
  readonly maxAtOnce: number;
}

/**
 * One call of the API.
 * @param path as in `/api/search`; without a body it is read (GET)
 * @returns the answer's JSON
 * @throws Error with the message of a failed answer
 */
export type Call = <Answer>(path: string, body?: object, method?: string) => Promise<Answer>;

/** Requests at the same time: documents, which the store writes in groups, and questions. */
const maxDocumentsAtOnce = 16;
const maxQuestionsAtOnce = 4;
/** Longest name of a document, in characters. */
const maxNameLength = 255;

/**
 * A collection in one partition.
 * @param partition its name; created if missing
 * @returns the partition's id with the collection; documents without text are left out, because no question could find them
 */
export const ingestOverHttp = async (
  call: Call,
  partition: string,
  documents: Parameters<Collections["ingest"]>[1],
  onDone: (count: number) => void = () => {},
): Promise<{ partitionId: string; collection: Collection }> => {
  const { id: partitionId } = await call<{ id: string }>("/api/partition", { name: partition });
  const idOfDocument = new Map<string, string>();
  let done = 0;
  const readable = documents.filter(({ text }) => text.trim() !== "");
  await inParallel(readable, maxDocumentsAtOnce, async ({ id, title, text }) => {
    const record = await call<{ id: string }>("/api/ingest", { text, name: nameOf(title) || nameOf(id), partitionId });
    idOfDocument.set(record.id, id);
    onDone(++done);
  });
  const collection: Collection = {
    legs: ["fused"],
    maxAtOnce: maxQuestionsAtOnce,
    async search(query, limit) {
      const body = { query: questionOf(query), partitionId, numberOfDocumentsInContext: limit };
      return foundIn(await call<Answer>("/api/search", body), idOfDocument);
    },
    async answer(query) {
      return answeredIn(await call<Answer>("/api/query", { query: questionOf(query), partitionId }));
    },
  };
  return { partitionId, collection };
};

const nameOf = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, maxNameLength)
    .toWellFormed();

const questionOf = (query: string): string => query.slice(0, maxQuestionCharacters).toWellFormed();

interface Answer {
  answer: string | null;
  relevantSnippets: { metadata: { documentUploadId: string; content: string; start: number; end: number } }[];
  receipt: {
    refusedAbove: number;
    searched: { vectors: number };
    model: { provider: string; name: string } | null;
  };
}

const foundIn = ({ relevantSnippets, receipt }: Answer, idOfDocument: ReadonlyMap<string, string>): Found => ({
  pieces: relevantSnippets.map(({ metadata: { documentUploadId, start, end } }) => ({
    document: idOfDocument.get(documentUploadId) ?? documentUploadId,
    start,
    end,
  })),
  refusedAbove: receipt.refusedAbove,
  textAlone: receipt.searched.vectors === 0,
});

const answeredIn = ({ answer, relevantSnippets, receipt }: Answer): Answered => {
  const snippets = relevantSnippets.map(({ metadata }) => metadata.content);
  if (answer === null || snippets.length === 0) return { quotations: [], snippets, byModel: false };
  const byModel = receipt.model !== null && receipt.model.provider !== "builtin";
  return { quotations: byModel ? [answer] : quotationsOf(answer), snippets, byModel };
};

/** A quoted answer has a line for each quotation, with its mark at the end; other lines are Carrel's own words. */
const quotationsOf = (answer: string): string[] =>
  answer.split("\n").flatMap((line) => (/ \[\d+\]$/.test(line) ? [line.replace(/ \[\d+\]$/, "")] : []));
