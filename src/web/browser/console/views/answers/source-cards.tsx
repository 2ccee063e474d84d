import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { PassageText } from "../../../shared/answer-text.tsx";
import type { Range } from "../../../shared/passage-markdown.ts";
import { documentLink } from "../documents/record/document-words.ts";
import type { DocumentNames } from "./document-names.ts";
import type { Passage } from "./passages.ts";
import { beginOfExcerpt, citedSentences, statementsOf } from "./passages.ts";
import { answerStrings as words } from "./strings.ts";

interface SourceCardsProps {
  passages: readonly Passage[];
  names: DocumentNames;
  /** The answer, whose marks name the passages; empty: no sentence is marked. */
  answer: string;
  pointed?: number | null;
  onPoint?(number: number | null): void;
  /** For the links of the numbers: false where no answer names them. */
  isNumbered?: boolean;
}

/** Where a passage is opened: at its first cited sentence, else as a whole. */
const passageLink = ({ documentId, page, start, end, text }: Passage, cited: readonly Range[] = []): string => {
  if (documentId === null) return "/documents";
  const [sentence] = cited;
  // Offsets in the passage are offsets in the document only if the passage is the document's text unchanged.
  return sentence !== undefined && text.length === end - start
    ? documentLink(documentId, { page, start: start + sentence.start, end: start + sentence.end })
    : documentLink(documentId, { page, start, end });
};

/** The sentences of a passage that an answer takes from it. */
const citedIn = (passage: Passage, number: number, answer: string): Range[] =>
  citedSentences(passage.text, statementsOf(answer, number));

/** How many passages an answer names, and how many were read besides, in words. */
export const sourcesWords = (passages: readonly Passage[], answer: string): string =>
  words.sources(passages.filter((_, at) => answer.includes(`[${at + 1}]`)).length, passages.length);

/** An answer and its sources, joined by their marks: what `AnswerText` and `SourceCards` of both are shown with. */
export const useJoinedSources = (passages: readonly Passage[], text: string) => {
  const { route } = useLocation();
  const pointed = useSignal<number | null>(null);
  const joined = {
    pointed: pointed.value,
    onPoint(number: number | null) {
      pointed.value = number;
    },
  };
  const onSource = (number: number): void => {
    const passage = passages[number - 1];
    if (passage !== undefined) route(passageLink(passage, citedIn(passage, number, text)));
  };
  return {
    answer: { text, sources: passages.length, onSource, ...joined },
    cards: { passages, answer: text, ...joined },
  };
};

/** The sources of an answer: what each is, and the passage with the sentence that is meant. */
export const SourceCards = ({ passages, isNumbered = true, ...rest }: SourceCardsProps) => (
  <ol class={isNumbered ? "source-cards" : "source-cards unnumbered"}>
    {passages.map((passage, at) => (
      <SourceCard key={passage.id} passage={passage} number={at + 1} isNumbered={isNumbered} {...rest} />
    ))}
  </ol>
);

interface SourceCardProps extends Omit<SourceCardsProps, "passages"> {
  passage: Passage;
  number: number;
}

const SourceCard = ({ passage, number, names, answer, pointed, onPoint, isNumbered }: SourceCardProps) => {
  // Statements before a mark no longer change: only a new mark makes a difference.
  const statements = statementsOf(answer, number);
  const cited = useMemo(() => citedSentences(passage.text, statements), [passage.text, statements.join("\n")]);
  const begin = beginOfExcerpt(passage.text, cited);
  const known = passage.documentId === null ? null : names.of(passage.documentId);
  const name = known ?? words.unnamed;
  const place = [...(passage.page === null ? [] : [words.page(passage.page)]), ...passage.headings].join(" › ");
  const point = (to: number | null) => () => onPoint?.(to);
  return (
    <li
      class={pointed === number ? "source-card pointed" : "source-card"}
      data-number={number}
      onPointerEnter={point(number)}
      onPointerLeave={point(null)}
      onFocusCapture={point(number)}
      onBlurCapture={point(null)}
    >
      {passage.text === "" ? (
        <p class="quiet">{words.gone}</p>
      ) : (
        <>
          <a class="source-name" href={passageLink(passage, cited)}>
            {isNumbered && (
              <span class="source-number">
                <span class="unseen">{words.sourceWord} </span>
                {number}
              </span>
            )}
            <bdi title={known ?? ""}>{known === undefined ? "" : name}</bdi>
          </a>
          <p class="source-place quiet" dir="auto">
            {place}
          </p>
          <PassageText text={passage.text} columns={passage.columns} cited={cited} begin={begin} />
        </>
      )}
    </li>
  );
};
