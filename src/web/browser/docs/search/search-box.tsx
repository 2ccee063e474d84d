import { useComputed, useSignal } from "@preact/signals";
import { Search } from "lucide";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Icon } from "../../console/components/icon.tsx";
import { Method } from "../reference/words.tsx";
import { api, guides } from "../state/documents.ts";
import { strings } from "../strings.ts";
import { passageOf } from "./passage.ts";
import { type Found, makeIndex, search } from "./search-index.ts";

const words = strings.search;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select") !== null;

/** Searches guides and operations in the browser, from the first letter on. `/` leads here from anywhere. */
export const SearchBox = ({ onAsk }: { onAsk(question: string): void }) => {
  const id = useId();
  const { route } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const typed = useSignal("");
  const isOpen = useSignal(false);
  const at = useSignal(0);
  const found = useComputed(() => search(typed.value));
  const text = typed.value.trim();
  // The last line asks the guides.
  const count = text === "" ? 0 : found.value.length + 1;
  const chosen = Math.min(at.value, count - 1);
  const isShown = isOpen.value && count > 0;

  useEffect(() => {
    void makeIndex();
  }, [guides.value, api.value]);
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
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const open = (index: number): void => {
    isOpen.value = false;
    const place = found.value[index];
    if (place === undefined) onAsk(text);
    else route(place.address);
    field.current?.blur();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" && count > 0) at.value = (chosen + 1) % count;
    else if (event.key === "ArrowUp" && count > 0) at.value = (chosen - 1 + count) % count;
    else if (event.key === "Enter" && count > 0) open(chosen);
    else if (event.key === "Escape") {
      if (isShown) isOpen.value = false;
      else field.current?.blur();
    } else return;
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
          at.value = 0;
          isOpen.value = true;
        }}
        onFocus={() => {
          isOpen.value = true;
        }}
        onBlur={() => {
          isOpen.value = false;
        }}
        onKeyDown={onKeyDown}
      />
      <span class="key" aria-hidden="true">
        {words.keys}
      </span>
      {/* The pointer does not take the focus from the field. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys are handled at the field */}
      <div class="found" hidden={!isShown} onMouseDown={(event) => event.preventDefault()}>
        <div id={id} role="listbox" aria-label={words.results}>
          {isShown &&
            found.value.map((place, index) => (
              // biome-ignore lint/a11y: keys are handled at the field
              <div
                key={place.address}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === chosen}
                onPointerMove={() => {
                  at.value = index;
                }}
                onClick={() => open(index)}
              >
                <Place place={place} />
              </div>
            ))}
          {isShown && (
            // biome-ignore lint/a11y: as above
            <div
              id={`${id}-${found.value.length}`}
              role="option"
              class="ask"
              aria-selected={chosen === found.value.length}
              onPointerMove={() => {
                at.value = found.value.length;
              }}
              onClick={() => open(found.value.length)}
            >
              <p class="place-title">{words.ask(text)}</p>
              <p class="quiet small">{words.askHint}</p>
            </div>
          )}
        </div>
        {found.value.length === 0 && <p class="quiet small nothing">{words.nothing(text)}</p>}
      </div>
      <p class="unseen" role="status">
        {isShown ? words.count(found.value.length) : ""}
      </p>
    </search>
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
