import { useEffect, useRef, useState } from "preact/hooks";
import { Tabs } from "../../components/tabs.tsx";
import { DetailsPane } from "./details-pane.tsx";
import { DocumentHeader } from "./document-header.tsx";
import { originalKind } from "./original-kind.ts";
import { OriginalPane } from "./original-pane.tsx";
import { useShownOnce } from "./passage/use-shown-once.ts";
import { useWantedPassage } from "./passage/use-wanted-passage.ts";
import { QuestionBox } from "./question-box.tsx";
import { SnippetsPane } from "./snippets-pane.tsx";
import { documentStrings as texts } from "./strings.ts";
import { TextPane } from "./text-pane.tsx";
import { useCurrentPage } from "./use-current-page.ts";
import type { WholeDocument } from "./use-document.ts";
import { useMedia } from "./use-media.ts";

type Part = "text" | "original" | "snippets" | "details";

/** From here on there is room for two. */
const twoPanes = "(min-width: 1000px)";

/** Text and original side by side; one at a time, by tabs, where there is no room for both. */
export const DocumentPanes = ({ whole }: { whole: WholeDocument }) => {
  const { document: shown, text, snippets } = whole;
  const kind = originalKind(shown);
  const isWide = useMedia(twoPanes) && (kind === "pdf" || kind === "picture");
  const [part, setPart] = useState<Part>("text");
  const left = useRef<HTMLElement>(null);
  const right = useRef<HTMLElement>(null);
  const { wanted, passage } = useWantedPassage(text, snippets);
  const showOnce = useShownOnce(wanted);
  // A passage is shown in the text, whatever was open.
  useEffect(() => {
    if (wanted.range !== null) setPart("text");
  }, [wanted]);
  const { pages } = shown.progress;
  const { page, onOriginalReady } = useCurrentPage({
    documentId: shown.id,
    pages,
    wanted,
    part,
    isWide,
    left,
    right,
  });

  const original = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={right} class="pane original-pane" tabIndex={0} aria-label={texts.original}>
      <OriginalPane
        document={shown}
        passagePage={wanted.page}
        passage={passage}
        onReady={onOriginalReady}
        onMarked={showOnce("original")}
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
                {open === "text" && <TextPane whole={whole} passage={wanted.range} onMarked={showOnce("text")} />}
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
