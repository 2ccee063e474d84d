import { inParallel } from "../async/in-parallel.ts";
import { maxQuestionCharacters } from "../domain/records.ts";
import type { Answered, Collection, Collections, Found } from "./collection.ts";

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
