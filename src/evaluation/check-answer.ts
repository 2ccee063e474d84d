import { holdsAny } from "./answers.ts";
import type { Check } from "./check.ts";

/** What a check looks at of the API's answer. */
export interface CheckedAnswer {
  answer: string | null;
  relevantDocuments: { id: string; name: string; metadata: { [key: string]: unknown } | null }[];
  relevantSnippets: { metadata: { content: string } }[];
  receipt: { confidence: number };
}

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(", ");

/** Marks stand between words of the answer: what is looked for must not stumble over them. */
const withoutMarks = (answer: string): string => answer.replace(/ ?\[\d+\]/g, "");

/** What is not as the check expects it, each in words; empty where all is. */
export const unmetExpectations = ({ expect }: Check, answer: CheckedAnswer): string[] => {
  const documents = answer.relevantDocuments;
  const isRefused = answer.relevantSnippets.length === 0;
  const confidence = `confidence ${answer.receipt.confidence.toFixed(2)}`;
  if (expect.refusal === true) {
    const found = quoted(documents.slice(0, 3).map(({ name }) => name));
    return isRefused ? [] : [`it was to be refused, and was answered from ${found} (${confidence})`];
  }
  if (isRefused) return [`it was refused (${confidence})`];
  const unmet: string[] = [];
  const missing = expect.documents.filter(
    (wanted) => !documents.some(({ id, name, metadata }) => [id, name, metadata?.externalId].includes(wanted)),
  );
  if (missing.length > 0)
    unmet.push(`no snippet is from ${quoted(missing)}, but from ${quoted(documents.map(({ name }) => name))}`);
  const text = withoutMarks(answer.answer ?? "");
  const notAnswered = expect.answer.filter((wanted) => !holdsAny(text, [wanted]));
  if (notAnswered.length > 0) unmet.push(`the answer does not hold ${quoted(notAnswered)}`);
  const held = [text, ...answer.relevantSnippets.map(({ metadata }) => metadata.content)];
  const notFound = expect.contains.filter((wanted) => !held.some((each) => holdsAny(each, [wanted])));
  if (notFound.length > 0) unmet.push(`neither the answer nor a snippet holds ${quoted(notFound)}`);
  return unmet;
};
