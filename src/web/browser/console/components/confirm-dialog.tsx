import type { ComponentChildren } from "preact";
import { frameStrings as words } from "../frame/strings.ts";
import { useRun } from "../state/use-run.ts";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";

interface ConfirmDialogProps {
  title: string;
  /** What happens, and whether it can be undone. */
  children: ComponentChildren;
  /** The verb: "Revoke". */
  action: string;
  /** False while it is not known yet what happens. */
  isReady?: boolean;
  /** Does it; a failure is shown in the dialog, which then stays. */
  run(): Promise<unknown>;
  onClose(): void;
}

/** Asks before something that cannot be undone. Cancel has the focus. */
export const ConfirmDialog = ({
  title,
  children,
  action,
  isReady = true,
  run: onConfirmed,
  onClose,
}: ConfirmDialogProps) => {
  const { failure, isRunning, run } = useRun();
  const confirm = () =>
    run(async () => {
      await onConfirmed();
      onClose();
    });
  const actions = (
    <>
      <button type="button" autofocus onClick={onClose}>
        {words.cancel}
      </button>
      <button type="button" class="danger" disabled={isRunning.value || !isReady} onClick={confirm}>
        {action}
      </button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      {children}
      <FailureNote error={failure.value} />
    </Dialog>
  );
};
