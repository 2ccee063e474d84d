import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Dialog } from "../components/dialog.tsx";
import { Icon } from "../components/icon.tsx";
import { useOption } from "../state/use-option.ts";
import type { Found } from "./found.ts";
import { Keys } from "./keys.tsx";
import { frameStrings as words } from "./strings.ts";
import { useFound } from "./use-found.ts";

/** Goes to views, documents and chats, and runs what the open view offers, all by typing a few letters. */
export const Palette = ({ onClose }: { onClose(): void }) => {
  const id = useId();
  const typed = useSignal("");
  const found = useFound(typed);
  const { chosen, choose, move } = useOption(id, found.value.length);

  const run = (each: Found | undefined) => {
    if (each === undefined) return;
    onClose();
    // After the focus went back, so that what runs may move it.
    setTimeout(() => each.run());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Enter") run(found.value[chosen]);
    else if (!move(event.key)) return;
    event.preventDefault();
  };

  return (
    <Dialog title={words.palette} onClose={onClose} variant="palette">
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found.value.length > 0 ? `${id}-${chosen}` : undefined}
        aria-label={words.palette}
        placeholder={words.palettePlaceholder}
        autocomplete="off"
        spellcheck={false}
        autofocus
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          choose(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} class="palette-list" role="listbox" aria-label={words.palette}>
        {found.value.map((each, index) => (
          // biome-ignore lint/a11y: keys are handled at the field
          <div
            key={each.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onPointerMove={() => choose(index)}
            onClick={() => run(each)}
          >
            <Icon icon={each.icon} />
            <span dir="auto">{each.title}</span>
            {each.keys !== undefined && <Keys keys={each.keys} />}
          </div>
        ))}
      </div>
      <p class="quiet" role="status">
        {found.value.length === 0 ? words.nothingFound : ""}
      </p>
    </Dialog>
  );
};
