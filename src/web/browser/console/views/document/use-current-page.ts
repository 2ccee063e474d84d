import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useCommands } from "../../state/commands.ts";
import { keepInView } from "./keep-in-view.ts";
import { showPage, usePagesTogether } from "./pages-together.ts";
import type { WantedPassage } from "./passage/wanted-passage.ts";
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
