import type { Tenant } from "../domain/records.ts";
import type { SnippetView } from "../store/contract.ts";
import { type LikelyQuestion, likelyQuestions } from "./likely-questions.ts";
import { groupNearDuplicates } from "./near-duplicates.ts";

/** Random snippets that questions are made from: a few times as many as there are questions. */
const sampledSnippets = 500;
/** Questions made in all, and of one document: in a small store they would all ask for the same. */
const maxQuestions = 160;
const maxQuestionsOfDocument = 4;

export interface MadeQuestion {
  text: string;
  /** The documents that may answer it: its own and near-duplicates of it. */
  sources: ReadonlySet<string>;
}

/**
 * Questions made from random snippets of a tenant, each with the documents that may answer it. At most `maxQuestions`,
 * spread over the documents.
 * @throws the signal's reason
 */
export const gatherQuestions = async (
  view: SnippetView,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<MadeQuestion[]> => {
  const texts = new Map<string, string>();
  for (const { documentId, text } of await view.sample(tenant, sampledSnippets)) {
    const before = texts.get(documentId);
    texts.set(documentId, before === undefined ? text : `${before}\n\n${text}`);
  }
  const documents = [...texts].map(([id, text]) => ({ id, text }));
  const groups = await groupNearDuplicates(
    documents.map(({ text }) => text),
    signal,
  );
  const alike = new Map<number, Set<string>>();
  for (const [index, { id }] of documents.entries()) {
    const group = groups[index] ?? 0;
    alike.set(group, (alike.get(group) ?? new Set()).add(id));
  }
  const groupOf = new Map(documents.map(({ id }, index) => [id, groups[index] ?? 0]));
  const perDocument = Math.min(maxQuestionsOfDocument, Math.ceil(maxQuestions / Math.max(1, documents.length)));
  const made = await likelyQuestions(documents, perDocument, signal);
  return evenly(made, maxQuestions).map(({ document, text }) => ({
    text,
    sources: alike.get(groupOf.get(document) ?? 0) ?? new Set([document]),
  }));
};

const evenly = (questions: readonly LikelyQuestion[], count: number): LikelyQuestion[] => {
  const step = Math.max(1, questions.length / count);
  const chosen: LikelyQuestion[] = [];
  for (let at = 0; at < questions.length && chosen.length < count; at += step)
    chosen.push(questions[Math.floor(at)] as LikelyQuestion);
  return chosen;
};
