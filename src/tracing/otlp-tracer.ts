import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Config } from "../../config/schema.ts";
import type { Secret } from "../../config/secret.ts";
import { version } from "../domain/version.ts";
import type { Logger } from "../log/log.ts";
import { spanOf, type Tracer } from "./tracer.ts";

const timeoutMs = 10_000;
/** How often the log says that the collector cannot be reached. */
const warnEveryMs = 600_000;

/** `Name=value`, as the setting has it; the value may contain further `=`. */
const headersIn = (settings: readonly Secret[]): Record<string, string> =>
  Object.fromEntries(
    settings.map((setting) => {
      const text = setting.reveal();
      const at = text.indexOf("=");
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );

const tracesPath = "/v1/traces";

/** Collectors are named with and without the path. */
const tracesUrl = (endpoint: string): string => {
  const address = endpoint.endsWith("/") ? endpoint.slice(0, -1) : endpoint;
  return address.endsWith(tracesPath) ? address : `${address}${tracesPath}`;
};

/** Sends spans as OTLP over HTTP with protobuf. What cannot be sent is dropped, with a warning now and then. */
const createSpanExporter = (
  { endpoint, headers }: Pick<Config["tracing"], "headers"> & { endpoint: string },
  log: Pick<Logger, "warn">,
): SpanExporter => {
  const exporter = new OTLPTraceExporter({
    url: tracesUrl(endpoint),
    headers: headersIn(headers),
    timeoutMillis: timeoutMs,
  });
  let warnedAt = Number.NEGATIVE_INFINITY;
  const warn = (count: number, reason: string): void => {
    if (performance.now() - warnedAt < warnEveryMs) return;
    warnedAt = performance.now();
    log.warn({ spans: count, reason }, "traces could not be sent to tracing.endpoint: they are dropped");
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) warn(spans.length, result.error?.message ?? "no answer");
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
};

/** Spans that wait to be sent; more are dropped. */
const maxWaitingSpans = 4_096;
const sendEveryMs = 5_000;
const closeWithinMs = 2_000;

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };

const getHeader = {
  get: (headers: Pick<Headers, "get">, name: string) => headers.get(name) ?? undefined,
  keys: () => [],
};
const setHeader = {
  set(headers: Record<string, string>, name: string, value: string) {
    headers[name] = value;
  },
};

/** Sends spans to an OTLP collector over HTTP. Nothing global is registered: each server has its own. */
export const createOtlpTracer = (
  settings: Config["tracing"] & { endpoint: string },
  log: Pick<Logger, "warn">,
): Tracer => {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": settings.serviceName, "service.version": version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampleRatio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createSpanExporter(settings, log),
        maxQueueSize: maxWaitingSpans,
        scheduledDelayMillis: sendEveryMs,
      }),
    ],
  });
  const tracer = provider.getTracer("carrel", version);
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();
  const context = (): Context => current.getStore() ?? ROOT_CONTEXT;

  const open: Tracer["open"] = (name, { kind = "internal", headers } = {}) => {
    const parent = headers === undefined ? context() : propagator.extract(ROOT_CONTEXT, headers, getHeader);
    const span = tracer.startSpan(name, { kind: kinds[kind] }, parent);
    const inside = trace.setSpan(parent, span);
    return {
      within: (work) => current.run(inside, work),
      note: (facts) => void span.setAttributes(facts),
      rename: (newName) => void span.updateName(newName),
      end(error) {
        if (error !== undefined) {
          // The message may quote what was sent: the kind of the error is enough to find it in the log.
          span.setAttribute("error.type", errorType(error));
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };

  return {
    open,
    span: spanOf(open),
    headers() {
      const headers: Record<string, string> = {};
      propagator.inject(context(), headers, setHeader);
      return headers;
    },
    async close() {
      // A collector that cannot be reached must not delay the stop.
      const shutdown = provider.shutdown().catch(() => undefined);
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, closeWithinMs);
      await Promise.race([shutdown, late.promise]);
      clearTimeout(timer);
    },
  };
};

/** A kind that an error of ours carries (`code`, `kind`), else its name. */
const errorType = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return "error";
  if ("kind" in error && typeof error.kind === "string") return error.kind;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "error";
};
