import { onAbort } from "../../async/on-abort.ts";
import { ApiError } from "../../domain/errors.ts";

/** Somebody is waiting for the answer, or nobody is. */
export type Urgency = "interactive" | "background";

/**
 * Hands out turns at heavy work: at most `concurrency` at once, organizations in rotation so that one tenant's
 * thousand files do not hold up another's one, and within an organization a waiting caller and background work by turns.
 * An organization that has none is not kept waiting by those that take long over theirs: up to `spare` more are handed
 * out, one to each such organization.
 */
export interface Turns {
  /**
   * Waits for a turn. The function returned ends it; calling it twice does no harm.
   * @param characters length of the text that the waiting caller holds in memory
   * @param places how many turns it counts as, 1 unless given: the last one that begins may go beyond the concurrency
   * @throws ApiError overloaded where too many callers wait already; the signal's reason where it fires first
   */
  take(
    organizationId: string,
    urgency: Urgency,
    characters: number,
    signal: AbortSignal,
    places?: number,
  ): Promise<() => void>;
  readonly waiting: number;
  readonly running: number;
}

interface Waiter {
  characters: number;
  start(): void;
}

type Lanes = Record<Urgency, Waiter[]> & { last: Urgency };

export interface TurnLimits {
  concurrency: number;
  /** Turns beyond that for organizations that have none; 0 unless given. */
  spare?: number;
  /** Callers of one organization that may wait; background work is bounded by who brings it. */
  maxWaitingCallers: number;
  /** Text that all waiting callers together may hold. */
  maxWaitingCharacters: number;
}

export const createTurns = ({ concurrency, spare = 0, maxWaitingCallers, maxWaitingCharacters }: TurnLimits): Turns => {
  /** In the order of rotation: whose turn was taken goes to the end. */
  const lanes = new Map<string, Lanes>();
  /** Turns by organization; no entry where it has none. */
  const held = new Map<string, number>();
  let running = 0;
  let waiting = 0;
  let waitingCharacters = 0;

  const mayRun = (organizationId: string): boolean =>
    running < concurrency || (!held.has(organizationId) && running < concurrency + spare);

  const nextWaiter = (): Waiter | null => {
    for (const [organizationId, lane] of lanes) {
      if (!mayRun(organizationId)) continue;
      const preferred: Urgency = lane.last === "interactive" ? "background" : "interactive";
      const urgency: Urgency = lane[preferred].length > 0 ? preferred : lane.last;
      const waiter = lane[urgency].shift();
      lanes.delete(organizationId);
      if (waiter === undefined) continue;
      lane.last = urgency;
      if (lane.interactive.length + lane.background.length > 0) lanes.set(organizationId, lane);
      return waiter;
    }
    return null;
  };

  const leave = (waiter: Waiter): void => {
    waiting -= 1;
    waitingCharacters -= waiter.characters;
  };

  const dispatch = (): void => {
    while (running < concurrency + spare) {
      const waiter = nextWaiter();
      if (waiter === null) return;
      leave(waiter);
      waiter.start();
    }
  };

  const beginTurn = (organizationId: string, places: number): (() => void) => {
    running += places;
    held.set(organizationId, (held.get(organizationId) ?? 0) + places);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      running -= places;
      const left = (held.get(organizationId) ?? 0) - places;
      if (left > 0) held.set(organizationId, left);
      else held.delete(organizationId);
      dispatch();
    };
  };

  const laneOf = (organizationId: string): Lanes => {
    const known = lanes.get(organizationId);
    if (known !== undefined) return known;
    const made: Lanes = { interactive: [], background: [], last: "background" };
    lanes.set(organizationId, made);
    return made;
  };

  return {
    get waiting() {
      return waiting;
    },
    get running() {
      return running;
    },
    take(organizationId, urgency, characters, signal, places = 1) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const lane = laneOf(organizationId)[urgency];
        const tooMany = lane.length >= maxWaitingCallers || waitingCharacters + characters > maxWaitingCharacters;
        if (urgency === "interactive" && waiting > 0 && running >= concurrency && tooMany) return reject(overloaded());
        const withdraw = () => {
          lane.splice(lane.indexOf(waiter), 1);
          leave(waiter);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          characters,
          start() {
            forget();
            resolve(beginTurn(organizationId, places));
          },
        };
        const forget = onAbort(signal, withdraw);
        lane.push(waiter);
        waiting += 1;
        waitingCharacters += characters;
        return dispatch();
      });
    },
  };
};

const overloaded = (): ApiError =>
  new ApiError(
    "overloaded",
    'Too many documents are being ingested at once. Try again in a few seconds, or send "async": true to have it queued.',
    { headers: { "Retry-After": "5" } },
  );
