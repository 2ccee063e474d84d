import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { EmptyNote, FailureNote, Loading } from "../../components/notes.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { RequestFailure } from "../../state/client.ts";
import { originalKind } from "../documents/record/document-words.ts";
import { DocumentHeader } from "./document-header.tsx";
import { OriginalPane } from "./original-pane.tsx";
import { useCurrentPage, useShownOnce, useWantedPassage } from "./shown-page.ts";
import { DetailsPane, SnippetsPane } from "./side-panes.tsx";
import { documentStrings as texts } from "./strings.ts";
import { TextPane } from "./text-pane.tsx";
import { useDocument, type WholeDocument } from "./use-document.ts";

/** A document: its text beside its original, how it was cut, and what is known of it. */
export const DocumentView = () => {
  const { params } = useRoute();
  const id = params.id ?? "";
  const { value, error, reload } = useDocument(id);
  if (error instanceof RequestFailure && error.status === 404)
    return (
      <>
        <ViewHeader title={texts.title} />
        <EmptyNote title={texts.gone}>
          <p>{texts.goneText}</p>
          <a class="button" href="/documents">
            {texts.back}
          </a>
        </EmptyNote>
      </>
    );
  if (value === undefined || value.document.id !== id)
    return (
      <>
        <ViewHeader title={texts.title} />
        {error === null ? <Loading /> : <FailureNote error={error} />}
      </>
    );
  return (
    <>
      <FailureNote error={error} onRetry={reload} />
      <DocumentPanes key={id} whole={value} />
    </>
  );
};

type Part = "text" | "original" | "snippets" | "details";

/** From here on there is room for two. */
const twoPanes = "(min-width: 1000px)";

/** Text and original side by side; one at a time, by tabs, where there is no room for both. */
const DocumentPanes = ({ whole }: { whole: WholeDocument }) => {
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

const maxCharacters = 8_000;

/** Asks this document only, in the view made for that. */
const QuestionBox = ({ documentId }: { documentId: string }) => {
  const { route } = useLocation();
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    const question = String(new FormData(event.currentTarget as HTMLFormElement).get("q")).trim();
    if (question !== "") route(`/ask?${new URLSearchParams({ document: documentId, q: question })}`);
  };
  return (
    <form class="question-box" onSubmit={ask}>
      <input
        name="q"
        dir="auto"
        aria-label={texts.ask}
        placeholder={texts.askPlaceholder}
        maxLength={maxCharacters}
        autocomplete="off"
      />
      <button type="submit" class="primary">
        {texts.askButton}
      </button>
    </form>
  );
};

/** Whether a media query holds. */
const useMedia = (query: string): boolean => {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const change = () => setHolds(list.matches);
    change();
    list.addEventListener("change", change);
    return () => list.removeEventListener("change", change);
  }, [query]);
  return holds;
};
