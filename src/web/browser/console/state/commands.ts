import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/** Something to do, in the command palette and by its keys. */
export interface Command {
  id: string;
  /** A verb first: "Add documents". */
  title: string;
  /** Keys pressed one after the other, as in `g d`; `Mod+k` with Ctrl or Cmd. None: palette only. */
  keys?: string;
  /** Offered in every view, below what the view itself offers, which may take its keys. */
  isGeneral?: boolean;
  /** It acts on what has the focus, which the palette takes away: by its keys alone, and listed under `?`. */
  isByKeysOnly?: boolean;
  run(): void;
}

/** What can be done now: the frame's commands and those of the view that is open. */
export const commands = signal<readonly Command[]>([]);

/** Offers commands while a component is shown. @param made made anew where one of `inputs` changes */
export const useCommands = (make: () => readonly Command[], inputs: readonly unknown[] = []): void => {
  // Not after the paint: whoever sees the view may press its keys.
  useLayoutEffect(() => {
    const own = make();
    commands.value = [...commands.peek(), ...own];
    return () => {
      commands.value = commands.peek().filter((command) => !own.includes(command));
    };
  }, inputs as unknown[]);
};

/** How long the second key of `g d` may take. */
const sequenceMs = 1_500;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") !== null;

/** Letters and signs count as they are typed (`?`, not Shift and `/`). */
const pressed = (event: KeyboardEvent): string =>
  `${event.ctrlKey || event.metaKey ? "Mod+" : ""}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;

/** Of two commands with the same keys, that of the view is taken. */
const commandFor = (keys: string): Command | undefined => {
  const found = commands.peek().filter((command) => command.keys === keys);
  return found.findLast(({ isGeneral }) => isGeneral !== true) ?? found[0];
};

/** Runs commands by their keys: not while something is typed, nor under a dialog. @returns ends it */
export const listenToKeys = (): (() => void) => {
  let before = "";
  let beforeAt = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const key = pressed(event);
    if (isField(event.target) && !key.startsWith("Mod+")) return;
    if (document.querySelector("dialog[open], [popover]:popover-open") !== null) return;
    const sequence = before !== "" && event.timeStamp - beforeAt < sequenceMs ? `${before} ${key}` : "";
    const found = commandFor(sequence) ?? commandFor(key);
    before = key;
    beforeAt = event.timeStamp;
    if (found === undefined) return;
    before = "";
    event.preventDefault();
    found.run();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
};
