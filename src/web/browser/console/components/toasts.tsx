import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { frameStrings as words } from "../frame/strings.ts";
import { toasts } from "../state/toasts.ts";
import { Icon } from "./icon.tsx";

export { offerUndo, sendUnlessUndone, toast } from "../state/toasts.ts";

/** Short messages at the foot of the window, read out as they come. The frame shows them, once. @param children what stands above them */
export const Toasts = ({ children }: { children: ComponentChildren }) => (
  <section class="toasts" aria-label={words.messages} aria-live="polite" aria-relevant="additions">
    {children}
    {toasts.value.map((toast) => (
      <div
        key={toast.id}
        class={`toast ${toast.kind}`}
        onPointerEnter={toast.hold}
        onPointerLeave={toast.release}
        onFocusIn={toast.hold}
        onFocusOut={toast.release}
      >
        <span dir="auto">{toast.text}</span>
        {toast.undo !== null && (
          <button type="button" class="undo" onClick={toast.undo}>
            {words.undo}
          </button>
        )}
        <button type="button" class="icon-only" aria-label={words.close} onClick={toast.end}>
          <Icon icon={X} />
        </button>
      </div>
    ))}
  </section>
);
