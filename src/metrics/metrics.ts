import { readdirSync } from "node:fs";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { ProviderError } from "../../providers/contract.ts";
import { version } from "../domain/version.ts";
import { createReadingGauges, type Readings } from "./reading-gauges.ts";

/**
 * The process. prom-client's own set is not used: it samples the event loop a hundred times a second for as long as
 * the process runs, which was most of what an idle server did, and its gauges of heap spaces walk the whole heap.
 */
const registerProcessMetrics = (registry: Registry, version: string): void => {
  const registers = [registry];
  let lastCpuMicroseconds = 0;
  new Counter({
    name: "carrel_process_cpu_seconds_total",
    help: "CPU time of the process, all threads, in seconds.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.inc((user + system - lastCpuMicroseconds) / 1e6);
      lastCpuMicroseconds = user + system;
    },
  });
  new Gauge({
    name: "carrel_process_resident_memory_bytes",
    help: "Memory of the process that is resident, without its parser processes.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "carrel_process_heap_bytes",
    help: "JavaScript heap in use.",
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed);
    },
  });
  new Gauge({
    name: "carrel_process_open_fds",
    help: "Open files and connections (Linux).",
    registers,
    collect() {
      try {
        this.set(readdirSync("/proc/self/fd").length);
      } catch {
        // The system does not show them.
      }
    },
  });
  new Gauge({
    name: "carrel_process_start_time_seconds",
    help: "When the process was started, in seconds since 1970.",
    registers,
  }).set(Math.round(Date.now() / 1000 - process.uptime()));
  new Gauge({
    name: "carrel_build_info",
    help: "Always 1; its labels name the version of Carrel and of Bun.",
    labelNames: ["version", "bun"],
    registers,
  }).set({ version, bun: Bun.version }, 1);
};

/** What Prometheus reads at `/metrics`. Labels are bounded: routes by their pattern, never by the path asked for. */
export interface Metrics {
  /** @param route pattern such as `/api/document/:id`, null where no route fits @param seconds until the answer's head */
  countRequest(method: string, route: string | null, status: number, seconds: number): void;
  readonly models: ModelMetrics;
  /** The certificate that is in use. @param validTo when it ends (epoch ms) */
  noteCertificate(validTo: number): void;
  /** The text for Prometheus, with these current figures. */
  render(now: Readings): Promise<string>;
  /** What each metric is, for the documentation. */
  describe(): Promise<MetricDescription[]>;
  readonly contentType: string;
}

export interface MetricDescription {
  name: string;
  type: string;
  help: string;
  labels: readonly string[];
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/**
 * A registry of its own: two servers in one process (as in tests) do not count each other's requests.
 * @param eventLoop left out: its gauge stays at 0
 */
export const createMetrics = (eventLoop?: { maxDelayMs(): number }): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  registerProcessMetrics(registry, version);
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
  new Gauge({
    name: "carrel_event_loop_lag_seconds",
    help: "Longest time of the last minute that the event loop was blocked, in seconds.",
    registers,
    collect() {
      this.set((eventLoop?.maxDelayMs() ?? 0) / 1000);
    },
  });
  const certificate = new Gauge({
    name: "carrel_tls_certificate_expires_timestamp_seconds",
    help: "When the certificate of server.tls that is in use ends, in seconds since 1970; left out without TLS.",
    registers,
  });
  certificate.remove();
  const setGauges = createReadingGauges(registry);

  return {
    contentType: registry.contentType,
    models: createModelMetrics(registry),
    noteCertificate: (validTo) => certificate.set(validTo / 1_000),
    countRequest(method, route, status, seconds) {
      const labels = { method: knownMethods.has(method) ? method : "other", route: route ?? "none" };
      requests.inc({ ...labels, status });
      durations.observe(labels, seconds);
    },
    render(now) {
      setGauges(now);
      return registry.metrics();
    },
    async describe() {
      const described = await registry.getMetricsAsJSON();
      return described.map(({ name, help, type }) => ({
        name,
        help,
        type: String(type),
        // prom-client keeps the declared labels, but not in its types.
        labels: (registry.getSingleMetric(name) as unknown as { labelNames: readonly string[] }).labelNames,
      }));
    },
  };
};

/** Counts the calls of the configured models. */
export interface ModelMetrics {
  /** @param error what the call threw; left out: it succeeded */
  countCall(use: ModelUse, provider: string, seconds: number, error?: unknown): void;
  /** Tokens of an answer as the server counted them; null where it does not say. */
  countTokens(promptTokens: number | null, outputTokens: number | null): void;
}

export type ModelUse = "answer" | "embedding" | "reranker";

const createModelMetrics = (registry: Registry): ModelMetrics => {
  const registers = [registry];
  const calls = new Counter({
    name: "carrel_model_calls_total",
    help: "Calls of the configured models, by outcome: ok, a kind of failure such as timeout or unreachable, or error.",
    labelNames: ["use", "provider", "outcome"],
    registers,
  });
  const durations = new Histogram({
    name: "carrel_model_call_duration_seconds",
    help: "Seconds until a model's whole answer, failed calls included.",
    labelNames: ["use", "provider"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers,
  });
  const tokens = new Counter({
    name: "carrel_model_tokens_total",
    help: "Tokens of answering models, as their servers count them; a server that does not say adds none.",
    labelNames: ["direction"],
    registers,
  });
  return {
    countCall(use, provider, seconds, error) {
      const outcome = error === undefined ? "ok" : error instanceof ProviderError ? error.kind : "error";
      calls.inc({ use, provider, outcome });
      durations.observe({ use, provider }, seconds);
    },
    countTokens(promptTokens, outputTokens) {
      if (promptTokens !== null) tokens.inc({ direction: "prompt" }, promptTokens);
      if (outputTokens !== null) tokens.inc({ direction: "output" }, outputTokens);
    },
  };
};
