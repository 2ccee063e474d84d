import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { DocumentStatus } from "../domain/records.ts";
import type { EventLoopWatch } from "./event-loop.ts";

/** What Prometheus reads at `/metrics`. Labels are bounded: routes by their pattern, never by the path asked for. */
export interface Metrics {
  /** @param route pattern such as `/api/document/:id`, null where no route fits @param seconds until the answer's head */
  countRequest(method: string, route: string | null, status: number, seconds: number): void;
  /** The text for Prometheus, with these current figures. */
  render(now: { documents: Record<DocumentStatus, number>; activeRequests: number }): Promise<string>;
  readonly contentType: string;
}

/** Gauges of V8; in Bun each reading walks the whole heap, which delays every request by a tenth of a second. */
const heapSpaces = ["total", "used", "available"];

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/**
 * A registry of its own: two servers in one process (as in tests) do not count each other's requests.
 * @param eventLoop left out: its gauge stays at 0
 */
export const createMetrics = (eventLoop?: Pick<EventLoopWatch, "maxDelayMs">): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "carrel_" });
  for (const name of heapSpaces) registry.removeSingleMetric(`carrel_nodejs_heap_space_size_${name}_bytes`);
  const requests = new Counter({
    name: "carrel_http_requests_total",
    help: "Requests answered, by route and status.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "carrel_http_request_duration_seconds",
    help: "Seconds until the head of the answer, by route.",
    labelNames: ["method", "route"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers,
  });
  const active = new Gauge({
    name: "carrel_http_requests_active",
    help: "Requests being answered now, streams included.",
    registers,
  });
  new Gauge({
    name: "carrel_event_loop_lag_seconds",
    help: "Longest time of the last minute that the event loop was blocked, in seconds.",
    registers,
    collect() {
      this.set((eventLoop?.maxDelayMs() ?? 0) / 1000);
    },
  });
  const documents = new Gauge({
    name: "carrel_documents",
    help: "Documents by status.",
    labelNames: ["status"],
    registers,
  });
  const queue = new Gauge({
    name: "carrel_ingest_queue_documents",
    help: "Documents accepted and not yet processed.",
    registers,
  });

  return {
    contentType: registry.contentType,
    countRequest(method, route, status, seconds) {
      const labels = { method: knownMethods.has(method) ? method : "other", route: route ?? "none" };
      requests.inc({ ...labels, status });
      durations.observe(labels, seconds);
    },
    async render(now) {
      active.set(now.activeRequests);
      for (const [status, count] of Object.entries(now.documents)) documents.set({ status }, count);
      queue.set(now.documents.pending + now.documents.processing);
      return registry.metrics();
    },
  };
};
