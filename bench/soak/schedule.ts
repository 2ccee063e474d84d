/** A kind of work, and how often a day has it. */
export interface Work {
  kind: string;
  perDay: number;
  /** At equal distances, as a schedule does it; else at random moments. */
  isRegular?: boolean;
  run(): Promise<void>;
}

export interface Moment {
  atMs: number;
  work: Work;
}

/** Minutes that a whole day's work is done in. */
const dayMinutes = 60;

/**
 * Moments of all work within the given minutes, in their order: at the pace of a day in an hour, each kind at least
 * once.
 */
export const schedule = (works: readonly Work[], minutes: number, random: () => number): Moment[] =>
  works
    .flatMap((work) => {
      const count = Math.max(1, Math.round((work.perDay * minutes) / dayMinutes));
      return Array.from({ length: count }, (_, at) => ({
        atMs: ((work.isRegular ? at + 0.5 : count * random()) / count) * minutes * 60_000,
        work,
      }));
    })
    .toSorted((a, b) => a.atMs - b.atMs);

export interface Kept {
  begun: number;
  /** By how much work was begun late at most. */
  latestMs: number;
  /** Pieces of work whose turn did not come in time: the machine was too slow for all of it. */
  undone: number;
}

/** Does work at its moments, a limited number of pieces at once; what could not be begun by the end is left undone. */
export const keepSchedule = async (
  moments: readonly Moment[],
  { maxAtOnce, endMs }: { maxAtOnce: number; endMs: number },
  doWork: (work: Work) => Promise<void>,
): Promise<Kept> => {
  const startedAt = performance.now();
  const elapsedMs = (): number => performance.now() - startedAt;
  const underWay = new Set<Promise<void>>();
  let latestMs = 0;
  let begun = 0;
  for (const { atMs, work } of moments) {
    if (atMs > elapsedMs()) await Bun.sleep(atMs - elapsedMs());
    while (underWay.size >= maxAtOnce) await Promise.race(underWay);
    if (elapsedMs() > endMs) break;
    latestMs = Math.max(latestMs, elapsedMs() - atMs);
    begun += 1;
    const done = doWork(work).finally(() => underWay.delete(done));
    underWay.add(done);
  }
  await Promise.all(underWay);
  return { latestMs, begun, undone: moments.length - begun };
};
