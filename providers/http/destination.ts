import type { Secret } from "../../config/secret.ts";
import type { ProviderError } from "../contract.ts";

/** Where a provider's calls go, and which part of the configuration to name when they fail. */
export interface Destination {
  service: ProviderError["service"];
  /** Path in the configuration, such as `models.answer`. */
  configKey: string;
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: Secret | null;
  /** Longest silence: until the answer begins, and between two pieces of it. */
  timeoutMs: number;
  /** Further headers of each call, such as the trace that it is a part of. */
  callHeaders?: () => Record<string, string>;
  /** What messages call the server, and how it is started. */
  server?: ServerName;
  /** What to change where the server has no such path, or answers with something else; left out where `baseUrl` looks right. */
  pathAdvice?: string;
}

interface ServerName {
  name: string;
  /** Such as "start it with `ollama serve`". */
  start: string;
}

/** The destination's address without user name, password and query, for messages. */
export const addressOf = (destination: Destination): string => {
  try {
    const url = new URL(destination.baseUrl);
    return `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
  } catch {
    return destination.configKey;
  }
};

/** What messages call the server behind a destination. */
export const nameOf = (destination: Destination): string =>
  `${destination.server?.name ?? "The model server"} at ${addressOf(destination)}`;
