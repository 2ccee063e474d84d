import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import type { Tenant } from "../../domain/records.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/contract.ts";
import type { IngestPipeline } from "../pipeline.ts";
import { createBacklog, type Waiting } from "./backlog.ts";
import { CLOSING, type JobDependencies, runJob, SUPERSEDED } from "./job.ts";
import { createTurns, type Turns } from "./turns.ts";
import { createWatchers, type IngestState, type Watchers } from "./watchers.ts";

export interface IngestQueueOptions {
  store: Store;
  pipeline: IngestPipeline;
  /** Documents read and embedded at a time, those of waiting callers included. */
  concurrency: number;
  /** Waiting documents of one organization that are held in memory, the rest in the store; 10,000 unless given. */
  maxWaitingPerOrganization?: number;
  log: Logger;
}

/**
 * The work on documents. The durable queue is the documents themselves (`pending`, `processing`): this is who works it
 * off, in turn with the callers that wait for their own document.
 */
export interface IngestQueue extends Pick<Watchers, "subscribe"> {
  readonly pipeline: IngestPipeline;
  /** For callers that wait: heavy work is done in a turn. */
  readonly turns: Turns;
  /** For texts that are done in a moment: many are under way at once, and still no tenant's thousands before another's one. */
  readonly quickTurns: Turns;
  /** Documents waiting in memory and being worked on. */
  readonly size: { waiting: number; running: number };
  /** Takes up what an earlier run left, and works from now on. */
  start(): Promise<void>;
  /** Has a stored pending document processed. */
  enqueue(document: Waiting): void;
  /** How the work on the document stands, finer and sooner than the store says; null where none is under way. */
  stateOf(documentId: string): IngestState | null;
  /** True while the document is being worked on: it is past cancelling. */
  isRunning(documentId: string): boolean;
  /**
   * Runs `work` while nothing else writes under this document: running work on it is called off first, and taken up
   * again afterwards where the document still waits.
   */
  exclusively<T>(tenant: Tenant, documentId: string, work: () => Promise<T>): Promise<T>;
  /** Tells those who follow the document how it stands now. */
  tell: Watchers["tell"];
  /** Calls off what runs (it goes back to `pending`) and starts nothing more. */
  close(): Promise<void>;
}

/** Jobs under way at once: more than are worked on, so that small documents are committed in groups. */
const MOST_UNDER_WAY = 512;
const MOST_UNDER_WAY_PER_ORGANIZATION = 256;
const MOST_WAITING_PER_ORGANIZATION = 10_000;
const MOST_WAITING_CHARACTERS = 16 * 1024 * 1024;
/** Documents that wait for another try; where there are more, something is so wrong that no new work is begun. */
const MOST_PAUSED = 10_000;
const REFILL_PAGE = 500;
/** Some 40 ms of small texts; those that somebody waits for are analyzed before the others. */
const MOST_QUICK = 256;
const TURN_LIMITS = { maxWaitingCallers: 1_000, maxWaitingCharacters: 256 * 1024 * 1024 };

interface Running {
  abort: AbortController;
  started: boolean;
  /** As last told. */
  state: IngestState | null;
  done: Promise<void>;
}

