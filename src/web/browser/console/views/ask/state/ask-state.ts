import { batch, signal } from "@preact/signals";
import type { Feedback } from "../../../../shared/api.ts";
import type { Client } from "../../../client.ts";
import { createDocumentNames } from "../components/document-names.ts";
import { type Asked, type Manner, newAsked, usualManner } from "./asked.ts";
import { readAnswer } from "./read-answer.ts";
import type { Scope } from "./scope.ts";

/** Questions of this session that are kept, in memory alone. */
const maxKept = 50;

/** The questions of this session and their answers, newest first. They go on while another view is open. */
export const createAskState = (client: Client) => {
  const history = signal<readonly Asked[]>([]);
  const shownId = signal<number | null>(null);
  const manner = signal<Manner>(usualManner);
  const names = createDocumentNames(client);
  const running = new Map<number, AbortController>();
  let lastId = 0;

  const change = (id: number, part: Partial<Asked>): void => {
    history.value = history.peek().map((asked) => (asked.id === id ? { ...asked, ...part } : asked));
  };
  const find = (id: number): Asked | undefined => history.peek().find((asked) => asked.id === id);

  const run = async (asked: Asked): Promise<void> => {
    const stop = new AbortController();
    running.set(asked.id, stop);
    await readAnswer({ client, names, find, change }, asked, stop.signal);
    running.delete(asked.id);
  };

  const ask = (question: string, scope: Scope): void => {
    const text = question.trim();
    if (text === "") return;
    lastId += 1;
    const asked = newAsked(lastId, text, scope, manner.peek());
    batch(() => {
      history.value = [asked, ...history.peek()].slice(0, maxKept);
      shownId.value = asked.id;
    });
    void run(asked);
  };

  return {
    history,
    shownId,
    manner,
    names,
    ask,
    /** Keeps what was said of an answer. */
    rated: (id: number, feedback: Feedback | null) => change(id, { feedback }),
    stop: (id: number) => running.get(id)?.abort(),
    show(id: number | null) {
      shownId.value = id;
    },
    /** Forgets everything: somebody else signs in. */
    clear() {
      for (const stop of running.values()) stop.abort();
      names.clear();
      batch(() => {
        history.value = [];
        shownId.value = null;
        manner.value = usualManner;
      });
    },
  };
};

export type AskState = ReturnType<typeof createAskState>;
