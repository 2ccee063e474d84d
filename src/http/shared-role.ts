import type { Principal } from "../domain/records.ts";
import type { Routed } from "./path-lookup.ts";

/** Who a request is from, as the process says that sent it on. */
interface Sender {
  clientAddress: string;
  /** Where it came over that process's own socket. */
  operator: Principal | null;
}

/** A request that is sent on. */
export interface SentOn extends Sender {
  readonly requestId: string;
  /** Path as sent, without query. */
  readonly path: string;
  /** Query string without `?`. */
  readonly search: string;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
  /** See `Frame`. */
  readonly keepOpen: () => void;
}

/** The part of this process in a store that several share; absent where the store is its own. */
export interface SharedRole {
  /** Of what is stored, as this process sees it: goes up with each change. */
  version(): number;
  /** Waits until this process sees what was stored by a version. @returns false where that takes too long */
  reached(version: number, signal: AbortSignal): Promise<boolean>;
  /** Null where a request came from its client. */
  senderOf(request: Request): Sender | null;
  /** Has the process that writes answer a request; null in that process itself. */
  sendOn: ((request: Request, from: SentOn) => Promise<Response>) | null;
}

/** Of each answer: what is stored by then. In a request: the least that the answer has to see. */
export const versionHeader = "x-carrel-version";

/** The version that a request asks for; 0 where it asks for none. */
export const askedVersion = (headers: Headers): number => {
  const sent = headers.get(versionHeader);
  return sent !== null && /^\d{1,15}$/.test(sent) ? Number(sent) : 0;
};

/**
 * Whether a process that only reads the store answers a request itself: reads, but for those whose answer the process that
 * writes has in memory.
 * @param candidates the operations of its path
 */
export const isAnsweredByReader = (method: string, candidates: readonly Routed[]): boolean => {
  const asked = method === "HEAD" || method === "OPTIONS" ? "GET" : method;
  const operation = candidates.find((each) => each.method === asked);
  if (operation === undefined) return true; // there is no such operation
  return operation.method === "GET" ? operation.ofWriter !== true : operation.onlyReads === true;
};
