import { headingFilledShare, minFilledShare } from "./chunk.ts";
import type { PagedUnit } from "./pages.ts";
import { Cut } from "./units.ts";

/**
 * Joins units to chunks of at most `maxCharacters`, each cut at the best place in its later part, and wherever a page
 * ends. Holds no more than one chunk's units at a time.
 */
export function* packUnits(units: Iterable<PagedUnit>, maxCharacters: number): Generator<PagedUnit[], void, void> {
  let open: PagedUnit[] = [];
  for (const unit of units) {
    const first = open[0];
    const isFilled = first !== undefined && unit.start - first.start >= headingFilledShare * maxCharacters;
    if (first !== undefined && (unit.page !== first.page || (unit.cut >= Cut.subheading && isFilled))) {
      yield open;
      open = [];
    }
    while (open.length > 0 && unit.end - (open[0]?.start ?? 0) > maxCharacters) {
      const cut = bestCut(open, unit, maxCharacters);
      yield open.slice(0, cut);
      open = open.slice(cut);
    }
    open.push(unit);
  }
  if (open.length > 0) yield open;
}

/** Number of units in the next chunk: up to the best cut in its later part, the last of ties; all if there is none. */
const bestCut = (open: readonly PagedUnit[], next: PagedUnit, maxCharacters: number): number => {
  const start = open[0]?.start ?? 0;
  let best = open.length;
  let bestValue = next.cut;
  for (let index = open.length - 1; index > 0; index--) {
    const unit = open[index];
    if (unit === undefined || unit.start - start < minFilledShare * maxCharacters) break;
    if (unit.cut > bestValue) {
      best = index;
      bestValue = unit.cut;
    }
  }
  if (bestValue > Cut.worst) return best;
  // No good cut in the later part: cut earlier, so that no heading or table head ends the chunk.
  for (let index = open.length - 1; index > 0; index--) if ((open[index]?.cut ?? 0) > Cut.worst) return index;
  return best;
};
