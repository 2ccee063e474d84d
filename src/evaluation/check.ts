import { type Static, Type } from "@sinclair/typebox";
import type { ConfigFault } from "../../config/fault.ts";
import { ApiError } from "../domain/errors.ts";
import { parseMetadataFilter } from "../retrieval/metadata-filter.ts";
import { containsAny } from "./answers.ts";

const texts = Type.Array(Type.String({ minLength: 1 }), { default: [] });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()], { default: null });

export const checkSchema = Type.Object(
  {
    question: Type.String({ minLength: 1 }),
    /** Name of the check in reports; the question if missing. */
    name: orNull(Type.String({ minLength: 1 })),
    /** Scope: partition by name or id, document by id, documents by a filter on their metadata. */
    partition: orNull(Type.String({ minLength: 1 })),
    document: orNull(Type.String({ minLength: 1 })),
    metadata: orNull(Type.Record(Type.String(), Type.Unknown())),
    /** Snippets the answer is made from; the server's default if missing. */
    snippets: orNull(Type.Integer({ minimum: 1, maximum: 50 })),
    expect: Type.Object(
      {
        /** Documents the snippets must be from, each by name, id or `externalId`. */
        documents: texts,
        /** What the answer or a snippet must contain. */
        contains: texts,
        /** What the answer itself must contain. */
        answer: texts,
        refusal: orNull(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

/** A question with what is expected of its answer. */
export type Check = Static<typeof checkSchema> & {
  /** `checks.yaml:12` */
  where: string;
};

/** Faults that the schema cannot see: expectations that no answer can meet, and checks that expect nothing. */
export const contradictionsIn = ({ expect, metadata, question, where }: Check, path: string): ConfigFault[] => {
  const faults: ConfigFault[] = [];
  const add = (key: string, message: string) => faults.push({ where, path: `${path}.${key}`, message });
  const isAnswered = expect.documents.length + expect.contains.length + expect.answer.length > 0;
  if (typeof question !== "string" || question.trim() === "") add("question", "must not be empty");
  if (!isAnswered && expect.refusal === null)
    add("expect", "expects nothing: it needs documents, contains, answer or refusal");
  if (isAnswered && expect.refusal === true)
    add("expect.refusal", "cannot be true where documents or an answer are expected");
  try {
    parseMetadataFilter(metadata);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    add("metadata", `is no filter: ${error.message}`);
  }
  return faults;
};

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
