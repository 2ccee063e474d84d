import { CommandFailure } from "../../domain/command-failure.ts";
import type { Call } from "../../evaluation/http-collections.ts";
import { jsonBody, type OperatorClient, readAnswer } from "../client/client.ts";

/** Longest that one answer may take: reading a long document, or a slow model. */
const timeoutMs = 600_000;

/**
 * The API of a server somewhere, with a key.
 * @param address such as http://127.0.0.1:7373
 */
export const createHttpClient = (address: string, key: string, stop: AbortSignal): OperatorClient => {
  const base = address.replace(/\/+$/, "");
  return {
    async send(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${key}`);
      const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
      try {
        // Turns off Bun's own limit of 5 minutes.
        return await fetch(`${base}${path}`, { ...init, headers, signal, timeout: false } as RequestInit);
      } catch (error) {
        stop.throwIfAborted();
        const { code, name } = error as { code?: string; name?: string };
        throw new CommandFailure(`${base} does not answer (${code ?? name ?? "unknown error"}).`);
      }
    },
    close: async () => {},
  };
};

/** Makes calls whose answers are JSON. The calls throw a CommandFailure with the problem's message. */
export const createCall =
  (client: Pick<OperatorClient, "send">): Call =>
  async (path, body, method) =>
    readAnswer(
      await client.send(
        path,
        body === undefined ? { method: method ?? "GET" } : { ...jsonBody(body), method: method ?? "POST" },
      ),
    );
