import { createKeyedMutex, type KeyedMutex } from "../../async/keyed-mutex.ts";
import type { Tenant } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import type { Store } from "../../store/contract.ts";
import { noTracer, ownTrace, type Tracer } from "../../tracing/tracer.ts";
import type { IngestPipeline } from "../prepare/contract.ts";
import type { DocumentTurns } from "../prepare/document-turn.ts";
import { createWatchers, type IngestState, type Watchers } from "../prepare/replace-document.ts";
import { type Backlog, createBacklog, createHeldDocuments, createPausedDocuments, type Waiting } from "./backlog.ts";
import { maxStarts, type ProcessDependencies, processDocument } from "./process-document.ts";
import { createRunningJobs } from "./running-jobs.ts";

/**
 * Only a server that has run for this long starts a document for the last time: a server that is killed again and again
 * is not the document's fault.
 */
const lastStartAfterMs = 5_000;

interface JobDependencies extends ProcessDependencies {
  /** Held by one document at a time of those whose processing was cut off before. */
  oneAtATime: KeyedMutex;
  /** When the queue was created (`performance.now()`). */
  startedAt: number;
}

/**
 * Processes one waiting document to its end: published, failed with its reason, or put back. Documents that were being
 * processed when the server died are processed one after another, so that one that kills it again is not counted
 * against the others.
 * @param onStart called when the document's turn has come
 * @returns the pause in milliseconds before the next attempt; null where there is nothing more to do
 */
const runJob = async (
  deps: JobDependencies,
  waiting: Waiting,
  signal: AbortSignal,
  onStart: () => void,
): Promise<number | null> => {
  const { id, organizationId, accepted } = waiting;
  const run = () => processDocument(deps, waiting, signal, onStart);
  if (accepted !== undefined) return await run();
  const known = await deps.store.documents.get({ organizationId, partitionId: null }, id).catch(() => null);
  if (known === null || known.begun === 0) return await run();
  const notBefore = known.begun < maxStarts - 1 ? 0 : deps.startedAt + lastStartAfterMs;
  return await runInterrupted(deps.oneAtATime, notBefore - performance.now(), signal, run);
};

/** @returns null at once where the job is aborted while it waits */
const runInterrupted = async (
  oneAtATime: KeyedMutex,
  pauseMs: number,
  signal: AbortSignal,
  run: () => Promise<number | null>,
): Promise<number | null> => {
  const aborted = Promise.withResolvers<null>();
  const leave = () => aborted.resolve(null);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  const rested = Promise.withResolvers<void>();
  const timer = setTimeout(rested.resolve, Math.max(0, pauseMs));
  const turn = rested.promise.then(() =>
    oneAtATime("interrupted", async () => {
      signal.removeEventListener("abort", leave); // the running job handles the signal itself
      return signal.aborted ? null : await run();
    }),
  );
  return await Promise.race([turn, aborted.promise]).finally(() => clearTimeout(timer));
};

const pageSize = 500;
const pauseAfterFailureMs = 1_000;

interface RefillDependencies {
  store: Pick<Store, "documents">;
  backlog: Backlog;
  /** Whether the queue has this document already. */
  isKnown(id: string): boolean;
  /** Called at the end of each refill. */
  onEnd(): void;
  log: Logger;
}

/**
 * Makes a function that reads the waiting documents of an organization from the store into the backlog, where more were
 * accepted than fit into memory. It never throws, and runs once at a time for each organization.
 */
const createRefill = ({ store, backlog, isKnown, onEnd, log }: RefillDependencies) => {
  const refilling = new Set<string>();

  const readPages = async (organizationId: string): Promise<void> => {
    let found = 0;
    for (let skip = 0; found === 0; skip += pageSize) {
      const page = await store.documents.list(
        { organizationId, partitionId: null },
        { status: "pending" },
        { limit: pageSize, skip, sortOrder: "asc" },
      );
      for (const { id } of page.items) {
        if (isKnown(id)) continue;
        backlog.add({ id, organizationId });
        found += 1;
      }
      if (page.items.length < pageSize) break;
      if (found > 0) backlog.setMore(organizationId, true);
    }
  };

  return async (organizationId: string): Promise<void> => {
    if (refilling.has(organizationId)) return;
    refilling.add(organizationId);
    backlog.setMore(organizationId, false);
    try {
      await readPages(organizationId);
    } catch (error) {
      log.error({ error }, "the queue could not be read from the store");
      backlog.setMore(organizationId, true);
      await Bun.sleep(pauseAfterFailureMs);
    } finally {
      refilling.delete(organizationId);
      onEnd();
    }
  };
};

interface IngestQueueOptions {
  store: Store;
  pipeline: IngestPipeline;
  /** Shared with the callers that wait for their own document. */
  turns: DocumentTurns;
  /** Waiting documents of one organization that are held in memory, the rest in the store; 10,000 unless given. */
  maxWaitingPerOrganization?: number;
  /** Records each document's processing; left out: none. */
  tracer?: Tracer;
  log: Logger;
}

