import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { IconButton } from "../../shared/controls.tsx";
import { Progress } from "../components/facts.tsx";
import { componentStrings } from "../components/strings.ts";
import { toasts, works } from "../state/messages.ts";
import { frameStrings as words } from "./strings.ts";

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
        <IconButton icon={X} label={componentStrings.close} onClick={toast.end} />
      </div>
    ))}
  </section>
);

/** How far the changes of many things are, among the messages: they go on in every view. */
export const Works = () => (
  <>
    {works.value.map(({ id, title, done, all, stop }) => (
      <div key={id} class="toast work">
        <span>{title}</span>
        <Progress label={title} value={done} max={all}>
          {words.doneOf(done, all)}
        </Progress>
        <button type="button" onClick={stop}>
          {words.stop}
        </button>
      </div>
    ))}
  </>
);
