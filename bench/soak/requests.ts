import { messageOf } from "../../src/domain/errors.ts";
import type { Program } from "../serving/program.ts";

/** How long the requests of one kind took, and what went wrong. */
export interface Tally {
  /** Milliseconds of each piece of work, by its kind. */
  readonly took: ReadonlyMap<string, number[]>;
  readonly errors: readonly string[];
  /** Does a piece of work and notes how long it took; a failure is noted too, and ends nothing. */
  time(kind: string, work: () => Promise<void>): Promise<void>;
  /** Notes that an answer came with a warning, such as that the model was still being loaded. */
  warn(): void;
  warnings(): number;
}

export const createTally = (): Tally => {
  const took = new Map<string, number[]>();
  const errors: string[] = [];
  let warnings = 0;
  return {
    took,
    errors,
    warn() {
      warnings += 1;
    },
    warnings: () => warnings,
    async time(kind, work) {
      const startedAt = performance.now();
      try {
        await work();
        const ofKind = took.get(kind) ?? [];
        took.set(kind, ofKind);
        ofKind.push(performance.now() - startedAt);
      } catch (error) {
        const what = `${kind}: ${messageOf(error)}`;
        errors.push(what);
        console.log(`ERROR ${what}`);
      }
    },
  };
};

export interface Client {
  /**
   * @param body sent as JSON, or a form.
   * @returns the JSON of the answer.
   * @throws Error for any status but 200 and 202
   */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Without a judgment of the status. */
  send(
    method: string,
    path: string,
    options?: { body?: string | FormData; headers?: Record<string, string> },
  ): Promise<Response>;
}

/** Longer than any of the server's own limits: what takes longer is an error. */
const timeoutMs = 600_000;

export const createClient = ({ url, headers: { authorization = "" } }: Program): Client => {
  const send: Client["send"] = (method, path, { body, headers = {} } = {}) =>
    fetch(url + path, {
      method,
      headers: { authorization, ...headers },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body }),
    });
  return {
    send,
    async ask(method, path, body) {
      const isForm = body instanceof FormData;
      const response = await send(method, path, {
        headers: isForm || body === undefined ? {} : { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      if (response.status !== 200 && response.status !== 202)
        throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
      return response.json();
    },
  };
};
