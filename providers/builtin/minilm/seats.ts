import type { WorkerThread } from "./worker-thread.ts";

interface SeatOptions {
  /** How many threads may run. */
  count: number;
  /** When all seats have been without work for this long, their threads are ended. */
  restMs: number;
  /** Called when a seat has become free. */
  onFree(): void;
  /** Called when the threads were ended because they had nothing to do. */
  onRest(): void;
}

/** A seat: its thread, or null if none is started. */
type Seat = WorkerThread | null;

/** The places of a pool's threads that have no work. */
interface Seats {
  isFree(): boolean;
  /** Whether the thread of a free seat has the model loaded. */
  hasThread(): boolean;
  /** A free seat, one with a thread if there is one; null if there is none, or it has no thread. */
  take(): Seat;
  /** Gives a seat back; a thread that has ended is dropped. */
  leave(seat: Seat): void;
  /** From now on nothing is called. */
  stop(): void;
  /** Ends the threads of the free seats. Resolves when they are gone. */
  close(): Promise<void>;
}

const isAlive = (seat: Seat): seat is WorkerThread => seat?.alive() ?? false;

export const createSeats = ({ count, restMs, onFree, onRest }: SeatOptions): Seats => {
  let free: Seat[] = new Array(count).fill(null);
  let resting: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;

  const rest = (): void => {
    resting = null;
    if (free.length < count) return;
    for (const thread of free) void thread?.end();
    free = new Array(count).fill(null);
    onRest();
  };

  return {
    isFree: () => free.length > 0,
    hasThread: () => free.some(isAlive),
    take() {
      const loaded = free.findIndex(isAlive);
      const [seat = null] = free.splice(Math.max(loaded, 0), 1);
      return seat;
    },
    leave(seat) {
      free.push(isAlive(seat) ? seat : null);
      if (isStopped) return;
      onFree();
      if (free.length < count) return;
      if (resting !== null) clearTimeout(resting);
      resting = setTimeout(rest, restMs);
      resting.unref?.();
    },
    stop() {
      isStopped = true;
      if (resting !== null) clearTimeout(resting);
    },
    close: async () => void (await Promise.all(free.map((thread) => thread?.end()))),
  };
};
