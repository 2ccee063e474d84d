import type { Chat, Message, SourceDocument } from "../../domain/records.ts";
import { isObject } from "../engine/cells.ts";
import { boolean, derived, float, json, nullableJson, nullableText, text } from "../engine/columns.ts";
import { foldCase } from "../engine/filters.ts";
import { defineTable } from "../engine/table-definition.ts";

const documentOf = ({ metadata }: SourceDocument): string | null =>
  typeof metadata.documentUploadId === "string" ? metadata.documentUploadId : null;

/** Ids of the documents whose content the sources of a message hold, separated by spaces. */
const citedDocuments = ({ sourceDocuments }: Message): string => {
  const ids = sourceDocuments.filter(({ deleted }) => deleted !== true).map(documentOf);
  return [...new Set(ids.filter((id) => id !== null))].join(" ");
};

/** The message without the content of removed documents in its sources. */
export const withoutContentOf = (message: Message, isGone: (documentId: string) => boolean): Message => {
  const isLost = (source: SourceDocument): boolean => {
    const id = documentOf(source);
    return source.deleted !== true && id !== null && isGone(id);
  };
  if (!message.sourceDocuments.some(isLost)) return message;
  const sourceDocuments = message.sourceDocuments.map((source) => (isLost(source) ? withoutContent(source) : source));
  return { ...message, sourceDocuments };
};

const withoutContent = ({ metadata }: SourceDocument): SourceDocument => {
  const { id, documentUploadId, _distance, page, start, end } = metadata;
  const kept = { id, documentUploadId, _distance, page, headings: [], start, end };
  return { metadata: { ...kept, deleted: true }, pageContent: "", deleted: true };
};

export const chatRows = defineTable<Chat, "nameFolded" | "titleFolded">({
  name: "chats",
  key: "id",
  indexes: { id: "btree", organizationId: "bitmap" },
  columns: {
    id: text,
    organizationId: text,
    name: text,
    nameFolded: derived(text, ({ name }) => foldCase(name)),
    title: nullableText,
    titleFolded: derived(nullableText, ({ title }) => (title === null ? null : foldCase(title))),
    userId: text,
    documentId: nullableText,
    partitionId: nullableText,
    public: boolean,
    logoUrl: nullableText,
    brandSettings: nullableJson(isObject),
    createdAt: float,
    named: boolean,
  },
});

const isSourceDocument = (value: unknown): value is SourceDocument =>
  isObject(value) &&
  typeof value.pageContent === "string" &&
  isObject(value.metadata) &&
  typeof value.metadata.id === "string";
const isSourceDocuments = (value: unknown): value is SourceDocument[] =>
  Array.isArray(value) && value.every(isSourceDocument);

export const messageRows = defineTable<Message, "cites">({
  name: "messages",
  key: "id",
  indexes: { id: "btree", chatId: "btree" },
  columns: {
    id: text,
    organizationId: text,
    chatId: text,
    thread: text,
    userId: text,
    isSystem: boolean,
    message: text,
    sourceDocuments: json(isSourceDocuments),
    cites: derived(text, citedDocuments),
    createdAt: float,
  },
});
