import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { FileParser } from "../../providers/contract.ts";
import type { Embedder } from "../embedder/embedder.ts";
import { createFetcher } from "../ingest/fetch/fetcher.ts";
import { tracedPipeline } from "../ingest/prepare/contract.ts";
import { createDocumentTurns, type RecentTenants } from "../ingest/prepare/document-turn.ts";
import { createPipeline } from "../ingest/prepare/pipeline.ts";
import { createIngestQueue, type IngestQueue } from "../ingest/queue/queue.ts";
import { createIngestWork, type IngestWork } from "../ingest/work.ts";
import type { Quotas } from "../limits/quotas.ts";
import type { Logger } from "../log/log.ts";
import { createBuiltinParser } from "../parse/builtin-parser.ts";
import { createConfiguredParser } from "../parse/configured-parser.ts";
import { createPageFetcher, type PageFetcher } from "../sites/page-fetcher.ts";
import type { Store } from "../store/contract.ts";
import { ownCommand } from "../system/start-child.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { Parts } from "./parts.ts";

/** Everything that makes documents searchable: fetchers, parser, pipeline and queue. */
interface Ingest {
  queue: IngestQueue;
  work: IngestWork;
  pages: PageFetcher;
  builtinParser: FileParser;
  /** Stops the work on documents (they stay `pending`). */
  close(): Promise<void>;
  /** Ends the parser's processes. */
  closeParser(): Promise<void>;
}

interface IngestOptions {
  config: Config;
  log: Logger;
  store: Store;
  embedder: Embedder;
  quotas: Quotas;
  tracer: Tracer;
  /** Whom the server works for: told of documents here, of questions elsewhere. */
  tenants: RecentTenants;
  parts: Pick<Partial<Parts>, "parser" | "fetchUrl">;
}

export const createIngest = ({
  config,
  log,
  store,
  embedder,
  quotas,
  parts,
  tracer,
  tenants,
}: IngestOptions): Ingest => {
  const { maxDocumentBytes, concurrency } = config.ingest;
  const builtin = createBuiltinParser({
    timeoutMs: config.parser.timeoutMs,
    maxMemoryBytes: config.parser.maxMemoryBytes,
    maxPages: config.parser.maxPages,
    ocrLanguages: config.parser.ocrLanguages,
    ocrTimeoutMs: config.parser.ocrTimeoutMs,
    maxDocumentBytes,
    workerCommand: ownCommand("parse-worker", join(import.meta.dir, "../main.ts")),
    // As many files as may have a turn at being read.
    maxWorkers: 2 * concurrency,
  });
  const fetchUrl = parts.fetchUrl ?? createFetcher(config.fetch);
  const pages = createPageFetcher({ fetchUrl, pauseMs: config.scan.pauseMs });
  const untraced = createPipeline({
    store,
    fetchUrl,
    fetchPage: pages.fetchPage,
    parser: parts.parser ?? createConfiguredParser(config, builtin),
    embeddingFor: embedder.ingestModelFor,
    onPublished: embedder.documentsChanged,
    maxDocumentBytes,
    log,
  });
  const pipeline = tracedPipeline(untraced, tracer);
  const turns = createDocumentTurns(concurrency, tenants);
  const queue = createIngestQueue({ store, pipeline, turns, tracer, log });
  return {
    queue,
    work: createIngestWork({ store, pipeline, turns, ingest: queue, quotas, log }),
    pages,
    builtinParser: builtin,
    close: () => queue.close(),
    closeParser: () => builtin.close(),
  };
};
