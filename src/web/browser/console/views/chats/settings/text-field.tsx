import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";

interface TextFieldProps {
  label: string;
  hint?: string;
  value: Signal<string>;
  maxLength: number;
  isWrong?: boolean;
}

/** A label, its field, a hint below it. */
export const TextField = ({ label, hint, value, maxLength, isWrong = false }: TextFieldProps) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        dir="auto"
        autocomplete="off"
        maxLength={maxLength}
        value={value.value}
        aria-invalid={isWrong}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
      />
      {hint !== undefined && (
        <span id={`${id}-hint`} class="hint">
          {hint}
        </span>
      )}
    </div>
  );
};
