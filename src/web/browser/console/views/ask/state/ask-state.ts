import { batch, signal } from "@preact/signals";
import type { Answer, Receipt } from "../../../../shared/api.ts";
import { type Client, Unreachable } from "../../../client.ts";
import { createDocumentNames } from "../components/document-names.ts";
import { type Passage, toPassage } from "../components/passage.ts";
import { streamAnswer, waitForServer } from "./answer-stream.ts";
import { type Scope, scopeFields } from "./scope.ts";

/** How a question is asked, beside its scope. */
export interface Manner {
  /** In place of the default prompt; empty: the default one. */
  prompt: string;
  /** How many passages to use, 1 to 50. */
  passages: number;
}

/** A question with what is known of its answer. */
export interface Asked {
  readonly id: number;
  readonly question: string;
  readonly scope: Scope;
  readonly manner: Manner;
  readonly askedAt: number;
  /**
   * `searching`: nothing has arrived. `waiting`: the connection was lost before anything arrived; it is asked again by
   * itself. `lost`: the connection was lost while the answer was written. `back`: so it was, and the server answers again.
   */
  readonly phase: "searching" | "writing" | "whole" | "stopped" | "failed" | "waiting" | "lost" | "back";
  readonly text: string;
  readonly passages: readonly Passage[];
  readonly receipt: Receipt | null;
  /** Where the documents hold no answer: the passages that come nearest; null until they were searched. */
  readonly nearest: readonly Passage[] | null;
  /** Why it failed; null if it did not. */
  readonly failure: unknown;
}

export const usualManner: Manner = { prompt: "", passages: 6 };
/** Questions of this session that are kept, in memory alone. */
const maxKept = 50;
const nearestPassages = 3;

export const isRunning = ({ phase }: Asked): boolean =>
  phase === "searching" || phase === "writing" || phase === "waiting";

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

  const bodyOf = ({ question, scope, manner }: Asked): object => ({
    query: question,
    ...scopeFields(scope),
    numberOfDocumentsInContext: manner.passages,
    ...(manner.prompt.trim() === "" ? {} : { prompt: manner.prompt }),
  });

  const readOnce = async (asked: Asked, signal: AbortSignal): Promise<void> => {
    const { id } = asked;
    for await (const { event, data } of streamAnswer<Answer>(client, "/api/query", bodyOf(asked), signal)) {
      if (event === "snippets") {
        const passages = data.map(toPassage);
        names.want(passages.map(({ documentId }) => documentId));
        change(id, { passages, phase: "writing" });
      } else if (event === "delta") change(id, { text: (find(id)?.text ?? "") + data.text });
      else {
        names.learn(data.relevantDocuments);
        const passages = data.relevantSnippets.map(toPassage);
        change(id, { text: data.answer ?? "", passages, receipt: data.receipt, phase: "whole" });
        if (passages.length === 0 && data.receipt.searched.snippets > 0) await findNearest(asked, signal);
      }
    }
  };

  /** What a search finds that refuses less than a question. */
  const findNearest = async (asked: Asked, signal: AbortSignal): Promise<void> => {
    const body = { query: asked.question, ...scopeFields(asked.scope), numberOfDocumentsInContext: nearestPassages };
    const found = await client.send<Answer>("POST", "/api/search", body, signal);
    names.learn(found.relevantDocuments);
    change(asked.id, { nearest: found.relevantSnippets.map(toPassage) });
  };

  const run = async (asked: Asked): Promise<void> => {
    const { id } = asked;
    const stop = new AbortController();
    running.set(id, stop);
    try {
      for (;;) {
        try {
          return await readOnce(asked, stop.signal);
        } catch (error) {
          if (!(error instanceof Unreachable)) throw error;
          if (find(id)?.phase === "whole") return;
          const hasBegun = find(id)?.phase === "writing";
          change(id, { phase: hasBegun ? "lost" : "waiting" });
          await waitForServer(client, stop.signal);
          if (hasBegun) return change(id, { phase: "back" });
        }
      }
    } catch (error) {
      if (stop.signal.aborted) change(id, { phase: "stopped" });
      else if (find(id)?.phase !== "whole") change(id, { phase: "failed", failure: error });
    } finally {
      running.delete(id);
    }
  };

  const ask = (question: string, scope: Scope): void => {
    const text = question.trim();
    if (text === "") return;
    lastId += 1;
    const asked: Asked = {
      id: lastId,
      question: text,
      scope,
      manner: manner.peek(),
      askedAt: Date.now(),
      phase: "searching",
      text: "",
      passages: [],
      receipt: null,
      nearest: null,
      failure: null,
    };
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
