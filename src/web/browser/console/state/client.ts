import type { Problem } from "../../shared/api.ts";
import { at } from "../../shared/prefix.ts";
import { type ServerEvent, serverEvents } from "../../shared/server-events.ts";

/** A failure that the server reported; `problem.detail` says what happened and what to do. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
  ) {
    super(problem.detail ?? `The server answered ${status}.`);
  }
}

/** The server cannot be reached. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export type QueryValues = Record<string, string | number | boolean | null | undefined>;

/** The API, called by the cookie of the session. All calls throw RequestFailure, Unreachable or AbortError. */
export interface Client {
  get<Answer>(path: string, query?: QueryValues, signal?: AbortSignal): Promise<Answer>;
  /** As `get`, with the total that a list is a page of (`X-Total-Count`; null where the answer has none). */
  list<Item>(path: string, query?: QueryValues, signal?: AbortSignal): Promise<{ items: Item[]; total: number | null }>;
  /** The answer as it is: a file, a text. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** @param body an object, sent as JSON, or a form */
  send<Answer>(method: "POST" | "PUT" | "DELETE", path: string, body?: object, signal?: AbortSignal): Promise<Answer>;
  /** Server-sent events of an answer (POST) or of something that is followed (GET, no body). */
  events(path: string, body: object | null, signal: AbortSignal): AsyncGenerator<ServerEvent, void, undefined>;
}

/** What the console is told of: the session has ended; a question was answered. */
interface ClientEvents {
  onSignedOut(): void;
  onAsked(): void;
}

/** Questions, and messages to chats. */
const questionPath = /^\/api\/(?:query$|search$|chat\/)/;

export const createClient = ({ onSignedOut, onAsked }: ClientEvents): Client => {
  const call = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("x-carrel-session", "1");
    let answer: Response;
    try {
      answer = await fetch(at(path), { ...init, headers, cache: "no-store" });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Unreachable("The server cannot be reached.");
    }
    if (answer.ok) {
      if (init.method === "POST" && questionPath.test(path)) onAsked();
      return answer;
    }
    const problem = (await answer.json().catch(() => ({}))) as Partial<Problem>;
    if (answer.status === 401) onSignedOut();
    throw new RequestFailure(answer.status, problem);
  };

  const withBody = (method: string, body: object | undefined, signal: AbortSignal | undefined): RequestInit => ({
    method,
    // A delete whose time to undo has not passed is sent while the page is left.
    keepalive: method === "DELETE",
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined
      ? {}
      : body instanceof FormData
        ? { body }
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });

  return {
    async get(path, query, signal) {
      return await (await call(withQuery(path, query), withBody("GET", undefined, signal))).json();
    },
    async list(path, query, signal) {
      const answer = await call(withQuery(path, query), withBody("GET", undefined, signal));
      const total = answer.headers.get("x-total-count");
      return { items: await answer.json(), total: total === null ? null : Number(total) };
    },
    fetch: (path, init = {}) => call(path, init),
    async send(method, path, body, signal) {
      return await (await call(path, withBody(method, body, signal))).json();
    },
    async *events(path, body, signal) {
      const init = withBody(body === null ? "GET" : "POST", body ?? undefined, signal);
      const headers = new Headers(init.headers);
      headers.set("accept", "text/event-stream");
      const answer = await call(path, { ...init, headers });
      if (answer.body !== null) yield* serverEvents(answer.body);
    },
  };
};

const withQuery = (path: string, query: QueryValues = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};
