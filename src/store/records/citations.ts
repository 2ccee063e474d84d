import type { Message, SourceDocument } from "../../domain/records.ts";

const documentOf = ({ metadata }: SourceDocument): string | null =>
  typeof metadata.documentUploadId === "string" ? metadata.documentUploadId : null;

/** Ids of the documents whose content the sources of a message hold, separated by spaces. */
export const citedDocuments = ({ sourceDocuments }: Message): string => {
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
