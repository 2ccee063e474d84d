import { useId, useRef } from "preact/hooks";
import { useRun } from "../state/use-run.ts";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";
import { SubmitActions } from "./submit-actions.tsx";

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
export const NameDialog = ({ title, label, hint, initial = "", submit, run: onName, onClose }: NameDialogProps) => {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { failure, isRunning, run } = useRun();
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    const name = field.current?.value.trim() ?? "";
    if (name === "") return;
    void run(async () => {
      await onName(name);
      onClose();
    });
  };
  const actions = <SubmitActions form={id} submit={submit} isRunning={isRunning.value} onClose={onClose} />;
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
