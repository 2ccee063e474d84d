import type { ClientOptions } from "../client/client.ts";

/** What `carrel eval` takes; which options go together is checked in eval.ts. */
export interface EvalOptions extends ClientOptions {
  server?: string;
  keyFile?: string;
  /** Refused: see remote-server.ts. */
  key?: string | true;
  set?: string[];
  /** `true`: to standard output; else the file. */
  json?: string | true;
  compare?: string;
  answers?: boolean;
  fromFeedback?: boolean;
}
