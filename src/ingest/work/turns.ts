import { onAbort } from "../../async/on-abort.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Urgency } from "../scheduling.ts";
import type { RecentTenants } from "./recent-tenants.ts";
import { createRotation } from "./rotation.ts";

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
