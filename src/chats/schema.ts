import { type Static, Type } from "@sinclair/typebox";
import { doubts } from "../answers/doubt.ts";
import { receiptExample, snippetExample } from "../answers/examples.ts";
import { receiptSchema } from "../answers/receipt-schema.ts";
import { sourceDocumentSchema, sourceSnippetSchema, streamSchema } from "../answers/schema.ts";
import {
  choiceField,
  idField,
  nameField,
  nullable,
  objectField,
  pagingFields,
  questionField,
  scopeField,
  searchField,
  textField,
  timeField,
  titleField,
  userIdField,
} from "../http/schema/fields.ts";
import { feedbackSchema } from "../receipts/schema.ts";

const settings = {
  title: Type.Optional(nullable(titleField("Title, shown in the header of an embedded chat."))),
  documentId: Type.Optional(nullable(scopeField(idField("Document to chat with.")))),
  partitionId: Type.Optional(
    nullable(
      scopeField(idField("Partition to chat with. One of the two is enough; sent with `documentId`, both must apply.")),
    ),
  ),
  userId: Type.Optional(userIdField("Your own name for the user who is chatting; without it, the key's user.")),
  logoUrl: Type.Optional(
    nullable(
      textField({
        maxLength: 2_048,
        description: "Logo shown in the header of an embedded chat: an http or https address.",
      }),
    ),
  ),
  public: Type.Optional(
    Type.Boolean({ description: "Whether the chat can be used without a key. `false` where it is not given." }),
  ),
  brandSettings: Type.Optional(
    nullable(objectField({ description: "Colors and texts of an embedded chat: any JSON object, at most 64 KiB." })),
  ),
  name: Type.Optional(
    nameField("Name in lists. Without it the title, else `New chat` until the first message gives it its first words."),
  ),
};

export const chatSettingsBody = Type.Object(settings, {
  $id: "ChatSettings",
  "x-not-both": ["documentId", "partitionId"],
  examples: [{ title: "Opening hours", public: true }],
});
export type ChatSettings = Static<typeof chatSettingsBody>;

export const chatListQuery = Type.Object({
  ...pagingFields,
  sortBy: Type.Optional(
    choiceField(["createdAt", "name", "title"], { default: "createdAt", description: "Field to sort by." }),
  ),
  searchValue: Type.Optional(searchField("Chats whose name holds this, in any case.")),
});

export const chatQuery = Type.Object({
  userId: Type.Optional(userIdField("With a key: only the conversation of this user.")),
});

export const messageBody = Type.Object(
  {
    message: questionField("Content of the message, 1 to 8,000 characters."),
    userId: Type.Optional(
      userIdField(
        "Your own name for the sender, who keeps a conversation apart from other senders'; without it, the key's user.",
      ),
    ),
    stream: Type.Optional(
      Type.Boolean({ description: "Answer with server-sent events, as `Accept: text/event-stream` does." }),
    ),
  },
  { $id: "MessageRequest" },
);
export type MessageBody = Static<typeof messageBody>;

const toVisitors = "Null to a visitor without a key.";

const chatFields = {
  id: Type.String({ description: "Identifier of the chat." }),
  createdAt: timeField("When it was created."),
  name: nullable(Type.String({ description: `Name in lists. ${toVisitors}` })),
  userId: nullable(Type.String({ description: `User who created it. ${toVisitors}` })),
  organizationId: nullable(Type.String({ description: `Organization it belongs to. ${toVisitors}` })),
  documentId: nullable(Type.String({ description: `Document it is about. ${toVisitors}` })),
  partitionId: nullable(Type.String({ description: `Partition it is about. ${toVisitors}` })),
  public: Type.Boolean({ description: "Usable without a key." }),
  title: nullable(Type.String({ description: "Title on its page." })),
  logoUrl: nullable(Type.String({ description: "Address of the logo on its page." })),
  brandSettings: nullable(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: "Colors and texts of its page, as they were sent; to a visitor without a key what the page draws.",
      },
    ),
  ),
};

export const chatSchema = Type.Object(chatFields, {
  $id: "Chat",
  description: "A stored conversation over documents.",
});

const messageFields = {
  id: Type.String({ description: "Identifier of the message." }),
  message: Type.String({ description: "Content of the message." }),
  isSystem: Type.Boolean({ description: "True where the AI sent it." }),
  organizationId: nullable(Type.String({ description: `Organization it belongs to. ${toVisitors}` })),
  chatId: Type.String({ description: "Chat that it belongs to." }),
  createdAt: timeField("When it was sent."),
  userId: nullable(Type.String({ description: `User who sent the message, or to whom it answers. ${toVisitors}` })),
  sourceDocuments: Type.Array(sourceDocumentSchema, { description: "Passages the answer is made from." }),
};

const messageSchema = Type.Object(
  { ...messageFields, feedback: Type.Optional(feedbackSchema) },
  { $id: "Message", description: "A message of a chat; `feedback`, where there is some, is what you said of it." },
);

export const sentMessageSchema = Type.Object(
  {
    ...messageFields,
    doubt: nullable(
      choiceField(doubts, {
        description:
          "What the reader should know before trusting a model's answer. `unsure`: the documents may not hold the answer; `partly`, `unsupported`: they bear out a part of it, or nothing.",
      }),
    ),
    receipt: nullable(receiptSchema),
  },
  { $id: "SentMessage", description: `The answer's message. \`receipt\` says how the answer was made. ${toVisitors}` },
);

export const chatWithMessagesSchema = Type.Object(
  { ...chatFields, messages: Type.Array(messageSchema, { description: "Oldest first." }) },
  { $id: "ChatWithMessages", description: "A chat with its messages; to a visitor, that visitor's own." },
);

export const messageEventSchema = streamSchema("MessageEvent", sentMessageSchema, sourceSnippetSchema);

export const visitorHeaders = Type.Object({
  "X-Visitor-Token": Type.Optional(
    textField({ description: "Without a key: the token that the answer to the visitor's first request carried." }),
  ),
});

/** What the API page shows; tests hold these against the schemas. */

export const chatExample = {
  id: "0197a1c4-1f2e-7d10-a2b3-5c6d7e8f9012",
  createdAt: "2026-01-31T09:31:00.000Z",
  name: "Opening hours",
  userId: "admin",
  organizationId: "0197a1c0-0000-7000-8000-000000000001",
  documentId: null,
  partitionId: null,
  public: false,
  title: "Opening hours",
  logoUrl: null,
  brandSettings: null,
};

const question = {
  id: "0197a1c4-8a01-7e22-b3c4-6d7e8f901234",
  message: "When do you open in winter?",
  isSystem: false,
  organizationId: chatExample.organizationId,
  chatId: chatExample.id,
  createdAt: "2026-01-31T09:31:20.000Z",
  userId: "admin",
  sourceDocuments: [],
};

const answer = {
  ...question,
  id: "0197a1c4-8b40-7f33-84d5-7e8f90123456",
  message: "In winter the reading room opens at nine. [1]",
  isSystem: true,
  createdAt: "2026-01-31T09:31:20.041Z",
  sourceDocuments: [{ metadata: snippetExample.metadata, pageContent: snippetExample.metadata.content }],
};

export const chatWithMessagesExample = { ...chatExample, messages: [question, answer] };

export const sentMessageExample = { ...answer, doubt: null, receipt: receiptExample };
