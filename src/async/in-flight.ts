import { ApiError } from "../domain/errors.ts";

/** Memory that one request holds: its body, and texts for its answer. */
export interface Held {
  readonly bytes: number;
  /** Counts more. @throws ApiError overloaded where all requests together would hold too much; nothing is counted then */
  add(bytes: number): void;
  /** Subtracts what is no longer held. */
  drop(bytes: number): void;
  /** Counts more without refusing it: for what is in memory already. */
  note(bytes: number): void;
  /** Ends the request: nothing is counted for it from now on. */
  release(): void;
}

/** Whose memory a request's is: that of a key, or of the network address of a caller without one. */
export interface Holder {
  id: string;
  /** Callers of a kind share a part of the bound: visitors and those who sign in cannot keep each other out. */
  kind: "key" | "visitor" | "signing in";
}

/** Counts the memory that all requests hold together. */
export interface InFlight {
  readonly bytes: number;
  /** @param holder asked when something is counted first; null where only the bound over all holds */
  open(holder: () => Holder | null): Held;
}

/** Requests that hold no more than this have room of their own: long ones do not keep short questions out. */
const maxShortBytes = 64 * 1024;
const roomForShort = 1 / 8;
/** One holder takes at most this part of what its kind may hold. */
const roomForHolder = 1 / 4;
const roomForKind = { key: 1, visitor: 1 / 8, "signing in": 1 / 8 };
const retryAfterSeconds = 5;

/** Bytes that requests hold together, the short requests apart from the long ones. */
interface Pool {
  roomBytes: number;
  held: Record<"short" | "long", number>;
  /** Requests that hold something. */
  requests: number;
}

const emptyPool = (roomBytes: number): Pool => ({ roomBytes, held: { short: 0, long: 0 }, requests: 0 });
const lengthOf = (bytes: number) => (bytes > maxShortBytes ? "long" : "short");

/** Whether a request may grow; the only long one may hold more than the room (its own limits are those of its operation). */
const fits = ({ roomBytes, held }: Pool, own: number, wanted: number): boolean => {
  const length = lengthOf(wanted);
  const ofOthers = held[length] - (lengthOf(own) === length ? own : 0);
  if (length === "long" && ofOthers === 0) return true;
  return ofOthers + wanted <= roomBytes * (length === "short" ? roomForShort : 1 - roomForShort);
};

const move = (pool: Pool, before: number, after: number): void => {
  pool.held[lengthOf(before)] -= before;
  pool.held[lengthOf(after)] += after;
  pool.requests += Number(after > 0) - Number(before > 0);
};

/**
 * @param maxBytes what all requests may hold together, and one holder a quarter of; the only long request of a holder may
 *   hold more (its own limits are `server.maxBodyBytes` and those of its operation)
 */
export const createInFlight = (maxBytes: number): InFlight => {
  const all = emptyPool(maxBytes);
  const kinds = new Map<Holder["kind"], Pool>();
  const holders = new Map<string, Pool>();
  const poolIn = <Id>(pools: Map<Id, Pool>, id: Id, roomBytes: number): Pool => {
    const known = pools.get(id);
    if (known !== undefined) return known;
    const made = emptyPool(roomBytes);
    pools.set(id, made);
    return made;
  };

  return {
    get bytes() {
      return all.held.short + all.held.long;
    },
    open(holderOf) {
      let own = 0;
      let isEnded = false;
      let holder: Holder | null | undefined;
      /** Looked up at each use: a holder without requests is forgotten. */
      const pools = (): { all: Pool; kind?: Pool; own?: Pool } => {
        if (holder === undefined) holder = holderOf();
        if (holder === null) return { all };
        const room = maxBytes * roomForKind[holder.kind];
        return {
          all,
          kind: poolIn(kinds, holder.kind, room),
          own: poolIn(holders, `${holder.kind} ${holder.id}`, room * roomForHolder),
        };
      };
      const change = (bytes: number): void => {
        if (isEnded || bytes === 0) return;
        const found = pools();
        for (const pool of Object.values(found)) move(pool, own, own + bytes);
        own += bytes;
        forget(found.own);
      };
      const forget = (pool: Pool | undefined): void => {
        if (pool?.requests === 0) holders.delete(`${holder?.kind} ${holder?.id}`);
      };
      return {
        get bytes() {
          return own;
        },
        add(bytes) {
          if (isEnded || bytes === 0) return;
          const found = pools();
          const full = Object.values(found).find((pool) => !fits(pool, own, own + bytes));
          if (full === undefined) return change(bytes);
          forget(found.own);
          throw tooMuchInFlight(full === found.own ? ownShare(holder) : "All requests together fill");
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

const ownShare = (holder: Holder | null | undefined): string =>
  holder?.kind === "key"
    ? "The requests of this key fill its share of"
    : "The requests from your network fill its share of";

const tooMuchInFlight = (who: string): ApiError =>
  new ApiError(
    "overloaded",
    `${who} the memory that the server may use for requests and answers (server.maxInFlightBytes): send this again in a moment.`,
    { headers: { "retry-after": String(retryAfterSeconds) } },
  );
