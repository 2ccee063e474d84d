import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { renderMarkdown } from "../../../shared/markdown.ts";
import { StateWord } from "../../components/facts.tsx";
import { placeWarning, type TextSection, textSections } from "./find-passage.ts";
import { markPassage } from "./mark-passage.ts";
import { documentStrings as texts } from "./strings.ts";
import type { WholeDocument } from "./use-document.ts";

interface TextPaneProps {
  whole: WholeDocument;
  passage: { start: number; end: number } | null;
  onMarked(marks: readonly HTMLElement[]): void;
}

/** The text as it was read, page by page, with what was noticed at its page. */
export const TextPane = ({ whole, passage, onMarked }: TextPaneProps) => {
  const { document: shown, text, snippets } = whole;
  const { pages } = shown.progress;
  const sections = useMemo(() => textSections(text, snippets, pages), [text, snippets, pages]);
  const warnings = useMemo(() => shown.warnings.map(placeWarning), [shown.warnings]);
  const known = new Set(sections.map(({ page }) => page));
  const isGeneral = ({ pages: named }: { pages: number[] }) => !named.some((page) => known.has(page));
  return (
    <div class="text-pane">
      <Warnings warnings={warnings.filter(isGeneral).map(({ text: warning }) => warning)} />
      {text === "" && shown.status !== "failed" && <p class="quiet">{texts.noText}</p>}
      {text !== "" &&
        sections.map((section) => (
          <TextSectionView
            key={`${section.start}-${section.page}`}
            text={text}
            section={section}
            warnings={warnings
              .filter(
                ({ pages: named }) => section.isPageStart && section.page !== null && named.includes(section.page),
              )
              .map(({ text: warning }) => warning)}
            passage={passage !== null && passage.start < section.end && passage.end > section.start ? passage : null}
            onMarked={onMarked}
          />
        ))}
    </div>
  );
};

const Warnings = ({ warnings }: { warnings: readonly string[] }) =>
  warnings.map((warning) => (
    <p key={warning} class="page-warning">
      <StateWord mood="warning">
        <span dir="auto">{warning}</span>
      </StateWord>
    </p>
  ));

interface TextSectionProps {
  text: string;
  section: TextSection;
  warnings: readonly string[];
  /** Characters of the text to mark; null: none in this section. */
  passage: { start: number; end: number } | null;
  /** The marks are there: once for each passage. @param marks none where it was not found */
  onMarked(marks: readonly HTMLElement[]): void;
}

/** Sections this far from what is seen are laid out already, so that scrolling finds them there. */
const margin = "1200px 0px";
const charactersOfLine = 80;
const lineHeight = 28;

/** A stretch of the text, laid out when it comes near. */
const TextSectionView = ({ text, section, warnings, passage, onMarked }: TextSectionProps) => {
  const place = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(passage !== null);
  const { start, end, page, isPageStart, tableHead } = section;

  useEffect(() => {
    if (isNear || place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: margin },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  useEffect(() => {
    if (passage !== null) setNear(true);
  }, [passage]);
  useEffect(() => {
    const element = body.current;
    if (!isNear || element === null) return;
    element.replaceChildren(renderMarkdown(tableHead + text.slice(start, end), 0));
    if (passage === null) return;
    const wanted = renderMarkdown(
      text.slice(Math.max(start, passage.start), Math.min(end, passage.end)),
      0,
    ).textContent;
    onMarked(markPassage(element, wanted ?? "", (passage.start - start) / Math.max(1, end - start)));
  }, [isNear, text, start, end, passage]);

  const lines = Math.ceil((end - start) / charactersOfLine) + 1;
  return (
    <section ref={place} data-page={isPageStart && page !== null ? page : undefined}>
      {isPageStart && page !== null && <h2 class="page-title">{texts.page(page)}</h2>}
      <Warnings warnings={warnings} />
      {start === end ? (
        <p class="quiet">{texts.emptyPage}</p>
      ) : (
        <div ref={body} class="prose" dir="auto" style={isNear ? {} : { minHeight: `${lines * lineHeight}px` }} />
      )}
    </section>
  );
};
