import type { Config } from "../../config/schema.ts";
import type { Rates } from "../limits/rates.ts";
import type { Logger } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Store } from "../store/contract.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** What the HTTP kit itself needs: to read bodies, authenticate, answer errors, log and count. */
export interface HttpDependencies {
  config: Config;
  log: Logger;
  store: Store;
  lifecycle: Lifecycle;
  metrics: Metrics;
  rates: Rates;
  tracer: Tracer;
}
