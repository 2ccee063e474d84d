import { useComputed, useSignal } from "@preact/signals";
import { Search } from "lucide";
import { useEffect, useId, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Icon } from "../../console/components/icon.tsx";
import { useOption } from "../../console/state/use-option.ts";
import { api, guides } from "../state/documents.ts";
import { strings } from "../strings.ts";
import { FoundList } from "./found-list.tsx";
import { makeIndex, search } from "./search-index.ts";
import { useSlashKey } from "./use-slash-key.ts";

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
        <FoundList id={id} found={isShown ? found.value : null} chosen={chosen} onChoose={choose} onOpen={open} />
        {found.value.length === 0 && <p class="quiet small nothing">{words.nothing(text)}</p>}
      </div>
      <p class="unseen" role="status">
        {isShown ? words.count(found.value.length) : ""}
      </p>
    </search>
  );
};
