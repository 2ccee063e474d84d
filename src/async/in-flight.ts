import { ApiError } from "../domain/errors.ts";

/** What one request holds in memory of its body and of texts for its answer. */
export interface Held {
  readonly bytes: number;
  /** The most that was counted at one time. */
  readonly mostBytes: number;
  /** Counts more. @throws ApiError overloaded where all requests together would hold too much; nothing is counted then */
  add(bytes: number): void;
  /** Takes back what is no longer held. */
  drop(bytes: number): void;
  /** Counts more without refusing it: for what is there already. */
  note(bytes: number): void;
  /** The request has ended: from now on nothing is counted for it. */
  release(): void;
}

/** Counts what all requests hold together. */
export interface InFlight {
  readonly bytes: number;
  /** @param isVisitor whether the caller has no key; asked with each addition */
  open(isVisitor: () => boolean): Held;
}

/** Requests that hold no more than this have some room of their own: long ones do not keep short questions out. */
const shortBytes = 64 * 1024;
const roomForShort = 1 / 16;
/** Callers without a key share this part of the bound, so that they cannot keep out those who have one. */
const roomForVisitors = 1 / 8;
const retryAfterSeconds = 5;

/**
 * @param maxBytes what all requests may hold together; one that holds something alone may hold more (its own limits are
 *   `server.maxBodyBytes` and those of its operation)
 */
export const createInFlight = (maxBytes: number): InFlight => {
  const held = { all: 0, visitors: 0 };

  return {
    get bytes() {
      return held.all;
    },
    open(isVisitor) {
      let own = 0;
      let most = 0;
      let ended = false;
      const change = (bytes: number): void => {
        if (ended) return;
        own += bytes;
        most = Math.max(most, own);
        held.all += bytes;
        if (isVisitor()) held.visitors += bytes;
      };
      const fits = (used: number, bytes: number, room: number): boolean => used === own || used + bytes <= room;
      return {
        get bytes() {
          return own;
        },
        get mostBytes() {
          return most;
        },
        add(bytes) {
          const room = own + bytes <= shortBytes ? maxBytes * (1 + roomForShort) : maxBytes;
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
          ended = true;
        },
      };
    },
  };
};

const tooMuchInFlight = (): ApiError =>
  new ApiError(
    "overloaded",
    "The server holds as much of requests and answers in memory as it may (server.maxInFlightBytes): send this again in a moment.",
    { headers: { "retry-after": String(retryAfterSeconds) } },
  );
