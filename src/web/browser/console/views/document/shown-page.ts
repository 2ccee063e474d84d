import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { DocumentSnippet } from "../../../shared/api.ts";
import { renderMarkdown } from "../../../shared/markdown.ts";
import { useCommands } from "../../state/commands.ts";
import { toast } from "../../state/messages.ts";
import { type WantedPassage, wantedPassage } from "../documents/record/document-words.ts";
import { documentStrings as texts } from "./strings.ts";

interface CurrentPageOptions {
  documentId: string;
  /** How many the document has; 0: it has no pages. */
  pages: number;
  wanted: WantedPassage;
  /** The tab that is open. */
  part: string;
  /** Text and original are side by side. */
  isWide: boolean;
  left: RefObject<HTMLElement | null>;
  right: RefObject<HTMLElement | null>;
}

const keepPageInView = ({ current: pane }: RefObject<HTMLElement | null>, page: number | null): void => {
  if (pane !== null && page !== null) keepInView(pane, () => showPage(pane, page));
};

/**
 * The page that is read, null where there are none: it follows the panes, and the panes follow the address, the keys
 * `[` and `]`, and each other.
 */
export const useCurrentPage = (options: CurrentPageOptions): { page: number | null; onOriginalReady: () => void } => {
  const { documentId, pages, wanted, part, isWide, left, right } = options;
  const [page, setPage] = useState<number | null>(null);
  const panes = isWide ? [left, right] : [part === "original" ? right : left];
  usePagesTogether(panes, [isWide, part, documentId], setPage);

  useEffect(() => {
    setPage(wanted.page ?? (pages > 0 ? 1 : null));
    // A passage is brought into view when it is marked.
    if (wanted.range === null) keepPageInView(left, wanted.page);
  }, [wanted]);

  // Back from another tab, at the page that was read.
  const partBefore = useRef(part);
  useEffect(() => {
    if (partBefore.current !== part && part === "text" && page !== null && page > 1) keepPageInView(left, page);
    partBefore.current = part;
  }, [part]);

  const goTo = (to: number): void => {
    setPage(to);
    for (const { current } of panes) if (current !== null) showPage(current, to);
  };
  const next = (): void => goTo(Math.min(pages, (page ?? 1) + 1));
  const previous = (): void => goTo(Math.max(1, (page ?? 1) - 1));
  const { commands } = texts;
  useCommands(
    () =>
      pages === 0
        ? []
        : [
            { id: "document.next", title: commands.nextPage, keys: "]", run: next },
            { id: "document.previous", title: commands.previousPage, keys: "[", run: previous },
          ],
    [page, pages, isWide, part],
  );

  const onOriginalReady = useCallback(() => keepPageInView(right, page ?? wanted.page), [page, wanted]);
  return { page, onOriginalReady };
};

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
const showPlace = (pane: HTMLElement, { page, share }: PagePlace): void => {
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
const showPage = (pane: HTMLElement, page: number): void => {
  const element = pagesIn(pane).find(({ dataset }) => Number(dataset.page) === page);
  if (element !== undefined) pane.scrollTop = topIn(pane, element) - 8;
};

/**
 * Two panes go through the pages together: the one that the reader works with leads, the other follows.
 * @param onPage told of the page that is read
 */
const usePagesTogether = (
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

/** What is laid out later moves what is shown: for this long it is brought back. */
const keptMs = 3_000;
const handsOn = ["wheel", "touchstart", "pointerdown", "keydown"];

/**
 * Brings an element to the middle of its pane, and again while the pane's content is still laid out; until the reader
 * takes over.
 * @param bring scrolls to it
 */
const keepInView = (pane: HTMLElement, bring: () => void): void => {
  bring();
  const observer = new ResizeObserver(bring);
  for (const child of pane.querySelectorAll(":scope > *, section")) observer.observe(child);
  const end = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const name of handsOn) pane.removeEventListener(name, end);
  };
  const timer = setTimeout(end, keptMs);
  for (const name of handsOn) pane.addEventListener(name, end, { passive: true });
};

/** What the address asks to show: the same object until that changes. `passage` is its text without Markdown. */
export const useWantedPassage = (
  text: string,
  snippets: readonly Pick<DocumentSnippet, "id" | "start" | "end" | "page">[],
): { wanted: WantedPassage; passage: string | null } => {
  const { query } = useLocation();
  const { start, end, page, snippet } = query;
  const wanted = useMemo(() => wantedPassage(query, text, snippets), [start, end, page, snippet, text, snippets]);
  const passage = useMemo(
    () =>
      wanted.range === null ? null : renderMarkdown(text.slice(wanted.range.start, wanted.range.end), 0).textContent,
    [wanted],
  );
  return { wanted, passage };
};

/**
 * Brings the wanted passage into view when it has been marked, once in each pane: then the reader leads.
 * @returns for the name of a pane, what to call with the marks in it
 */
export const useShownOnce = (wanted: WantedPassage) => {
  const shown = useRef(new Map<string, WantedPassage>());
  return (pane: "text" | "original") =>
    (marks: readonly HTMLElement[]): void => {
      const [first] = marks;
      if (shown.current.get(pane) === wanted) return;
      if (first !== undefined) {
        shown.current.set(pane, wanted);
        const element = first.closest<HTMLElement>(".pane");
        if (element !== null) keepInView(element, () => first.scrollIntoView({ block: "center" }));
      } else if (pane === "text") toast(texts.notFound, "failed");
    };
};
