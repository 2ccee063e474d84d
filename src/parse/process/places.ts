import { ApiError } from "../../domain/errors.ts";

/** Places to read files at, with a bounded line of those that wait for one. */
export interface Places {
  /** Waits for a place. @throws ApiError overloaded if too many wait; the signal's reason when it fired */
  take(signal: AbortSignal): Promise<void> | undefined;
  giveBack(): void;
}

export const createPlaces = (maxTaken: number, maxWaiting: number): Places => {
  const waiting: (() => void)[] = [];
  let free = maxTaken;
  return {
    take(signal) {
      if (free > 0) {
        free--;
        return undefined;
      }
      if (waiting.length >= maxWaiting) {
        throw new ApiError("overloaded", "Too many files are waiting to be read. Try again later.", {
          headers: { "Retry-After": "10" },
        });
      }
      return new Promise((resolve, reject) => {
        const turn = () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
        const onAbort = () => {
          waiting.splice(waiting.indexOf(turn), 1);
          reject(signal.reason);
        };
        signal.addEventListener("abort", onAbort, { once: true });
        waiting.push(turn);
      });
    },
    giveBack() {
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
};
