import { useSignal } from "@preact/signals";
import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "../../shared/controls.tsx";
import { useRun } from "../state/loaded.ts";
import { FailureNote } from "./notes.tsx";
import { TextField } from "./text-field.tsx";
import { componentStrings as words } from "./words.ts";

interface DialogProps {
  title: string;
  /** Escape, the close button, or a click beside the dialog. The caller then shows it no longer. */
  onClose(): void;
  children: ComponentChildren;
  /** The foot: buttons, the primary one last. */
  actions?: ComponentChildren;
  /** `sheet`: at the side, over the whole height. */
  variant?: "dialog" | "sheet" | "palette";
  /** What it shows is shown only once: it closes by its own button alone. */
  mustBeDismissed?: boolean;
}

/**
 * A modal dialog. While it is shown, the rest of the page cannot be reached; then the focus goes back to where it was.
 * The browser focuses the first control in it, or what has `autofocus`.
 */
export const Dialog = ({ title, onClose, children, actions, variant = "dialog", mustBeDismissed }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      // What opened it may have been a menu that is gone: then the view's heading has the focus.
      if (before instanceof HTMLElement && !before.isConnected) document.querySelector<HTMLElement>("h1")?.focus();
    };
  }, []);
  const isCloseable = mustBeDismissed !== true;
  return (
    <dialog
      ref={dialog}
      class={variant}
      aria-labelledby={heading}
      onKeyDown={(event) => {
        // Handled here: browsers close a dialog at the second Escape, even if its `cancel` event was prevented.
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        if (isCloseable) onClose();
      }}
      onClose={(event) => {
        // The browser closed it, as the back button of a phone does.
        if (event.target !== dialog.current || dialog.current?.isConnected !== true) return;
        if (isCloseable) onClose();
        else dialog.current?.showModal();
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        if (isCloseable) onClose();
      }}
      onClick={(event) => {
        if (isCloseable && event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header class={variant === "palette" ? "unseen" : ""}>
          <h2 id={heading} dir="auto">
            {title}
          </h2>
          {isCloseable && variant !== "palette" && <IconButton icon={X} label={words.close} onClick={onClose} />}
        </header>
        {children}
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
    </dialog>
  );
};

/** A modal dialog at the side, over the whole height: settings of what the view shows. */
export const Sheet = (props: Omit<DialogProps, "variant" | "mustBeDismissed">) => <Dialog {...props} variant="sheet" />;

interface SubmitActionsProps {
  /** Id of the form. */
  form: string;
  /** The verb: "Create". */
  submit: string;
  isRunning?: boolean;
  /** Whether the form is complete as it is shown: then its button has the focus. */
  isFocused?: boolean;
  onClose(): void;
}

/** The foot of a dialog that is a form: Cancel, and the button that sends it. */
export const SubmitActions = ({ form, submit, isRunning = false, isFocused = false, onClose }: SubmitActionsProps) => (
  <>
    <button type="button" onClick={onClose}>
      {words.cancel}
    </button>
    <button type="submit" form={form} class="primary" autofocus={isFocused} disabled={isRunning}>
      {submit}
    </button>
  </>
);

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

/** Of a document, a partition, a key or a chat: the server's limit. */
export const maxNameCharacters = 255;

/** Asks for a name. */
export const NameDialog = ({ title, label, hint, initial = "", submit, run: onName, onClose }: NameDialogProps) => {
  const id = useId();
  const typed = useSignal(initial);
  const { failure, isRunning, run } = useRun();
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    const name = typed.value.trim();
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
        <TextField
          label={label}
          hint={hint}
          value={typed}
          maxLength={maxNameCharacters}
          autofocus
          required
          onFocus={(event) => event.currentTarget.select()}
        />
        <FailureNote error={failure.value} />
      </form>
    </Dialog>
  );
};
