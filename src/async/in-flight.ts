import { ApiError } from "../domain/errors.ts";

/** Memory that one request holds: its body, and texts for its answer. */
export interface Held {
  readonly bytes: number;
  /** The largest number of bytes counted at one time. */
  readonly peakBytes: number;
  /** Counts more. @throws ApiError overloaded where all requests together would hold too much; nothing is counted then */
  add(bytes: number): void;
  /** Subtracts what is no longer held. */
  drop(bytes: number): void;
  /** Counts more without refusing it: for what is in memory already. */
  note(bytes: number): void;
  /** Ends the request: nothing is counted for it from now on. */
  release(): void;
}

/** Counts the memory that all requests hold together. */
export interface InFlight {
  readonly bytes: number;
  /** @param isVisitor whether the caller has no key; asked with each addition */
  open(isVisitor: () => boolean): Held;
}

/** Requests that hold no more than this have room of their own: long ones do not keep short questions out. */
const maxShortBytes = 64 * 1024;
const roomForShort = 1 / 16;
/** Callers without a key share this part of the bound, so that they cannot keep out those with a key. */
const roomForVisitors = 1 / 8;
const retryAfterSeconds = 5;

/**
 * @param maxBytes what all requests may hold together; the only request that holds anything may hold more (its own
 *   limits are `server.maxBodyBytes` and those of its operation)
 */
export const createInFlight = (maxBytes: number): InFlight => {
  const held = { all: 0, visitors: 0 };

  return {
    get bytes() {
      return held.all;
    },
    open(isVisitor) {
      let own = 0;
      let peak = 0;
      let isEnded = false;
      const change = (bytes: number): void => {
        if (isEnded) return;
        own += bytes;
        peak = Math.max(peak, own);
        held.all += bytes;
        if (isVisitor()) held.visitors += bytes;
      };
      const fits = (used: number, bytes: number, room: number): boolean => used === own || used + bytes <= room;
      return {
        get bytes() {
          return own;
        },
        get peakBytes() {
          return peak;
        },
        add(bytes) {
          const room = own + bytes <= maxShortBytes ? maxBytes * (1 + roomForShort) : maxBytes;
          const visitorsFit = !isVisitor() || fits(held.visitors, bytes, maxBytes * roomForVisitors);
          if (!visitorsFit || !fits(held.all, bytes, room)) throw tooMuchInFlight();
          change(bytes);
        },
        drop(bytes) {
          change(-bytes);
        },
        note: change,
        release() {
          change(-own);
          isEnded = true;
        },
      };
    },
  };
};

const tooMuchInFlight = (): ApiError =>
  new ApiError(
    "overloaded",
    "Requests and answers fill the memory that the server may use for them (server.maxInFlightBytes): send this again in a moment.",
    { headers: { "retry-after": String(retryAfterSeconds) } },
  );