/**
 * Processes waiting documents. The durable queue is the documents themselves (`pending`, `processing`); jobs take their
 * turns beside the callers that wait for their own document.
 */
export interface IngestQueue extends Watchers {
  /** Documents that wait in memory, and jobs under way. */
  readonly size: { waiting: number; running: number };
  /** Resumes what an earlier run left, and processes documents from now on. */
  start(): Promise<void>;
  /** Has a stored pending document processed. */
  enqueue(document: Waiting): void;
  /** The state of a running job, more detailed and more recent than the stored one; null where none runs. */
  stateOf(documentId: string): IngestState | null;
  /** True while the document is being processed: it can no longer be canceled. */
  isRunning(documentId: string): boolean;
  /**
   * Runs `work` while nothing else writes under this document. A running job of it is aborted first, and resumed
   * afterwards where the document still waits.
   */
  exclusively<T>(tenant: Tenant, documentId: string, work: () => Promise<T>): Promise<T>;
  /** Aborts what runs (it becomes `pending` again) and starts nothing more. */
  close(): Promise<void>;
}

const maxWaitingPerOrganization = 10_000;
const maxWaitingCharacters = 16 * 1024 * 1024;
/** With more documents than this waiting for another attempt, no new work is started: something is badly wrong. */
const maxPaused = 10_000;

export const createIngestQueue = ({ store, pipeline, turns, log, ...options }: IngestQueueOptions): IngestQueue => {
  const maxPerOrganization = options.maxWaitingPerOrganization ?? maxWaitingPerOrganization;
  const { tracer = noTracer } = options;
  const lock = createKeyedMutex();
  const watchers = createWatchers();
  const backlog = createBacklog({ maxPerOrganization, maxCharacters: maxWaitingCharacters });
  const running = createRunningJobs();
  const paused = createPausedDocuments();
  const held = createHeldDocuments((waiting) => enqueue(waiting));
  let state: "new" | "working" | "closed" = "new";

  const isKnown = (id: string): boolean => backlog.has(id) || running.has(id) || paused.has(id) || held.has(id);
  const notify: Watchers["notify"] = (id, reported) => {
    running.setState(id, reported);
    watchers.notify(id, reported);
  };
  const oneAtATime = createKeyedMutex();
  const startedAt = performance.now();
  const jobs: JobDependencies = { store, pipeline, turns, lock, oneAtATime, startedAt, notify, log };

  const startJobs = (): void => {
    if (state !== "working") return;
    while (!running.isFull && paused.size < maxPaused) {
      const next = backlog.take(running.mayStart);
      if (next === null) break;
      running.run(next, (signal, onStart) => runDocument(next, signal, onStart), startJobs);
    }
    for (const organizationId of backlog.exhausted()) void refill(organizationId);
  };
  const refill = createRefill({ store, backlog, isKnown, onEnd: startJobs, log });

  const runDocument = async (waiting: Waiting, signal: AbortSignal, onStart: () => void): Promise<void> => {
    const { id, organizationId } = waiting;
    try {
      const pauseMs = await tracer.span(
        "ingest document",
        (span) => {
          span.note({ "carrel.document.id": id });
          return runJob(jobs, waiting, signal, onStart);
        },
        ownTrace,
      );
      if (pauseMs !== null && state !== "closed") paused.add({ id, organizationId }, pauseMs, enqueue);
    } catch (error) {
      log.error({ error, documentId: id }, "a job ended in an unforeseen way");
    }
  };

  const enqueue = (waiting: Waiting): void => {
    held.setWaiting(waiting);
    if (state === "closed" || isKnown(waiting.id)) return;
    backlog.add(waiting);
    startJobs();
  };

  /** @returns whether the document waited or was being processed */
  const withdraw = async (id: string): Promise<boolean> => {
    const wasWaiting = backlog.remove(id);
    const wasPaused = paused.remove(id);
    const wasRunning = await running.abort(id, "superseded");
    return wasWaiting || wasPaused || wasRunning;
  };

  return {
    subscribe: watchers.subscribe,
    notify,
    enqueue,
    stateOf: running.stateOf,
    isRunning: running.isStarted,
    get size() {
      return { waiting: backlog.size + paused.size, running: running.size };
    },

    async start() {
      const unfinished = await store.documents.listUnfinished(maxPerOrganization);
      for (const { id, organizationId } of unfinished) backlog.add({ id, organizationId });
      if (unfinished.length === maxPerOrganization) {
        for (const { id } of await store.organizations.list()) backlog.setMore(id, true);
      }
      if (unfinished.length > 0) log.info({ documents: unfinished.length }, "resuming documents of an earlier run");
      state = "working";
      startJobs();
    },

    exclusively: ({ organizationId }, id, work) =>
      held.hold(id, async () => {
        // A document that is finished or gone by then is passed over when its turn comes.
        if (await withdraw(id)) held.setWaiting({ id, organizationId });
        return await lock(id, work);
      }),

    async close() {
      state = "closed";
      paused.clear();
      await running.abortAll("closing");
    },
  };
};
