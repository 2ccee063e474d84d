import { type Signal, useSignal } from "@preact/signals";
import type { IconNode } from "lucide";
import { h } from "preact";
import { useEffect } from "preact/hooks";

/** An icon of Lucide, in the color and size of the text. Words stand beside it, so it is hidden from screen readers. */
export const Icon = ({ icon }: { icon: IconNode }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {icon.map(([tag, attributes], at) => h(tag, { ...attributes, key: at }))}
  </svg>
);

interface IconButtonProps {
  icon: IconNode;
  /** What it does, for screen readers. */
  label: string;
  /** Whether the label is shown too, where the pointer rests on it. */
  isTitled?: boolean;
  onClick(): void;
}

/** A button that is an icon alone. */
export const IconButton = ({ icon, label, isTitled = false, onClick }: IconButtonProps) => (
  <button type="button" class="icon-only" aria-label={label} title={isTitled ? label : undefined} onClick={onClick}>
    <Icon icon={icon} />
  </button>
);

/** Takes what a control gives into a signal. */
export const writeTo =
  <Value,>(signal: Signal<Value>) =>
  (value: Value): void => {
    signal.value = value;
  };

/** Takes what is typed into a signal. */
export const typeInto =
  (signal: Signal<string>) =>
  ({ currentTarget }: { currentTarget: { value: string } }): void => {
    signal.value = currentTarget.value;
  };

interface SelectProps<Value extends string> {
  id?: string;
  class?: string;
  "aria-label"?: string;
  "aria-describedby"?: string;
  disabled?: boolean;
  value: Value;
  /** What can be chosen, and how it is called. */
  options: readonly (readonly [value: Value, words: string])[];
  onChoose(value: Value): void;
}

/** A choice of one of several. */
export const Select = <Value extends string>({ options, onChoose, ...attributes }: SelectProps<Value>) => (
  <select {...attributes} onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}>
    {options.map(([value, words]) => (
      <option key={value} value={value} dir="auto">
        {words}
      </option>
    ))}
  </select>
);

/**
 * Puts a text into the clipboard. Browsers offer their clipboard only over TLS and on the machine itself; elsewhere, as on
 * `http://nas:7373`, the text is selected and copied as by hand.
 * @returns whether it was copied
 */
export const copyText = async (text: string): Promise<boolean> => {
  if (navigator.clipboard !== undefined) {
    const isWritten = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (isWritten) return true;
  }
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  field.readOnly = true;
  // In a modal dialog, nothing outside can be selected.
  (before?.closest("dialog") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
};

/** The chosen option of a list below a search field, which keeps the focus. */
interface Option {
  /** Its index; -1 where the list is empty. */
  chosen: number;
  choose(index: number): void;
  /** Up and down, round the ends. @returns whether the key was one of these */
  move(key: string): boolean;
}

/** @param listId the options of the list have the ids `ID-0`, `ID-1` and so on: the chosen one is scrolled into view */
export const useOption = (listId: string, count: number): Option => {
  const at = useSignal(0);
  const chosen = Math.min(at.value, count - 1);
  useEffect(() => {
    document.getElementById(`${listId}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return {
    chosen,
    choose(index) {
      at.value = index;
    },
    move(key) {
      if (count === 0 || (key !== "ArrowDown" && key !== "ArrowUp")) return false;
      at.value = (chosen + (key === "ArrowDown" ? 1 : count - 1)) % count;
      return true;
    },
  };
};
