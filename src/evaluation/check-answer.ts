import { containsAny } from "./answers.ts";
import type { Check } from "./check.ts";

/** The fields of the API's answer that checks read. */
export interface CheckedAnswer {
  answer: string | null;
  relevantDocuments: { id: string; name: string; metadata: { [key: string]: unknown } | null }[];
  relevantSnippets: { metadata: { content: string } }[];
  receipt: { confidence: number };
}

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(", ");

/** Removes the source marks between the words of an answer. */
const withoutMarks = (answer: string): string => answer.replace(/ ?\[\d+\]/g, "");

/** The expectations that the answer does not meet, in words. */
export const unmetExpectations = ({ expect }: Check, answer: CheckedAnswer): string[] => {
  const documents = answer.relevantDocuments;
  const isRefused = answer.relevantSnippets.length === 0;
  const confidence = `confidence ${answer.receipt.confidence.toFixed(2)}`;
  if (expect.refusal === true) {
    const found = quoted(documents.slice(0, 3).map(({ name }) => name));
    return isRefused ? [] : [`it should have been refused, but was answered from ${found} (${confidence})`];
  }
  if (isRefused) return [`it was refused (${confidence})`];
  const unmet: string[] = [];
  const missing = expect.documents.filter(
    (wanted) => !documents.some(({ id, name, metadata }) => [id, name, metadata?.externalId].includes(wanted)),
  );
  if (missing.length > 0)
    unmet.push(`no snippet is from ${quoted(missing)}, but from ${quoted(documents.map(({ name }) => name))}`);
  const text = withoutMarks(answer.answer ?? "");
  const notAnswered = expect.answer.filter((wanted) => !containsAny(text, [wanted]));
  if (notAnswered.length > 0) unmet.push(`the answer does not contain ${quoted(notAnswered)}`);
  const held = [text, ...answer.relevantSnippets.map(({ metadata }) => metadata.content)];
  const notFound = expect.contains.filter((wanted) => !held.some((each) => containsAny(each, [wanted])));
  if (notFound.length > 0) unmet.push(`neither the answer nor a snippet contains ${quoted(notFound)}`);
  return unmet;
};
