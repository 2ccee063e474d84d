import { readAnswerTexts, type TextCount } from "../documents/answer-texts.ts";
import { documentJson, type WithEmbedder } from "../documents/document-json.ts";
import type { SourceDocument } from "../domain/records.ts";
import { type WarningReader, warningText } from "../models/warning.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";
import type { Store } from "../store/contract.ts";
import type { Answer, Receipt } from "./answer-event.ts";

/** Names of the columns of the table that a snippet begins in the middle of, as chunking keeps them. */
const columnsOf = ({ context }: FoundSnippet): string[] => (context === "" ? [] : context.split(" | "));

const snippetMetadata = (snippet: FoundSnippet) => ({
  id: snippet.id,
  documentUploadId: snippet.documentId,
  content: snippet.text,
  _distance: snippet.distance,
  page: snippet.page,
  headings: snippet.headings,
  columns: columnsOf(snippet),
  start: snippet.start,
  end: snippet.end,
});

/** A snippet in `relevantSnippets` and in the event `snippets`. */
export const snippetJson = (snippet: FoundSnippet) => ({ metadata: snippetMetadata(snippet) });

/** What a visitor of a public chat sees of a snippet: its text and place, not which record it is, nor of which document. */
const metadataForVisitor = (metadata: SourceDocument["metadata"]) => {
  const { content, _distance, page, headings, columns, start, end, deleted } = metadata;
  return { id: null, documentUploadId: null, content, _distance, page, headings, columns, start, end, deleted };
};

export const snippetJsonForVisitor = (snippet: FoundSnippet) => ({
  metadata: metadataForVisitor(snippetMetadata(snippet)),
});

/** The same of a snippet beside a stored message. */
export const sourceDocumentForVisitor = ({ metadata, pageContent, deleted }: SourceDocument) => ({
  metadata: metadataForVisitor(metadata),
  pageContent,
  deleted,
});

/** A snippet as it is stored with a chat message. */
export const sourceDocument = (snippet: FoundSnippet): SourceDocument => ({
  metadata: snippetMetadata(snippet),
  pageContent: snippet.text,
});

/** The snippet that a message's source was; none for one whose document was deleted. */
export const snippetOfSource = ({ metadata, pageContent, deleted }: SourceDocument): FoundSnippet[] => {
  const { id, documentUploadId, page, headings, columns, start, end } = metadata;
  if (deleted === true || typeof documentUploadId !== "string") return [];
  return [
    {
      id,
      documentId: documentUploadId,
      text: pageContent,
      context: Array.isArray(columns) ? columns.join(" | ") : "",
      headings: Array.isArray(headings) ? headings.map(String) : [],
      page: typeof page === "number" ? page : null,
      start: typeof start === "number" ? start : 0,
      end: typeof end === "number" ? end : pageContent.length,
      position: 0,
      distance: metadata._distance,
      score: 1,
    },
  ];
};

/** The receipt, with the warnings that this reader may see. */
export const receiptJson = (receipt: Receipt, reader: WarningReader) => ({
  ...receipt,
  warnings: receipt.warnings.map((warning) => warningText(warning, reader)),
});

/**
 * The whole answer. The documents' texts are read only if the caller asks for them.
 * @throws ApiError answer_too_large, overloaded
 */
export const answerJson = async (
  { store, embedder }: { store: Pick<Store, "documents"> } & WithEmbedder,
  answer: Answer,
  options: { baseUrl: string; includeText: boolean; held: TextCount; reader: WarningReader },
) => {
  const texts = options.includeText ? await readAnswerTexts(store, answer.documents, options.held) : null;
  const { seesReasons } = options.reader;
  const have = await embedder.haveVectors(answer.documents);
  return {
    answer: answer.answer,
    relevantDocuments: answer.documents.map((document, at) =>
      documentJson(document, {
        baseUrl: options.baseUrl,
        text: texts?.get(document.id) ?? null,
        isEmbedded: have[at] === true,
        seesReasons,
      }),
    ),
    relevantSnippets: answer.snippets.map(snippetJson),
    receipt: receiptJson(answer.receipt, options.reader),
  };
};
