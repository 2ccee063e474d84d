import type { Config } from "../../config/schema.ts";
import type { Logger } from "../log/log.ts";
import { noTracer, type Tracer } from "./tracer.ts";

/** The tracer that the settings ask for. Without an endpoint OpenTelemetry is not even loaded. */
export const openTracer = async (settings: Config["tracing"], log: Pick<Logger, "warn">): Promise<Tracer> => {
  const { endpoint } = settings;
  if (endpoint === null) return noTracer;
  const { createOtlpTracer } = await import("./otlp-tracer.ts");
  return createOtlpTracer({ ...settings, endpoint }, log);
};
