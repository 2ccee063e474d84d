import { useMemo } from "preact/hooks";
import { StateWord } from "../../components/state-word.tsx";
import { textSections } from "./passage/text-sections.ts";
import { placeWarning } from "./passage/warning-pages.ts";
import { documentStrings as texts } from "./strings.ts";
import { TextSectionView } from "./text-section.tsx";
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
      {warnings.filter(isGeneral).map(({ text: warning }) => (
        <p key={warning} class="page-warning">
          <StateWord mood="warning">
            <span dir="auto">{warning}</span>
          </StateWord>
        </p>
      ))}
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
