import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { CornerDownRight, FileText, type IconNode, MessagesSquare } from "lucide";
import { useEffect, useId } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Chat, Document } from "../../shared/api.ts";
import { Icon, useOption } from "../../shared/controls.tsx";
import { Dialog } from "../components/dialog.tsx";
import { type Command, commands } from "../state/commands.ts";
import { client } from "../state/session.ts";
import { frameStrings as words } from "./strings.ts";

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

/** The server is asked when nothing was typed for this long. */
const pauseMs = 150;

/** What fits what is typed: commands at once, then the documents and chats that the server finds. */
const useFound = (typed: ReadonlySignal<string>): ReadonlySignal<readonly Found[]> => {
  const { route } = useLocation();
  const records = useSignal<readonly Found[]>([]);
  useEffect(() => {
    const text = typed.value.trim();
    const stop = new AbortController();
    if (text === "") records.value = [];
    const timer = setTimeout(() => {
      if (text === "") return;
      findRecords(text, route, stop.signal).then(
        (list) => {
          records.value = list;
        },
        () => {},
      );
    }, pauseMs);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [typed.value]);
  return useComputed(() => [...findCommands(typed.value.trim()), ...records.value]);
};

/** A line of the palette. */
interface Found {
  id: string;
  title: string;
  icon: IconNode;
  keys?: string;
  run(): void;
}

const maxFound = 6;

/** Whether the title holds every word that was typed. */
const fits = (title: string, typed: string): boolean =>
  typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => title.toLocaleLowerCase().includes(word));

const asFound = ({ id, title, keys, run }: Command): Found => ({
  id,
  title,
  icon: CornerDownRight,
  ...(keys === undefined ? {} : { keys }),
  run,
});

/** Commands that fit what was typed; those of the view that is open first. */
const findCommands = (typed: string): Found[] =>
  commands.value
    .filter(({ id, title, isByKeysOnly }) => id !== "palette" && isByKeysOnly !== true && fits(title, typed))
    .toSorted((a, b) => Number(a.isGeneral ?? false) - Number(b.isGeneral ?? false))
    .map(asFound);

/** Documents and chats whose name holds what was typed. */
const findRecords = async (typed: string, route: (path: string) => void, stop: AbortSignal): Promise<Found[]> => {
  const query = { searchValue: typed, limit: maxFound };
  const [documents, chats] = await Promise.all([
    client.get<Document[]>("/api/document", query, stop),
    client.get<Chat[]>("/api/chat", query, stop),
  ]);
  return [
    ...documents.map(({ id, name }) => ({
      id: `document-${id}`,
      title: name,
      icon: FileText,
      run: () => route(`/documents/${id}`),
    })),
    ...chats.map(({ id, name, title }) => ({
      id: `chat-${id}`,
      title: name || title || id,
      icon: MessagesSquare,
      run: () => route(`/chats/${id}`),
    })),
  ];
};

/** The keys of all commands that can be run now. */
export const ShortcutList = ({ onClose }: { onClose(): void }) => {
  // A view's command takes the keys of the frame's.
  const shown = new Map(commands.value.filter(({ keys }) => keys !== undefined).map((each) => [each.keys, each]));
  return (
    <Dialog title={words.shortcuts} onClose={onClose}>
      <dl class="shortcuts">
        {[...shown.values()].map(({ id, title, keys = "" }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
        <div>
          <dt>{words.closeOpen}</dt>
          <dd>
            <Keys keys="Escape" />
          </dd>
        </div>
      </dl>
    </Dialog>
  );
};

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys as they stand on the keyboard: `g d` is one after the other, `Mod+k` both at once. */
const Keys = ({ keys }: { keys: string }) => (
  <span class="keys">
    {keys.split(" ").map((key, at) => (
      <kbd key={at}>
        {key.replace("Mod+", isApple ? "⌘ " : "Ctrl ").replace(/ ([a-z])$/, (letter) => letter.toUpperCase())}
      </kbd>
    ))}
  </span>
);
