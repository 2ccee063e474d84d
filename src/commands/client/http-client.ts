import { CommandFailure } from "../../domain/errors.ts";
import { eitherOf, type OperatorClient } from "./client.ts";

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
      const wanted = eitherOf(stop, init.signal);
      const signal = AbortSignal.any([wanted, AbortSignal.timeout(timeoutMs)]);
      try {
        // Turns off Bun's own limit of 5 minutes.
        return await fetch(`${base}${path}`, { ...init, headers, signal, timeout: false } as RequestInit);
      } catch (error) {
        wanted.throwIfAborted();
        const { code, name } = error as { code?: string; name?: string };
        throw new CommandFailure(
          `${base} cannot be reached: it does not answer (${code ?? name ?? "unknown error"}). Check the address, and that it runs.`,
        );
      }
    },
    close: async () => {},
  };
};