export const createIngestQueue = ({
  store,
  pipeline,
  concurrency,
  log,
  ...options
}: IngestQueueOptions): IngestQueue => {
  const maxPerOrganization = options.maxWaitingPerOrganization ?? MOST_WAITING_PER_ORGANIZATION;
  const turns = createTurns({ concurrency, spare: concurrency, ...TURN_LIMITS });
  const quickTurns = createTurns({ concurrency: MOST_QUICK, ...TURN_LIMITS });
  const lock = createKeyedMutex();
  const watchers = createWatchers();

  const backlog = createBacklog({ maxPerOrganization, maxCharacters: MOST_WAITING_CHARACTERS });
  const running = new Map<string, Running>();
  const underWay = new Map<string, number>();
  const paused = new Map<string, { timer: ReturnType<typeof setTimeout>; waiting: Waiting }>();
  /** Documents that somebody has for himself: not begun until the last holder is done, then taken up where wanted. */
  const held = new Map<string, { holders: number; wanted: Waiting | null }>();
  const refilling = new Set<string>();
  let state: "new" | "working" | "closed" = "new";

  const isKnown = (id: string): boolean => backlog.has(id) || running.has(id) || paused.has(id) || held.has(id);

  const mayStart = (organizationId: string): boolean =>
    (underWay.get(organizationId) ?? 0) < MOST_UNDER_WAY_PER_ORGANIZATION;

  const count = (organizationId: string, step: 1 | -1): void => {
    const jobsUnderWay = (underWay.get(organizationId) ?? 0) + step;
    if (jobsUnderWay === 0) underWay.delete(organizationId);
    else underWay.set(organizationId, jobsUnderWay);
  };

  const tell: Watchers["tell"] = (id, told) => {
    const job = running.get(id);
    if (job !== undefined) job.state = told;
    watchers.tell(id, told);
  };
  const jobs: JobDependencies = {
    store,
    pipeline,
    turns,
    quickTurns,
    lock,
    suspects: createKeyedMutex(),
    startedAt: performance.now(),
    tell,
    log,
  };

  const pump = (): void => {
    if (state !== "working") return;
    while (running.size < MOST_UNDER_WAY && paused.size < MOST_PAUSED) {
      const next = backlog.take(mayStart);
      if (next === null) break;
      begin(next);
    }
    for (const organizationId of backlog.wanting()) void refill(organizationId);
  };

  const begin = (waiting: Waiting): void => {
    const job: Running = { abort: new AbortController(), started: false, state: null, done: Promise.resolve() };
    running.set(waiting.id, job);
    count(waiting.organizationId, 1);
    const onStart = () => {
      job.started = true;
    };
    job.done = runJob(jobs, waiting, job.abort.signal, onStart)
      .then((pauseMs) => {
        if (pauseMs !== null) pause({ id: waiting.id, organizationId: waiting.organizationId }, pauseMs);
      })
      .catch((error) => log.error({ error, documentId: waiting.id }, "a job ended in an unforeseen way"))
      .finally(() => {
        running.delete(waiting.id);
        count(waiting.organizationId, -1);
        pump();
      });
  };

  const pause = (waiting: Waiting, pauseMs: number): void => {
    if (state === "closed") return;
    const timer = setTimeout(() => {
      paused.delete(waiting.id);
      enqueue(waiting);
    }, pauseMs);
    timer.unref();
    paused.set(waiting.id, { timer, waiting });
  };

  const enqueue = (waiting: Waiting): void => {
    const holding = held.get(waiting.id);
    if (holding !== undefined) holding.wanted = waiting;
    if (state === "closed" || isKnown(waiting.id)) return;
    backlog.add(waiting);
    pump();
  };

  /** Fetches waiting documents of an organization from the store, where more were accepted than fit into memory. */
  const refill = async (organizationId: string): Promise<void> => {
    if (refilling.has(organizationId)) return;
    refilling.add(organizationId);
    backlog.setMore(organizationId, false);
    try {
      let found = 0;
      for (let skip = 0; found === 0; skip += REFILL_PAGE) {
        const page = await store.documents.list(
          { organizationId, partitionId: null },
          { status: "pending" },
          { limit: REFILL_PAGE, skip, sortOrder: "asc" },
        );
        for (const { id } of page.items) {
          if (isKnown(id)) continue;
          backlog.add({ id, organizationId });
          found += 1;
        }
        if (page.items.length < REFILL_PAGE) break;
        if (found > 0) backlog.setMore(organizationId, true);
      }
    } catch (error) {
      log.error({ error }, "the queue could not be read from the store");
      backlog.setMore(organizationId, true);
      await Bun.sleep(1_000);
    } finally {
      refilling.delete(organizationId);
      pump();
    }
  };

  /** @returns whether the document was waiting or being worked on */
  const callOff = async (id: string): Promise<boolean> => {
    const wasWaiting = backlog.remove(id);
    const wasPaused = paused.get(id);
    clearTimeout(wasPaused?.timer);
    paused.delete(id);
    const job = running.get(id);
    job?.abort.abort(SUPERSEDED);
    await job?.done;
    return wasWaiting || wasPaused !== undefined || job !== undefined;
  };

  return {
    pipeline,
    turns,
    quickTurns,
    subscribe: watchers.subscribe,
    tell,
    enqueue,
    stateOf: (documentId) => running.get(documentId)?.state ?? null,
    isRunning: (documentId) => running.get(documentId)?.started ?? false,
    get size() {
      return { waiting: backlog.size + paused.size, running: running.size };
    },

    async start() {
      const left = await store.documents.listUnfinished(maxPerOrganization);
      for (const document of left) {
        backlog.add({ id: document.id, organizationId: document.organizationId });
      }
      if (left.length === maxPerOrganization) {
        for (const { id } of await store.organizations.list()) backlog.setMore(id, true);
      }
      if (left.length > 0) log.info({ documents: left.length }, "taking up documents that an earlier run left");
      state = "working";
      pump();
    },

    async exclusively({ organizationId }, id, work) {
      const holding = held.get(id) ?? { holders: 0, wanted: null };
      held.set(id, holding);
      holding.holders += 1;
      try {
        if (await callOff(id)) holding.wanted = { id, organizationId };
        return await lock(id, work);
      } finally {
        holding.holders -= 1;
        if (holding.holders === 0) {
          held.delete(id);
          // A document that is done by now, or gone, is passed over when its turn comes.
          if (holding.wanted !== null) enqueue(holding.wanted);
        }
      }
    },

    async close() {
      state = "closed";
      for (const { timer } of paused.values()) clearTimeout(timer);
      paused.clear();
      const jobsRunning = [...running.values()];
      for (const { abort } of jobsRunning) abort.abort(CLOSING);
      await Promise.all(jobsRunning.map(({ done }) => done));
    },
  };
};
