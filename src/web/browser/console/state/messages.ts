import { signal } from "@preact/signals";
import { messageOf } from "../../../../domain/errors.ts";

interface Toast {
  id: number;
  text: string;
  kind: "done" | "failed";
  /** Takes back what the toast tells of. */
  undo: (() => void) | null;
  /** The time is up, or the toast was closed. */
  end(): void;
  /** The time stands still while the toast is pointed at or has the focus. */
  hold(): void;
  release(): void;
}

/** A deletion is sent after this time, during which it can be undone. */
const undoMs = 10_000;
const shownMs = 6_000;
const maxToasts = 4;

/** What is shown, the newest last. */
export const toasts = signal<readonly Toast[]>([]);

let lastId = 0;

const add = (text: string, kind: Toast["kind"], ms: number, undo: (() => void) | null, onEnd: () => void): void => {
  lastId += 1;
  const id = lastId;
  let timer = 0;
  let isOver = false;
  const leave = (): boolean => {
    if (isOver) return false;
    isOver = true;
    clearTimeout(timer);
    toasts.value = toasts.peek().filter((toast) => toast.id !== id);
    return true;
  };
  const toast: Toast = {
    id,
    text,
    kind,
    undo:
      undo === null
        ? null
        : () => {
            if (leave()) undo();
          },
    end() {
      if (leave()) onEnd();
    },
    hold: () => clearTimeout(timer),
    release() {
      clearTimeout(timer);
      timer = window.setTimeout(toast.end, ms);
    },
  };
  toast.release();
  const [oldest] = toasts.peek();
  if (toasts.peek().length >= maxToasts) oldest?.end();
  toasts.value = [...toasts.peek(), toast];
};

/** Tells what was done or failed, for some seconds, also to screen readers. */
export const toast = (text: string, kind: Toast["kind"] = "done"): void => add(text, kind, shownMs, null, () => {});

interface Undoable {
  /** What happens: "3 documents deleted". */
  text: string;
  /** Does it, when ten seconds have passed without "Undo"; also when the page is left. A failure is told. */
  send(): Promise<unknown>;
  /** Shows again what was hidden in the meantime: after "Undo", and when `send` failed. */
  takeBack(): void;
}

/** Waits ten seconds with a toast that says "Undo", then sends. */
export const sendUnlessUndone = ({ text, send, takeBack }: Undoable): void =>
  add(text, "done", undoMs, takeBack, () => {
    send().catch((error: unknown) => {
      takeBack();
      toast(messageOf(error), "failed");
    });
  });

/** Tells of what was done, and for ten seconds offers to put it back. A failure of that is told. */
export const offerUndo = (text: string, putBack: () => Promise<unknown>): void =>
  add(
    text,
    "done",
    undoMs,
    () => {
      putBack().catch((error: unknown) => toast(messageOf(error), "failed"));
    },
    () => {},
  );

// A page that is left can still send: the client's requests are kept alive for that.
addEventListener("pagehide", () => {
  for (const { undo, end } of toasts.peek()) if (undo !== null) end();
});

/** A change of many things, one after the other, that takes its time. */
interface Work {
  id: number;
  /** What is done: "Deleting documents". */
  title: string;
  done: number;
  all: number;
  /** What is not begun is left. */
  stop(): void;
}

/** What is under way, the newest last. */
export const works = signal<readonly Work[]>([]);

/** What would be lost if the page were left now. */
const holds = new Set<object>();

/** Has the browser ask before the page is left. @returns takes that back */
export const holdPage = (): (() => void) => {
  const hold = {};
  holds.add(hold);
  return () => holds.delete(hold);
};

/** Shows how far a work is until it is ended. @returns `advance`: one more is done */
export const startWork = (title: string, all: number, stop: () => void): { advance(): void; end(): void } => {
  lastId += 1;
  const id = lastId;
  works.value = [...works.peek(), { id, title, done: 0, all, stop }];
  return {
    advance() {
      works.value = works.peek().map((work) => (work.id === id ? { ...work, done: work.done + 1 } : work));
    },
    end() {
      works.value = works.peek().filter((work) => work.id !== id);
    },
  };
};

addEventListener("beforeunload", (event) => {
  if (works.peek().length > 0 || holds.size > 0) event.preventDefault();
});
