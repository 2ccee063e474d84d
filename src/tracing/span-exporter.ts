import { ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Config } from "../../config/schema.ts";
import type { Secret } from "../../config/secret.ts";
import type { Logger } from "../log/log.ts";

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
export const createSpanExporter = (
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
