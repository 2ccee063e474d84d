import { signal, useComputed, useSignal } from "@preact/signals";
import { Search } from "lucide";
import MiniSearch from "minisearch";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Icon, useOption } from "../shared/controls.tsx";
import { api, guides } from "./content.ts";
import { Method } from "./reference-parts.tsx";
import { apiEntries, type Entry, guideEntries, passageOf } from "./search-entries.ts";
import { strings } from "./strings.ts";

const words = strings.search;

/** Searches guides and operations in the browser, from the first letter on. `/` leads here from anywhere. */
export const SearchBox = () => {
  const id = useId();
  const { route } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const typed = useSignal("");
  const isOpen = useSignal(false);
  const found = useComputed(() => search(typed.value));
  const text = typed.value.trim();
  const count = found.value.length;
  const { chosen, choose, move } = useOption(id, count);
  const isShown = isOpen.value && text !== "";

  useEffect(() => {
    void makeIndex();
  }, [guides.value, api.value]);
  useSlashKey(field);

  const open = (index: number): void => {
    isOpen.value = false;
    const place = found.value[index];
    if (place !== undefined) route(place.address);
    field.current?.blur();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && count > 0) open(chosen);
    else if (event.key === "Escape") {
      if (isShown) isOpen.value = false;
      else field.current?.blur();
    } else if (!move(event.key)) return;
    event.preventDefault();
  };

  return (
    <search class="search">
      <Icon icon={Search} />
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isShown ? `${id}-${chosen}` : undefined}
        aria-label={words.label}
        aria-keyshortcuts="/"
        placeholder={words.placeholder}
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          choose(0);
          isOpen.value = true;
        }}
        onFocus={() => (isOpen.value = true)}
        onBlur={() => (isOpen.value = false)}
        onKeyDown={onKeyDown}
      />
      <span class="key" aria-hidden="true">
        {words.keys}
      </span>
      {/* The pointer does not take the focus from the field. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys are handled at the field */}
      <div class="found" hidden={!isShown} onMouseDown={(event) => event.preventDefault()}>
        <FoundList id={id} found={isShown ? found.value : null} chosen={chosen} onChoose={choose} onOpen={open} />
        {found.value.length === 0 && <p class="quiet small nothing">{words.nothing(text)}</p>}
      </div>
      <p class="unseen" role="status">
        {isShown ? words.count(found.value.length) : ""}
      </p>
    </search>
  );
};

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
const FoundList = ({ id, found, chosen, onChoose, onOpen }: FoundListProps) => {
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

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select") !== null;

/** `/` leads to the field from anywhere but other fields. */
const useSlashKey = (field: RefObject<HTMLInputElement | null>): void => {
  // Not after the paint: whoever sees the page may press its key.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
};

/** A place that was found, with the words of it that fit. */
interface Found extends Entry {
  /** As they stand in the text, in lower case. */
  terms: readonly string[];
}

const maxFound = 10;
/** Entries that are read at a time: between them the page answers to keys. */
const readAtATime = 20;
/** A misspelled word of this many letters is still found. */
const minFuzzyLetters = 5;
/** Letters that may differ, as a share of the word. */
const fuzziness = 0.2;

const createIndex = () =>
  new MiniSearch<Entry & { id: number }>({
    fields: ["title", "names", "context", "text"],
    storeFields: ["address", "title", "context", "method", "names", "text"],
    searchOptions: {
      boost: { title: 4, names: 3, context: 1.5 },
      prefix: true,
      fuzzy: (term) => (term.length < minFuzzyLetters ? false : fuzziness),
      // Guides repeat their subject in many sections: what is named so comes first.
      boostDocument: (_, term, stored) =>
        String(stored?.title ?? "")
          .toLowerCase()
          .startsWith(term)
          ? 1.5
          : 1,
    },
  });

type Index = ReturnType<typeof createIndex>;

/** The index of what is loaded; it grows when more is. */
const searchIndex = signal<{ index: Index; parts: string } | null>(null);
let making = "";

/** Reads what is loaded into an index, with pauses. What was read already is not read again. */
const makeIndex = async (): Promise<void> => {
  const parts = `${guides.value === null ? "" : "guides "}${api.value === null ? "" : "api"}`;
  if (parts === "" || parts === making) return;
  making = parts;
  const entries = [
    ...(guides.value === null ? [] : guideEntries(guides.value)),
    ...(api.value === null ? [] : apiEntries(api.value)),
  ].map((entry, id) => ({ ...entry, id }));
  const index = createIndex();
  await index.addAllAsync(entries, { chunkSize: readAtATime });
  if (making === parts) searchIndex.value = { index, parts };
};

/** Places that hold all words; where there is none, those that hold some. */
const search = (text: string): Found[] => {
  const made = searchIndex.value;
  if (made === null || text.trim() === "") return [];
  const all = made.index.search(text, { combineWith: "AND" });
  const found = all.length > 0 ? all : made.index.search(text, { combineWith: "OR" });
  return found.slice(0, maxFound).map((each) => ({
    address: String(each.address),
    title: String(each.title),
    context: String(each.context),
    method: String(each.method),
    names: String(each.names),
    text: String(each.text),
    terms: each.terms,
  }));
};
