import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A page counts as read when it reaches this part of the pane's height from the top. */
const readingLine = 0.25;

interface PagePlace {
  page: number;
  /** How far through the page, 0 to 1. */
  share: number;
}

const pagesIn = (pane: HTMLElement): HTMLElement[] => [...pane.querySelectorAll<HTMLElement>("[data-page]")];

const topIn = (pane: HTMLElement, element: HTMLElement): number =>
  element.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;

/** Where a pane is: the page at its reading line. */
const placeIn = (pane: HTMLElement): PagePlace | null => {
  const line = pane.scrollTop + pane.clientHeight * readingLine;
  const pages = pagesIn(pane);
  const at = pages.findLastIndex((element) => topIn(pane, element) <= line);
  const element = pages[Math.max(0, at)];
  if (element === undefined) return null;
  const top = topIn(pane, element);
  const next = pages[Math.max(0, at) + 1];
  const height = (next === undefined ? pane.scrollHeight : topIn(pane, next)) - top;
  return {
    page: Number(element.dataset.page),
    share: Math.min(1, Math.max(0, (line - top) / Math.max(1, height))),
  };
};

/** Brings a place to the reading line; a page that the pane lacks is answered by the one before it. */
export const showPlace = (pane: HTMLElement, { page, share }: PagePlace): void => {
  const pages = pagesIn(pane);
  const at = pages.findLastIndex((element) => Number(element.dataset.page) <= page);
  const element = pages[at];
  if (element === undefined) return;
  const top = topIn(pane, element);
  const next = pages[at + 1];
  const height = (next === undefined ? pane.scrollHeight : topIn(pane, next)) - top;
  pane.scrollTop = top + height * share - pane.clientHeight * readingLine;
};

/** Brings a page to the top of a pane. */
export const showPage = (pane: HTMLElement, page: number): void => {
  const element = pagesIn(pane).find(({ dataset }) => Number(dataset.page) === page);
  if (element !== undefined) pane.scrollTop = topIn(pane, element) - 8;
};

/**
 * Two panes go through the pages together: the one that the reader works with leads, the other follows.
 * @param onPage told of the page that is read
 */
export const usePagesTogether = (
  panes: readonly RefObject<HTMLElement | null>[],
  inputs: readonly unknown[],
  onPage: (page: number) => void,
): void => {
  const leading = useRef<HTMLElement | null>(null);
  // Not after the paint: whoever sees a pane may scroll it.
  useLayoutEffect(() => {
    const elements = panes.flatMap(({ current }) => current ?? []);
    const ends = elements.map((pane) => {
      let frame = 0;
      const lead = () => {
        leading.current = pane;
      };
      const follow = () => {
        if (leading.current !== pane || frame !== 0) return;
        frame = requestAnimationFrame(() => {
          frame = 0;
          const place = placeIn(pane);
          if (place === null) return;
          onPage(place.page);
          for (const other of elements) if (other !== pane) showPlace(other, place);
        });
      };
      const leads = ["pointerenter", "pointerdown", "wheel", "touchstart", "focusin", "keydown"];
      for (const name of leads) pane.addEventListener(name, lead, { passive: true });
      pane.addEventListener("scroll", follow, { passive: true });
      return () => {
        cancelAnimationFrame(frame);
        for (const name of leads) pane.removeEventListener(name, lead);
        pane.removeEventListener("scroll", follow);
      };
    });
    return () => {
      for (const end of ends) end();
    };
  }, inputs as unknown[]);
};
