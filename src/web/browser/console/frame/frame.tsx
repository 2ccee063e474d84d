import { useSignal } from "@preact/signals";
import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { IconButton } from "../../shared/controls.tsx";
import { at } from "../../shared/prefix.ts";
import { Sheet } from "../components/dialog.tsx";
import { Progress } from "../components/facts.tsx";
import { FirstSteps } from "../components/first-steps.tsx";
import { componentStrings } from "../components/words.ts";
import { listenToKeys, useCommands } from "../state/commands.ts";
import { toast, toasts, works } from "../state/messages.ts";
import { recoveries, watchServer } from "../state/server.ts";
import { signOut } from "../state/session.ts";
import { Palette, ShortcutList } from "./palette.tsx";
import { AccountDialog, Rail, railViews } from "./rail.tsx";
import { frameStrings as words } from "./strings.ts";

/** Short messages at the foot of the window, read out as they come. The frame shows them, once. @param children what stands above them */
const Toasts = ({ children }: { children: ComponentChildren }) => (
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
const Works = () => (
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

/** What every view has around it: the rail, the palette, shortcuts and messages. */
export const Frame = ({ children }: { children: ComponentChildren }) => {
  const shown = useSignal<"palette" | "shortcuts" | "account" | "steps" | null>(null);
  const { route } = useLocation();
  const close = () => {
    shown.value = null;
  };
  const show = (what: typeof shown.value) => () => {
    shown.value = what;
  };
  useEffect(watchServer, []);
  // Not after the paint: whoever sees the frame may press its keys.
  useLayoutEffect(listenToKeys, []);
  useEffect(prefetchViews, []);
  const known = useRef(recoveries.peek());
  useEffect(() => {
    if (recoveries.value > known.current) toast(words.serverIsBack);
    known.current = recoveries.value;
  }, [recoveries.value]);
  useCommands(() =>
    [
      ...railViews.map(({ id, keys }) => ({
        id: `go-${id}`,
        title: words.goTo(words.views[id]),
        keys,
        run: () => route(`/${id}`),
      })),
      { id: "palette", title: words.openPalette, keys: "Mod+k", run: show("palette") },
      { id: "search", title: words.search, keys: "/", run: focusSearch },
      { id: "shortcuts", title: words.showShortcuts, keys: "?", run: show("shortcuts") },
      { id: "guides", title: words.guides, run: () => void open(at("/docs"), "_blank") },
      { id: "first-steps", title: words.showFirstSteps, run: show("steps") },
      { id: "account", title: words.showKey, run: show("account") },
      { id: "sign-out", title: words.signOut, run: () => void signOut() },
    ].map((command) => ({ ...command, isGeneral: true })),
  );
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={focusHeading}>
        {words.skip}
      </button>
      <Rail onAccount={show("account")} onPalette={show("palette")} />
      <main>{children}</main>
      <Toasts>
        <Works />
      </Toasts>
      {shown.value === "palette" && <Palette onClose={close} />}
      {shown.value === "shortcuts" && <ShortcutList onClose={close} />}
      {shown.value === "steps" && (
        <Sheet title={words.firstSteps} onClose={close}>
          <FirstSteps />
        </Sheet>
      )}
      {shown.value === "account" && <AccountDialog onClose={close} />}
    </div>
  );
};

/** The search box of the view, where it has one. */
const focusSearch = (): void => document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();

const focusHeading = (): void => document.querySelector<HTMLElement>("main h1")?.focus();

/** Time for the first view to be loaded and shown. */
const waitMs = 3_000;

/**
 * Has the browser load, when it has nothing else to do, the scripts of the views that people go on to; the page says where
 * they are. Without it the first document waits for 35 kB, the first question for 43 kB: 0.3 s on slow 4G.
 * @returns ends it
 */
const prefetchViews = (): (() => void) => {
  const paths = document.querySelector<HTMLElement>("#console")?.dataset.next?.split(" ") ?? [];
  const timer = setTimeout(() => {
    for (const path of paths) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "prefetch", as: "script", href: path });
      document.head.append(link);
    }
  }, waitMs);
  return () => clearTimeout(timer);
};
