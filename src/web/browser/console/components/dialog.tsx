import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { frameStrings as words } from "../frame/strings.ts";
import { Icon } from "./icon.tsx";

export interface DialogProps {
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
          {isCloseable && variant !== "palette" && (
            <button type="button" class="icon-only" aria-label={words.close} onClick={onClose}>
              <Icon icon={X} />
            </button>
          )}
        </header>
        {children}
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
    </dialog>
  );
};
