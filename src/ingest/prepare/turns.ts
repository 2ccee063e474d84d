import { onAbort } from "../../async/on-abort.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Urgency } from "../index/analyzed-text.ts";

/** Which organizations the server has lately done something for: asked or taken in. */
export interface RecentTenants {
  note(organizationId: string): void;
  /** Whether there was anything for another organization within the last seconds. */
  hasOthersThan(organizationId: string): boolean;
}

const recentMs = 2_000;

interface Noted {
  readonly organizationId: string;
  readonly at: number;
}

/** @param now milliseconds of a clock that is never set back */
export const createRecentTenants = (now: () => number = () => performance.now()): RecentTenants => {
  let last: Noted | null = null;
  /** The last of an organization other than the last one's. */
  let before: Noted | null = null;
  return {
    note(organizationId) {
      if (last !== null && last.organizationId !== organizationId) before = last;
      last = { organizationId, at: now() };
    },
    hasOthersThan(organizationId) {
      const other = last?.organizationId === organizationId ? before : last;
      return other !== null && now() - other.at < recentMs;
    },
  };
};

/**
 * Those that wait for a turn, by organization. Organizations come in rotation: one that had a turn goes to the end. Within
 * an organization, interactive and background work alternate.
 */
interface Rotation<W> {
  /** @returns how many of the same organization and urgency wait already */
  countAhead(organizationId: string, urgency: Urgency): number;
  add(organizationId: string, urgency: Urgency, waiter: W): void;
  /** For one that gives up. */
  remove(organizationId: string, urgency: Urgency, waiter: W): void;
  /** Takes the next whose organization may have a turn; null where there is none. */
  next(mayRun: (organizationId: string) => boolean): W | null;
}

type Lanes<W> = Record<Urgency, W[]> & { last: Urgency };

const createRotation = <W>(): Rotation<W> => {
  const lanes = new Map<string, Lanes<W>>();

  const lanesOf = (organizationId: string): Lanes<W> => {
    const known = lanes.get(organizationId);
    if (known !== undefined) return known;
    const made: Lanes<W> = { interactive: [], background: [], last: "background" };
    lanes.set(organizationId, made);
    return made;
  };

  return {
    countAhead: (organizationId, urgency) => lanes.get(organizationId)?.[urgency].length ?? 0,
    add: (organizationId, urgency, waiter) => void lanesOf(organizationId)[urgency].push(waiter),
    remove(organizationId, urgency, waiter) {
      const lane = lanes.get(organizationId)?.[urgency] ?? [];
      const at = lane.indexOf(waiter);
      if (at >= 0) lane.splice(at, 1);
    },
    next(mayRun) {
      for (const [organizationId, own] of lanes) {
        if (!mayRun(organizationId)) continue;
        const preferred: Urgency = own.last === "interactive" ? "background" : "interactive";
        const urgency: Urgency = own[preferred].length > 0 ? preferred : own.last;
        const waiter = own[urgency].shift();
        lanes.delete(organizationId);
        if (waiter === undefined) continue;
        own.last = urgency;
        if (own.interactive.length + own.background.length > 0) lanes.set(organizationId, own);
        return waiter;
      }
      return null;
    },
  };
};

/**
 * Hands out turns at work on documents: at most `concurrency` at once. Organizations take turns in rotation, so that one
 * tenant's thousand files do not delay another tenant's one. Within an organization, interactive and background work
 * alternate. Up to `spare` turns more go to organizations that have none, one to each, so that the long turns of others
 * do not keep them waiting. While the server works for several organizations, none has more than half of the turns, so
 * that its documents leave processors to the others.
 */
export interface Turns {
  /**
   * Waits for a turn. The function returned ends it and may be called twice.
   * @param characters length of the text that the waiting caller holds in memory
   * @param places how many turns it counts as, 1 unless given; the last turn to begin may exceed the concurrency
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

interface TurnLimits {
  concurrency: number;
  /** Turns beyond that for organizations that have none; 0 unless given. */
  spare?: number;
  /** Told of each organization that asks for a turn, and what decides whether others are there; missing: none are. */
  tenants?: RecentTenants;
  /** Callers of one organization that may wait. The queue bounds background work itself. */
  maxWaitingCallers: number;
  /** Text of all waiting callers together. */
  maxWaitingCharacters: number;
}

export const createTurns = (limits: TurnLimits): Turns => {
  const { concurrency, spare = 0, tenants, maxWaitingCallers, maxWaitingCharacters } = limits;
  const shareBesideOthers = Math.max(1, Math.floor(concurrency / 2));
  const rotation = createRotation<Waiter>();
  /** Turns by organization; no entry for zero. */
  const held = new Map<string, number>();
  let running = 0;
  let waiting = 0;
  let waitingCharacters = 0;

  const mayRun = (organizationId: string): boolean => {
    const own = held.get(organizationId) ?? 0;
    // Looked at again when a turn ends: one that waits for its share has at least one itself.
    if (own >= shareBesideOthers && tenants?.hasOthersThan(organizationId)) return false;
    return running < concurrency || (own === 0 && running < concurrency + spare);
  };

  const leave = (waiter: Waiter): void => {
    waiting -= 1;
    waitingCharacters -= waiter.characters;
  };

  const dispatch = (): void => {
    while (running < concurrency + spare) {
      const waiter = rotation.next(mayRun);
      if (waiter === null) return;
      leave(waiter);
      waiter.start();
    }
  };

  const beginTurn = (organizationId: string, places: number): (() => void) => {
    running += places;
    held.set(organizationId, (held.get(organizationId) ?? 0) + places);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      running -= places;
      const left = (held.get(organizationId) ?? 0) - places;
      if (left > 0) held.set(organizationId, left);
      else held.delete(organizationId);
      dispatch();
    };
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
        tenants?.note(organizationId);
        const ahead = rotation.countAhead(organizationId, urgency);
        const tooMany = ahead >= maxWaitingCallers || waitingCharacters + characters > maxWaitingCharacters;
        if (urgency === "interactive" && waiting > 0 && tooMany && !mayRun(organizationId)) return reject(overloaded());
        const withdraw = () => {
          rotation.remove(organizationId, urgency, waiter);
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
        rotation.add(organizationId, urgency, waiter);
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
