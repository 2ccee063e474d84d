import { joinedScript, type TextRun } from "./page-text.ts";

/** A segment that may still grow to the right. */
export interface Growing {
  runs: TextRun[];
  x1: number;
  y: number;
  size: number;
}

/** A gap of this many font heights separates two segments; gaps between words of justified lines are smaller. */
const partingGap = 1.05;
/** Of the smaller one of two sizes, the larger one counts as at most this many times as large. */
const mostLarger = 1.5;
/** A run on the line of another is at most this many font heights of the larger one above or below it. */
const maxRaised = 0.5;
/** One further away is of another column. */
const maxRaisedGap = 0.8;

const maxDots = 0.6;

/** Segments by their size, in powers of two, and in bands of that height by their baseline. */
type Bands = Map<number, Numbered[]>;
type Numbered = Growing & { readonly number: number };

/**
 * The segments of a page that the next run from the left may continue, unless what lies between parts two columns. A run looks at those near its line alone: of a
 * page with 50,000 runs one below the other, looking at all of them would take seconds.
 */
export const createOpenLines = (isParted: (x0: number, run: TextRun) => boolean) => {
  const bySize = new Map<number, Bands>();
  const all: Numbered[] = [];

  const put = (segment: Numbered): void => {
    const height = heightOf(segment.size);
    const bands: Bands = bySize.get(height) ?? new Map();
    bySize.set(height, bands);
    const band = bandOf(segment.y, height);
    const others = bands.get(band);
    if (others) others.push(segment);
    else bands.set(band, [segment]);
  };

  /** Lists of segments whose baselines may be near enough. */
  function* near({ y, size }: TextRun): Generator<Numbered[], void, void> {
    for (const [height, bands] of bySize) {
      const reach = maxRaised * Math.max(size, height);
      const [first, last] = [bandOf(y - reach, height), bandOf(y + reach, height)];
      if (last - first >= bands.size) yield* bands.values();
      else {
        for (let band = first; band <= last; band++) {
          const segments = bands.get(band);
          if (segments) yield segments;
        }
      }
    }
  }

  return {
    /** The segment that a run continues, the nearest one; null for none. Runs come from left to right. */
    nearest(run: TextRun): Growing | null {
      let best: Numbered | null = null;
      let bestGap = Number.POSITIVE_INFINITY;
      for (const segments of near(run)) {
        let kept = 0;
        for (const candidate of segments) {
          const gap = run.x - candidate.x1;
          // No later run can be nearer.
          if (gap > partingGap * mostLarger * candidate.size) continue;
          segments[kept++] = candidate;
          const size = Math.max(candidate.size, run.size);
          if (gap > partingGap * Math.min(size, candidate.size * mostLarger) || gap < -0.6 * size) continue;
          if (!onOneLine(candidate, run, gap)) continue;
          if (gap > 0 && isParted(candidate.x1, run)) continue;
          // A line that the run is as high as comes before one beside which it would be raised.
          const distance = Math.abs(gap) + (Math.abs(candidate.y - run.y) > 0.25 * size ? size : 0);
          if (distance < bestGap || (distance === bestGap && best !== null && candidate.number < best.number)) {
            best = candidate;
            bestGap = distance;
          }
        }
        segments.length = kept;
      }
      return best;
    },
    /** Begins a segment with a run. */
    begin(run: TextRun): void {
      const segment = { runs: [run], x1: run.x + run.width, y: run.y, size: run.size, number: all.length };
      all.push(segment);
      put(segment);
    },
    /** Adds a run to the segment that it continues; a much larger one says where the line is. */
    add(home: Growing, run: TextRun): void {
      home.runs.push(run);
      home.x1 = Math.max(home.x1, run.x + run.width);
      if (run.size <= home.size * 1.2) return;
      const segment = home as Numbered;
      const bands = bySize.get(heightOf(home.size));
      const band = bands?.get(bandOf(home.y, heightOf(home.size)));
      band?.splice(band.indexOf(segment), 1);
      home.y = run.y;
      home.size = run.size;
      put(segment);
    },
    /** All of them, in the order they were begun. */
    all: (): readonly Growing[] => all,
  };
};

/** Sizes and places are whatever the file says: smaller and farther ones share a band. */
const smallestHeight = -10;
const farthestBand = 1e9;

const heightOf = (size: number): number => 2 ** Math.max(Math.ceil(Math.log2(size)), smallestHeight);

const bandOf = (y: number, height: number): number =>
  Math.min(Math.max(Math.floor(y / height), -farthestBand), farthestBand);

/** Same baseline, or a smaller run raised or lowered beside a larger one. */
const onOneLine = (candidate: Growing, run: TextRun, gap: number): boolean => {
  const apart = Math.abs(candidate.y - run.y);
  const small = Math.min(candidate.size, run.size);
  const large = Math.max(candidate.size, run.size);
  // Some fonts draw Arabic letters as a body, which says nothing, and dots above or below it.
  if (joinedScript.test(run.text) && apart <= maxDots * small) return true;
  const isRaised = small < 0.9 * large && apart <= maxRaised * large && gap <= maxRaisedGap * small;
  return apart <= 0.25 * small || isRaised;
};
