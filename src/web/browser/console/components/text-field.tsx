import type { Signal } from "@preact/signals";
import type { InputHTMLAttributes } from "preact";
import { useId } from "preact/hooks";
import { Select, typeInto } from "../../shared/controls.tsx";

interface NoteProps {
  /** What it is for, below it. */
  hint?: string | undefined;
  /** What is wrong with it, below it: read out as it comes. */
  fault?: string | undefined;
}

const notesOf = (id: string): string => `${id}-hint ${id}-fault`;

const FieldNotes = ({ id, hint, fault }: NoteProps & { id: string }) => (
  <>
    {hint !== undefined && (
      <span id={`${id}-hint`} class="hint">
        {hint}
      </span>
    )}
    <p id={`${id}-fault`} class="field-fault" role="alert">
      {fault}
    </p>
  </>
);

interface TextFieldProps
  extends NoteProps,
    Pick<InputHTMLAttributes<HTMLInputElement>, "autofocus" | "required" | "onFocus"> {
  label: string;
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
        aria-describedby={notesOf(id)}
        onInput={typeInto(value)}
        {...input}
      />
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
};

interface SelectFieldProps<Value extends string> extends NoteProps {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, words: string])[];
  disabled?: boolean;
  onChoose(value: Value): void;
}

/** A label, its choice of one of several, and what is said below it. */
export const SelectField = <Value extends string>({ label, hint, fault, ...choice }: SelectFieldProps<Value>) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Select id={id} aria-describedby={notesOf(id)} {...choice} />
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
};
