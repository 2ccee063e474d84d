import { signal } from "@preact/signals";

/** A change of many things, one after the other, that takes its time. */
export interface Work {
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

let lastId = 0;

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
