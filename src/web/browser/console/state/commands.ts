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
