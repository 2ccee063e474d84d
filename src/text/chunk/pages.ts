import type { Unit } from "./units.ts";

/** Where a page begins in the text. */
export interface PageStart {
  page: number;
  start: number;
}

/** A unit with the page that holds most of it. */
export interface PagedUnit extends Unit {
  /** Index into the pages; -1 before the first of them. */
  page: number;
}

/**
 * Gives each unit its page: the one that holds most of its characters, of ties the earlier. Units and pages are ascending;
 * takes time linear in their number.
 */
export function* withPages(units: Iterable<Unit>, pages: readonly PageStart[]): Generator<PagedUnit, void, void> {
  let page = -1;
  const endOf = (index: number): number => pages[index + 1]?.start ?? Number.POSITIVE_INFINITY;
  for (const unit of units) {
    while (endOf(page) <= unit.start) page++;
    let best = page;
    let most = Math.min(endOf(page), unit.end) - unit.start;
    // The next unit begins on the last of these pages or later, so none is looked at for more than two units.
    while (endOf(page) < unit.end) {
      page++;
      const held = Math.min(endOf(page), unit.end) - (pages[page]?.start ?? 0);
      if (held > most) {
        best = page;
        most = held;
      }
    }
    yield { ...unit, page: best };
  }
}
