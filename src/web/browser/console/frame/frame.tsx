import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at } from "../../shared/prefix.ts";
import { FirstSteps } from "../components/first-steps.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Toasts, toast } from "../components/toasts.tsx";
import { useCommands } from "../state/commands.ts";
import { listenToKeys } from "../state/keyboard.ts";
import { prefetchViews } from "../state/prefetch-views.ts";
import { recoveries, watchServer } from "../state/server.ts";
import { signOut } from "../state/session.ts";
import { AccountDialog } from "./account-dialog.tsx";
import { Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { ShortcutList } from "./shortcut-list.tsx";
import { frameStrings as words } from "./strings.ts";
import { railViews } from "./views.ts";
import { Works } from "./works.tsx";

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
      { id: "first-steps", title: words.firstSteps.show, run: show("steps") },
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
        <Sheet title={words.firstSteps.title} onClose={close}>
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
