import { type Static, Type } from "@sinclair/typebox";
import type { ConfigFault } from "../../config/fault.ts";
import { ApiError } from "../domain/errors.ts";
import { parseMetadataFilter } from "../retrieval/metadata-filter.ts";

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
