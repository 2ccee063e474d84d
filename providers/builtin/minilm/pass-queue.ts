import type { Pass } from "./pass.ts";

/** Passes that wait for a thread. */
interface PassQueue {
  readonly size: number;
  add(pass: Pass, isUrgent: boolean): void;
  /** Takes the next pass, urgent ones first. */
  next(): Pass | undefined;
  /** Removes a pass, if it still waits. */
  drop(pass: Pass): void;
  /** Takes all of them. */
  takeAll(): Pass[];
}

export const createPassQueue = (): PassQueue => {
  const urgent: Pass[] = [];
  const others: Pass[] = [];
  return {
    get size() {
      return urgent.length + others.length;
    },
    add(pass, isUrgent) {
      (isUrgent ? urgent : others).push(pass);
    },
    next: () => urgent.shift() ?? others.shift(),
    drop(pass) {
      for (const queue of [urgent, others]) {
        const at = queue.indexOf(pass);
        if (at >= 0) queue.splice(at, 1);
      }
    },
    takeAll: () => [...urgent.splice(0), ...others.splice(0)],
  };
};
