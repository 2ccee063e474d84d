import pino from "pino";
import { defaultConfig } from "../../config/load.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Dependencies } from "./app.ts";
import { allEndpoints } from "./app.ts";

/** The operations as declarations: to describe, not to call. Nothing is opened for them. */
export const declaredEndpoints = (): Endpoint[] =>
  allEndpoints({
    config: defaultConfig(),
    log: pino({ level: "silent" }),
    store: {},
    ingest: {},
    work: { store: {} },
    version: "",
  } as unknown as Dependencies);
