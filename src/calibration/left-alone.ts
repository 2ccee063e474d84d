/** Organizations that are left alone for a while after a failure. */
export interface LeftAlone {
  add(organizationId: string): void;
  has(organizationId: string): boolean;
  /** Milliseconds until one of them may be tried again; null where there is none. */
  untilRetryMs(): number | null;
}

/** @param forMs how long each is left alone */
export const createLeftAlone = (forMs: number): LeftAlone => {
  /** Until when (`performance.now()`). */
  const until = new Map<string, number>();
  return {
    add: (id) => void until.set(id, performance.now() + forMs),
    has(id) {
      if ((until.get(id) ?? 0) > performance.now()) return true;
      until.delete(id);
      return false;
    },
    untilRetryMs: () => (until.size === 0 ? null : Math.max(0, Math.min(...until.values()) - performance.now())),
  };
};
