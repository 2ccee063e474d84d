import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { renderMarkdown } from "../../../shared/markdown.ts";
import { Tabs } from "../../components/tabs.tsx";
import { toast } from "../../components/toasts.tsx";
import { useCommands } from "../../state/commands.ts";
import { DetailsPane } from "./details-pane.tsx";
import { DocumentHeader } from "./document-header.tsx";
import { keepInView } from "./keep-in-view.ts";
import { originalKind } from "./original-kind.ts";
import { OriginalPane } from "./original-pane.tsx";
import { showPage, usePagesTogether } from "./pages-together.ts";
import { wantedPassage } from "./passage/wanted-passage.ts";
import { QuestionBox } from "./question-box.tsx";
import { SnippetsPane } from "./snippets-pane.tsx";
import { documentStrings as texts } from "./strings.ts";
import { TextPane } from "./text-pane.tsx";
import type { WholeDocument } from "./use-document.ts";
import { useMedia } from "./use-media.ts";

type Part = "text" | "original" | "snippets" | "details";

/** From here on there is room for two. */
const twoPanes = "(min-width: 1000px)";

/** Text and original side by side; one at a time, by tabs, where there is no room for both. */
export const DocumentPanes = ({ whole }: { whole: WholeDocument }) => {
  const { document: shown, text, snippets } = whole;
  const { query } = useLocation();
  const kind = originalKind(shown);
  const isWide = useMedia(twoPanes) && (kind === "pdf" || kind === "picture");
  const [part, setPart] = useState<Part>("text");
  const [page, setPage] = useState<number | null>(null);
  const left = useRef<HTMLElement>(null);
  const right = useRef<HTMLElement>(null);

  const { start, end, page: given } = query;
  const wanted = useMemo(() => wantedPassage(query, text, snippets), [start, end, given, text, snippets]);
  const passage = useMemo(
    () =>
      wanted.range === null ? null : renderMarkdown(text.slice(wanted.range.start, wanted.range.end), 0).textContent,
    [wanted],
  );
  // A passage is shown in the text, whatever was open.
  useEffect(() => {
    if (wanted.range !== null) setPart("text");
    setPage(wanted.page ?? (shown.progress.pages > 0 ? 1 : null));
  }, [wanted]);

  const panes = isWide ? [left, right] : [part === "original" ? right : left];
  const goTo = (to: number) => {
    setPage(to);
    for (const { current } of panes) if (current !== null) showPage(current, to);
  };
  usePagesTogether(panes, [isWide, part, shown.id], setPage);
  useEffect(() => {
    const { current: pane } = left;
    const { page: to, range } = wanted;
    if (range === null && to !== null && pane !== null) keepInView(pane, () => showPage(pane, to));
  }, [wanted]);

  /** Which of the passages was brought into view, in each pane: once, then the reader leads. */
  const brought = useRef(new Map<string, unknown>());
  const bring = (pane: string) => (marks: readonly HTMLElement[]) => {
    const [first] = marks;
    if (brought.current.get(pane) === wanted) return;
    if (first !== undefined) {
      brought.current.set(pane, wanted);
      const element = first.closest<HTMLElement>(".pane");
      if (element !== null) keepInView(element, () => first.scrollIntoView({ block: "center" }));
    } else if (pane === "text") toast(texts.notFound, "failed");
  };
  const onReady = useCallback(() => {
    const to = page ?? wanted.page;
    const { current: pane } = right;
    if (to !== null && pane !== null) keepInView(pane, () => showPage(pane, to));
  }, [page, wanted]);

  // Back from another tab, at the page that was read.
  const before = useRef(part);
  useEffect(() => {
    const { current: pane } = left;
    if (before.current !== part && part === "text" && page !== null && page > 1 && pane !== null)
      keepInView(pane, () => showPage(pane, page));
    before.current = part;
  }, [part]);

  const { pages } = shown.progress;
  const { commands } = texts;
  useCommands(
    () =>
      pages === 0
        ? []
        : [
            {
              id: "document.next",
              title: commands.nextPage,
              keys: "]",
              run: () => goTo(Math.min(pages, (page ?? 1) + 1)),
            },
            {
              id: "document.previous",
              title: commands.previousPage,
              keys: "[",
              run: () => goTo(Math.max(1, (page ?? 1) - 1)),
            },
          ],
    [page, pages, isWide, part],
  );

  const original = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={right} class="pane original-pane" tabIndex={0} aria-label={texts.original}>
      <OriginalPane
        document={shown}
        passagePage={wanted.page}
        passage={passage}
        onReady={onReady}
        onMarked={bring("original")}
      />
    </section>
  );
  const parts: readonly Part[] =
    isWide || kind === "none" ? ["text", "snippets", "details"] : ["text", "original", "snippets", "details"];
  const open = parts.includes(part) ? part : "text";
  return (
    <div class="document-view">
      <DocumentHeader document={shown} page={page} />
      <div class={`panes${isWide ? " two" : ""}`}>
        <div class="left">
          <Tabs<Part>
            label={texts.tabs}
            tabs={parts.map((id) => ({ id, label: texts[id] }))}
            selected={open}
            onSelect={setPart}
          >
            {open === "original" ? (
              original
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
              <section key={open} ref={left} class="pane" tabIndex={0} aria-label={texts[open]}>
                {open === "text" && <TextPane whole={whole} passage={wanted.range} onMarked={bring("text")} />}
                {open === "snippets" && <SnippetsPane whole={whole} onShow={() => setPart("text")} />}
                {open === "details" && <DetailsPane whole={whole} />}
              </section>
            )}
          </Tabs>
        </div>
        {isWide && original}
      </div>
      {shown.status === "processed" && <QuestionBox documentId={shown.id} />}
    </div>
  );
};
