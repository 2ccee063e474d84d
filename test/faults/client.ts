import { startPatience } from "./patience.ts";

/** The connection ended before the whole answer was there: whether the request was carried out is not known. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
export type Json = any;

export interface Answer {
  status: number;
  /** The JSON of the body; its text where it is none. */
  body: Json;
  headers: Headers;
}

/** The API as one key sees it. */
export interface Client {
  /** Sends a request; a plain object goes as JSON. @throws ConnectionLost */
  call(method: string, path: string, body?: object | string | null, headers?: Record<string, string>): Promise<Answer>;
  /** The same where nothing but success will do. @throws Error with the answer */
  expect(method: string, path: string, body?: object | string | null): Promise<Json>;
}

/** A request that takes longer has hung. */
const patienceMs = 60_000;

const parse = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export const createClient = (url: string, key: string): Client => {
  const call: Client["call"] = async (method, path, body = null, headers = {}) => {
    const isPlain = body !== null && typeof body === "object" && !(body instanceof FormData);
    let response: Response;
    let text: string;
    const patience = startPatience(patienceMs);
    try {
      response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(isPlain ? { "content-type": "application/json" } : {}),
          ...headers,
        },
        body: isPlain ? JSON.stringify(body) : (body as string | FormData | null),
        keepalive: false,
        signal: patience.signal,
      });
      text = await response.text();
    } catch (error) {
      if (error instanceof Error && error.name === "TimeoutError") throw new Error(`${method} ${path} did not answer`);
      throw new ConnectionLost(`${method} ${path}: ${error}`);
    } finally {
      patience.stop();
    }
    return { status: response.status, body: parse(text), headers: response.headers };
  };
  return {
    call,
    async expect(method, path, body) {
      const answer = await call(method, path, body);
      if (answer.status >= 300)
        throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
};
