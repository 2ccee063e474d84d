import { Type } from "@sinclair/typebox";
import { choiceField, nullable } from "../http/schema/fields.ts";
import { kinds } from "./format.ts";

/** One line of an export as it is sent. The records themselves are described in docs/export.md. */
export const entrySchema = Type.Object(
  {
    kind: choiceField(["organization", ...kinds, "part", "end"], {
      description:
        "What the line is: a record of this kind, a part of the document before it, or the beginning or end of an export.",
    }),
    record: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "The record, as in the file of its kind." }),
    ),
    at: Type.Optional(Type.String({ description: "Where it comes from: errors name it." })),
    follows: Type.Optional(
      Type.Array(choiceField(["text", "pendingText", "file"]), {
        description: "Of a document: what follows it in parts. Texts of more than 65,536 characters, and its file.",
      }),
    ),
    of: Type.Optional(
      choiceField(["text", "pendingText", "file"], { description: "Of a part: what it is a part of." }),
    ),
    data: Type.Optional(Type.String({ description: "Of a part: a piece of the text, or of the file in Base64." })),
    last: Type.Optional(Type.Boolean({ description: "Of a part: whether it is the last one." })),
  },
  { $id: "ExportEntry", description: "One line of an export." },
);

const countSchema = (what: string) =>
  Type.Object(
    {
      added: Type.Integer({ description: "Were missing, and were stored." }),
      present: Type.Integer({ description: "Were here already." }),
      kept: Type.Integer({ description: "Were here already, but changed since: what is here was kept." }),
      skipped: Type.Integer({ description: "Were left out: `leftOut` says why." }),
    },
    { description: `How many ${what} were stored, kept or left out.` },
  );

export const importAnswerSchema = Type.Object(
  {
    partitions: countSchema("partitions"),
    documents: countSchema("documents"),
    chats: countSchema("chats"),
    messages: countSchema("messages"),
    leftOut: Type.Array(
      Type.Object({
        kind: choiceField(["partitions", "documents", "chats", "messages"], { description: "Of what." }),
        code: Type.String({
          description:
            "`quota_reached`: there is no room for them. `file_left_out`: their file came with such a document. `chat_missing`: messages of a chat that is neither here nor sent. `id_taken`: others have every id that they could get. `address_refused`: an address that is not http or https, without which the record was stored.",
        }),
        reason: Type.String({ description: "Why, in words." }),
        count: Type.Integer({ description: "How many." }),
        first: nullable(Type.String({ description: "The first of them, as `at` or the number of its line says." })),
      }),
      { description: "What was not stored and why; empty where everything was." },
    ),
  },
  { $id: "Imported", description: "How many of the sent records were stored, kept or left out." },
);

export const importExample = {
  request:
    '{"kind":"partition","record":{"id":"0198f6a2-7c3e-7b1a-9d54-2f6b8c0e4a17","name":"Manuals","createdAt":"2026-01-31T09:30:00.000Z"}}\n',
  response: {
    partitions: { added: 1, present: 0, kept: 0, skipped: 0 },
    documents: { added: 0, present: 0, kept: 0, skipped: 0 },
    chats: { added: 0, present: 0, kept: 0, skipped: 0 },
    messages: { added: 0, present: 0, kept: 0, skipped: 0 },
    leftOut: [],
  },
};
