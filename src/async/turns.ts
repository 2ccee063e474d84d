import { onAbort } from "./waiting.ts";

/**
 * What waits, by owner. Owners come in rotation: one whose entry came goes to the end, so that one with thousands does not
 * delay another's single one. Within an owner its lanes rotate too, or the first comes first; within a lane the oldest does.
 */
interface FairQueue<Entry> {
  readonly size: number;
  /** How many entries of this owner wait, in one lane if given. */
  countOf(owner: string, lane?: string): number;
  /** @param lane one of the lanes that the queue was made with; left out: the first */
  add(owner: string, entry: Entry, lane?: string): void;
  /** @returns whether it waited */
  remove(owner: string, entry: Entry): boolean;
  /**
   * The entry that comes next; null where none may come. It stays until it is removed, and its owner has had a turn.
   * @param mayCome whether anything of this owner may come; left out: all may
   * @param isReady whether an entry may come; left out: all may
   */
  next(mayCome?: (owner: string) => boolean, isReady?: (entry: Entry) => boolean): Entry | null;
}

/**
 * @param laneNames of each owner, those first that come first where an owner begins to wait
 * @param lanesRotate false: what is in an earlier lane always comes before what is in a later one
 */
export const createFairQueue = <Entry>(
  laneNames: readonly [string, ...string[]] = [""],
  lanesRotate = true,
): FairQueue<Entry> => {
  /** Owners and their lanes, each in the order of rotation; no entry for an owner with nothing. */
  const owners = new Map<string, Map<string, Set<Entry>>>();
  /** Whose turn was the last: it comes after one that begins to wait. */
  let last = "";
  let size = 0;

  const lanesOf = (owner: string): Map<string, Set<Entry>> => {
    const known = owners.get(owner);
    if (known !== undefined) return known;
    const made = new Map(laneNames.map((name) => [name, new Set<Entry>()]));
    owners.set(owner, made);
    const lastLanes = owners.get(last);
    if (lastLanes !== undefined) moveToEnd(owners, last, lastLanes);
    return made;
  };

  const countOf = (owner: string, lane?: string): number => {
    let count = 0;
    for (const [name, entries] of owners.get(owner) ?? [])
      if (lane === undefined || lane === name) count += entries.size;
    return count;
  };

  return {
    get size() {
      return size;
    },
    countOf,
    add(owner, entry, lane = laneNames[0]) {
      lanesOf(owner).get(lane)?.add(entry);
      size += 1;
    },
    remove(owner, entry) {
      const held = [...(owners.get(owner)?.values() ?? [])].some((entries) => entries.delete(entry));
      if (!held) return false;
      size -= 1;
      if (countOf(owner) === 0) owners.delete(owner);
      return true;
    },
    next(mayCome = () => true, isReady = () => true) {
      for (const [owner, lanes] of owners) {
        if (!mayCome(owner)) continue;
        for (const [lane, entries] of lanes) {
          for (const entry of entries) {
            if (!isReady(entry)) continue;
            last = owner;
            moveToEnd(owners, owner, lanes);
            if (lanesRotate) moveToEnd(lanes, lane, entries);
            return entry;
          }
        }
      }
      return null;
    },
  };
};

const moveToEnd = <Value>(map: Map<string, Value>, key: string, value: Value): void => {
  map.delete(key);
  map.set(key, value);
};

/** Permissions to work, handed out to owners in rotation. */
export interface Turns {
  /**
   * Waits for a turn. The function returned ends it and may be called twice.
   * @throws `tooManyWait`'s error; the signal's reason where it fires first
   */
  take(owner: string, signal: AbortSignal, wish?: TurnWish): Promise<() => void>;
  readonly waiting: number;
  readonly running: number;
}

interface TurnWish {
  /** One of the lanes that the turns were made with. */
  lane?: string;
  /** Memory that is held while it waits, in any unit. */
  size?: number;
  /** How many turns it counts as, 1 unless given; the last turn to begin may exceed the concurrency. */
  places?: number;
  /** Never refused: whoever asks bounds its number. */
  isPatient?: boolean;
}

interface TurnLimits {
  /** Turns at once. */
  concurrency: number;
  /** Turns beyond that for owners that have none, one to each; 0 unless given. */
  spare?: number;
  /** How many turns an owner may have now; it is asked again when a turn ends. Left out: all of them. */
  maxOf?(owner: string): number;
  /** Of each owner: see `createFairQueue`. */
  lanes?: readonly [string, ...string[]];
  lanesRotate?: boolean;
  /** Of one owner and lane. */
  maxWaiting: number;
  /** Of all that wait together. */
  maxWaitingSize?: number;
  /** What is thrown when more would wait. */
  tooManyWait(): Error;
}

interface Waiter {
  owner: string;
  size: number;
  start(): void;
}

/** Neither p-queue nor async-mutex fits: owners rotate, a turn spans the yields of a generator, and a waiting caller can give up. */
export const createTurns = (limits: TurnLimits): Turns => {
  const { concurrency, spare = 0, maxOf, lanes = [""], maxWaiting, maxWaitingSize, tooManyWait } = limits;
  const waiting = createFairQueue<Waiter>(lanes, limits.lanesRotate);
  /** Turns by owner; no entry for zero. */
  const held = new Map<string, number>();
  let running = 0;
  let waitingSize = 0;

  const mayRun = (owner: string): boolean => {
    const own = held.get(owner) ?? 0;
    if (maxOf !== undefined && own >= maxOf(owner)) return false;
    return running < concurrency || (own === 0 && running < concurrency + spare);
  };

  const leave = (waiter: Waiter): void => {
    if (waiting.remove(waiter.owner, waiter)) waitingSize -= waiter.size;
  };

  const dispatch = (): void => {
    while (running < concurrency + spare) {
      const waiter = waiting.next(mayRun);
      if (waiter === null) return;
      leave(waiter);
      waiter.start();
    }
  };

  const change = (owner: string, places: number): void => {
    running += places;
    const own = (held.get(owner) ?? 0) + places;
    if (own > 0) held.set(owner, own);
    else held.delete(owner);
  };

  const begin = (owner: string, places: number): (() => void) => {
    change(owner, places);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      change(owner, -places);
      dispatch();
    };
  };

  return {
    get waiting() {
      return waiting.size;
    },
    get running() {
      return running;
    },
    take(owner, signal, { lane = lanes[0], size = 0, places = 1, isPatient = false } = {}) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const isFull = waiting.countOf(owner, lane) >= maxWaiting || waitingSize + size > (maxWaitingSize ?? Infinity);
        if (!isPatient && waiting.size > 0 && isFull && !mayRun(owner)) return reject(tooManyWait());
        const waiter: Waiter = {
          owner,
          size,
          start() {
            forget();
            resolve(begin(owner, places));
          },
        };
        const forget = onAbort(signal, () => {
          leave(waiter);
          reject(signal.reason);
        });
        waiting.add(owner, waiter, lane);
        waitingSize += size;
        return dispatch();
      });
    },
  };
};
