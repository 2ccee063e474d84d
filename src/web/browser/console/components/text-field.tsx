import type { Signal } from "@preact/signals";
import type { InputHTMLAttributes } from "preact";
import { useId } from "preact/hooks";
import { typeInto } from "../../shared/controls.tsx";

interface TextFieldProps extends Pick<InputHTMLAttributes<HTMLInputElement>, "autofocus" | "required" | "onFocus"> {
  label: string;
  /** What it is for, below it. */
  hint?: string | undefined;
  /** What is wrong with it, below it: read out as it comes. */
  fault?: string | undefined;
  value: Signal<string>;
  maxLength: number;
  isWrong?: boolean;
}

/** A label, its field of one line, and what is said below it. */
export const TextField = ({ label, hint, fault, value, isWrong = fault !== undefined, ...input }: TextFieldProps) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        dir="auto"
        autocomplete="off"
        value={value.value}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint ${id}-fault`}
        onInput={typeInto(value)}
        {...input}
      />
      {hint !== undefined && (
        <span id={`${id}-hint`} class="hint">
          {hint}
        </span>
      )}
      <p id={`${id}-fault`} class="field-fault" role="alert">
        {fault}
      </p>
    </div>
  );
};
