import type { DocumentRecord } from "../../domain/records.ts";
import { isSmallText } from "../index/analyzed-text.ts";
import type { IndexedText } from "../index/index-text.ts";
import { toPublication } from "../index/publication.ts";
import type { IngestPipeline, PipelineOptions } from "./contract.ts";
import { createLiveIndexing } from "./live-indexing.ts";
import { checkedText, readSource } from "./source.ts";

export const createPipeline = (options: PipelineOptions): IngestPipeline => {
  const { store, fetchUrl, fetchPage, parser, maxDocumentBytes } = options;

  const { indexAll, withLiveIndexes } = createLiveIndexing(options);

  return {
    async index(text, signal, indexOptions = {}) {
      const [indexed] = await indexAll([text], signal, indexOptions);
      return indexed as IndexedText;
    },
    indexTogether: (texts, urgency, signal) => indexAll(texts, signal, { urgency }),
    checkText: (text) => void checkedText(text, maxDocumentBytes),
    sizeOf: ({ text }) => (isSmallText(text) ? "small" : "large"),
    async read(source, signal, onProgress) {
      const dependencies = { blobs: store.blobs, fetchUrl, fetchPage, parser, maxDocumentBytes };
      const text = await readSource(dependencies, source, signal, (reached) =>
        onProgress?.({ pages: reached.page - 1, chunks: 0, embedded: 0 }, reached),
      );
      onProgress?.({ pages: text.pages.length, chunks: 0, embedded: 0 }, null);
      return text;
    },
    publish: (document, indexed, signal, isPendingText = false) =>
      withLiveIndexes([indexed], signal, async ([current = indexed]) => {
        // The store keeps a pending text under the document's id: a revision of that name need not write it again. Only
        // the first attempt may use it, since rows of a failed attempt may not be removed yet.
        const takesPendingText = isPendingText && document.revision === null && document.attempts === 0;
        const publication = toPublication(document, current, takesPendingText ? document.id : Bun.randomUUIDv7());
        await store.documents.publish(publication.document, publication.text, publication.snippets);
        return publication.document;
      }),
    publishNew: (documents, indexed, signal) =>
      withLiveIndexes(indexed, signal, async (current) => {
        const publications = current.map((text, at) =>
          toPublication(documents[at] as DocumentRecord, text, Bun.randomUUIDv7()),
        );
        await store.documents.publishNew(publications);
        return publications.map(({ document }) => document);
      }),
    publishImported: (documents, indexed, signal) =>
      withLiveIndexes(indexed, signal, async (current) => {
        const publications = current.map((text, at) => {
          const document = documents[at] as DocumentRecord;
          return toPublication(document, text, Bun.randomUUIDv7(), document.updatedAt);
        });
        const [first] = publications;
        if (first !== undefined && first.document.blobHash !== null)
          await store.documents.publish(first.document, first.text, first.snippets);
        else await store.documents.publishNew(publications);
        return publications.map(({ document }) => document);
      }),
  };
};
