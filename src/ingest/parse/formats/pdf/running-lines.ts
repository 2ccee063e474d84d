import type { LinkedText } from "./links.ts";
import type { Segment } from "./segments.ts";

/** Headers and footers stand in this share of the page's height from either end. */
const margin = 0.12;
const pageNumber =
  /^(?:[-–—\s]*(?:page|seite|página|pagina|p\.?)?\s*#(?:\s*(?:\/|of|von|de|di|sur)\s*#)?[-–—\s]*|[ivxlc]{1,6})$/i;

export interface PageSegments {
  segments: Segment[];
  /** Of text written from above to below, as it stands on the page turned a quarter counterclockwise. */
  vertical: Segment[];
  links: LinkedText[];
  turned: string;
  width: number;
  height: number;
}

/** Segments of every page without page numbers and the headers and footers that repeat. */
export function withoutRunningLines(pages: readonly PageSegments[]): PageSegments[] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(page.segments.filter((segment) => isMargin(segment, page.height)).map(keyOf))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  // Left and right pages often differ: two fifths of the pages are enough.
  const often = Math.max(3, Math.ceil(pages.length * 0.4));
  return pages.map((page) => ({
    ...page,
    segments: page.segments.filter((segment) => {
      if (!isMargin(segment, page.height)) return true;
      const key = keyOf(segment);
      return (
        (counts.get(key) ?? 0) < often && !(pageNumber.test(key) && page.segments.length + page.vertical.length > 1)
      );
    }),
  }));
}

const isMargin = (segment: Segment, height: number): boolean =>
  segment.y < height * margin || segment.y > height * (1 - margin * 0.8);

const keyOf = (segment: Segment): string => segment.text.replace(/\d+/g, "#").trim().toLowerCase();
