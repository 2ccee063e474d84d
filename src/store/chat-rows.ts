import type { Chat, Message, SourceDocument } from "../domain/records.ts";
import { citedDocuments } from "./citations.ts";
import { isObject, parseJson } from "./engine/cells.ts";
import { foldCase } from "./engine/filters.ts";
import { boolean, float, nullableText, schemaOf, type TableDefinition, text } from "./engine/table-definition.ts";

export const chatRows: TableDefinition<Chat> = {
  name: "chats",
  schema: schemaOf(
    text("id"),
    text("organizationId"),
    text("name"),
    text("nameFolded"),
    nullableText("title"),
    nullableText("titleFolded"),
    text("userId"),
    nullableText("documentId"),
    nullableText("partitionId"),
    boolean("public"),
    nullableText("logoUrl"),
    nullableText("brandSettings"),
    float("createdAt"),
    boolean("named"),
  ),
  key: "id",
  indexes: { id: "btree", organizationId: "bitmap" },
  encode: (chat) => ({
    id: chat.id,
    organizationId: chat.organizationId,
    name: chat.name,
    nameFolded: foldCase(chat.name),
    title: chat.title,
    titleFolded: chat.title === null ? null : foldCase(chat.title),
    userId: chat.userId,
    documentId: chat.documentId,
    partitionId: chat.partitionId,
    public: chat.public,
    logoUrl: chat.logoUrl,
    brandSettings: chat.brandSettings === null ? null : JSON.stringify(chat.brandSettings),
    createdAt: chat.createdAt,
    named: chat.named,
  }),
  decode: (row) => {
    const brandSettings = row.nullableString("brandSettings");
    return {
      id: row.string("id"),
      organizationId: row.string("organizationId"),
      name: row.string("name"),
      title: row.nullableString("title"),
      userId: row.string("userId"),
      documentId: row.nullableString("documentId"),
      partitionId: row.nullableString("partitionId"),
      public: row.boolean("public"),
      logoUrl: row.nullableString("logoUrl"),
      brandSettings: brandSettings === null ? null : parseJson(brandSettings, isObject),
      createdAt: row.number("createdAt"),
      named: row.boolean("named"),
    };
  },
};

const isSourceDocument = (value: unknown): value is SourceDocument =>
  isObject(value) &&
  typeof value.pageContent === "string" &&
  isObject(value.metadata) &&
  typeof value.metadata.id === "string";
const isSourceDocuments = (value: unknown): value is SourceDocument[] =>
  Array.isArray(value) && value.every(isSourceDocument);

export const messageRows: TableDefinition<Message> = {
  name: "messages",
  schema: schemaOf(
    text("id"),
    text("organizationId"),
    text("chatId"),
    text("thread"),
    text("userId"),
    boolean("isSystem"),
    text("message"),
    text("sourceDocuments"),
    text("cites"),
    float("createdAt"),
  ),
  key: null,
  indexes: { chatId: "btree" },
  encode: (message) => ({
    id: message.id,
    organizationId: message.organizationId,
    chatId: message.chatId,
    thread: message.thread,
    userId: message.userId,
    isSystem: message.isSystem,
    message: message.message,
    sourceDocuments: JSON.stringify(message.sourceDocuments),
    cites: citedDocuments(message),
    createdAt: message.createdAt,
  }),
  decode: (row) => ({
    id: row.string("id"),
    organizationId: row.string("organizationId"),
    chatId: row.string("chatId"),
    thread: row.string("thread"),
    userId: row.string("userId"),
    isSystem: row.boolean("isSystem"),
    message: row.string("message"),
    sourceDocuments: parseJson(row.string("sourceDocuments"), isSourceDocuments),
    createdAt: row.number("createdAt"),
  }),
};
