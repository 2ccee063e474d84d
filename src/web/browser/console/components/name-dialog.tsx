import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { strings } from "../strings.ts";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";

interface NameDialogProps {
  title: string;
  label: string;
  hint?: string;
  initial?: string;
  submit: string;
  /** Does it with the name, without spaces around it; a failure is shown in the dialog, which then stays. */
  run(name: string): Promise<unknown>;
  onClose(): void;
}

const maxNameLength = 255;

/** Asks for a name. */
export const NameDialog = ({ title, label, hint, initial = "", submit, run, onClose }: NameDialogProps) => {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const failure = useSignal<unknown>(null);
  const isRunning = useSignal(false);
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    const name = field.current?.value.trim() ?? "";
    if (name === "" || isRunning.value) return;
    isRunning.value = true;
    failure.value = null;
    try {
      await run(name);
      onClose();
    } catch (error) {
      failure.value = error;
    } finally {
      isRunning.value = false;
    }
  };
  const actions = (
    <>
      <button type="button" onClick={onClose}>
        {strings.frame.cancel}
      </button>
      <button type="submit" form={id} class="primary" disabled={isRunning.value}>
        {submit}
      </button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      <form id={id} class="form" onSubmit={onSubmit}>
        <div class="field">
          <label for={`${id}-name`}>{label}</label>
          <input
            ref={field}
            id={`${id}-name`}
            defaultValue={initial}
            maxLength={maxNameLength}
            dir="auto"
            autocomplete="off"
            autofocus
            required
            aria-describedby={hint === undefined ? undefined : `${id}-hint`}
            onFocus={(event) => event.currentTarget.select()}
          />
          {hint !== undefined && (
            <p id={`${id}-hint`} class="hint">
              {hint}
            </p>
          )}
        </div>
        <FailureNote error={failure.value} />
      </form>
    </Dialog>
  );
};
