import type { ComponentChildren } from "preact";
import { Method } from "../reference/words.tsx";
import { strings } from "../strings.ts";
import { passageOf } from "./passage.ts";
import type { Found } from "./search-index.ts";

const words = strings.search;

interface FoundListProps {
  /** Of the list; its options are `ID-0`, `ID-1` and so on. */
  id: string;
  /** Null: the list is closed. */
  found: readonly Found[] | null;
  /** Index of the option that Enter opens. */
  chosen: number;
  onChoose(index: number): void;
  onOpen(index: number): void;
}

/** What the search found. */
export const FoundList = ({ id, found, chosen, onChoose, onOpen }: FoundListProps) => {
  const option = (index: number, content: ComponentChildren) => (
    // biome-ignore lint/a11y: keys are handled at the field
    <div
      key={index}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === chosen}
      onPointerMove={() => onChoose(index)}
      onClick={() => onOpen(index)}
    >
      {content}
    </div>
  );
  return (
    <div id={id} role="listbox" aria-label={words.results}>
      {found?.map((place, index) => option(index, <Place place={place} />))}
    </div>
  );
};

const Place = ({ place: { title, context, method, text, terms } }: { place: Found }) => (
  <>
    <p class="place-title">
      {title}
      <span class="quiet small">
        {method !== "" && <Method name={method} />} {context}
      </span>
    </p>
    <p class="quiet small passage">
      {passageOf(text, terms).map((piece, at) =>
        piece.isMarked ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
      )}
    </p>
  </>
);
