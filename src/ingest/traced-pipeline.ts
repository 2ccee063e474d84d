import type { Tracer } from "../tracing/tracer.ts";
import type { IngestPipeline } from "./contract.ts";

/** The same pipeline; each step of a document is a span. */
export const tracedPipeline = (pipeline: IngestPipeline, { span }: Pick<Tracer, "span">): IngestPipeline => ({
  ...pipeline,
  read: (source, signal, onProgress) =>
    span("ingest.read", (read) => {
      read.note({ "carrel.source": source.kind });
      return pipeline.read(source, signal, onProgress);
    }),
  index: (text, signal, options) => span("ingest.index", () => pipeline.index(text, signal, options)),
  indexTogether: (texts, urgency, signal) =>
    span("ingest.index", (index) => {
      index.note({ "carrel.documents": texts.length });
      return pipeline.indexTogether(texts, urgency, signal);
    }),
  publish: (document, indexed, signal, isPendingText) =>
    span("ingest.publish", () => pipeline.publish(document, indexed, signal, isPendingText)),
  publishNew: (documents, indexed, signal) =>
    span("ingest.publish", (publish) => {
      publish.note({ "carrel.documents": documents.length });
      return pipeline.publishNew(documents, indexed, signal);
    }),
});
