/** Which files are held by a `put` whose document is not stored yet: they must not be removed. */
export interface Holds {
  begin(hash: string): void;
  end(hash: string): void;
  has(hash: string): boolean;
}

/** Several puts of the same file hold it together: it is held until the last of them has ended. */
export const createHolds = (): Holds => {
  const counts = new Map<string, number>();
  return {
    begin(hash) {
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    },
    end(hash) {
      const left = (counts.get(hash) ?? 0) - 1;
      if (left > 0) counts.set(hash, left);
      else counts.delete(hash);
    },
    has: (hash) => counts.has(hash),
  };
};
