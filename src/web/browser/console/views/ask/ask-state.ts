import { batch, signal } from "@preact/signals";
import type { Answer, Feedback, Receipt } from "../../../shared/api.ts";
import { type Client, Unreachable } from "../../state/client.ts";
import { streamAnswer, waitForServer } from "../answers/answer-stream.ts";
import { createDocumentNames, type DocumentNames } from "../answers/document-names.ts";
import { type Passage, toPassage } from "../answers/passages.ts";
import { type Scope, scopeFields } from "../answers/scope.ts";

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
   * itself. `lost`: the connection was lost while the answer was written. `back`: the same, and the server answers
   * again.
   */
  readonly phase: "searching" | "writing" | "whole" | "stopped" | "failed" | "waiting" | "lost" | "back";
  readonly text: string;
  readonly passages: readonly Passage[];
  readonly receipt: Receipt | null;
  /** Where the documents hold no answer: the passages that come nearest; null until they were searched. */
  readonly nearest: readonly Passage[] | null;
  /** What was said of the answer. */
  readonly feedback: Feedback | null;
  /** Why it failed; null if it did not. */
  readonly failure: unknown;
}

export const usualManner: Manner = { prompt: "", passages: 6 };

export const isRunning = ({ phase }: Asked): boolean =>
  phase === "searching" || phase === "writing" || phase === "waiting";

/** Whether the documents do not hold it. That no document mentions something is an answer. */
export const isRefusal = (receipt: Receipt | null): boolean =>
  receipt?.certainty === "none" && receipt.asked.kind !== "inventory";

/** A question that is asked now. */
const newAsked = (id: number, question: string, scope: Scope, manner: Manner): Asked => ({
  id,
  question,
  scope,
  manner,
  askedAt: Date.now(),
  phase: "searching",
  text: "",
  passages: [],
  receipt: null,
  nearest: null,
  feedback: null,
  failure: null,
});

/** The question as the API takes it. */
const toQuery = ({ question, scope, manner }: Asked): object => ({
  query: question,
  ...scopeFields(scope),
  numberOfDocumentsInContext: manner.passages,
  ...(manner.prompt.trim() === "" ? {} : { prompt: manner.prompt }),
});

const nearestPassages = 3;

interface AnswerReader {
  client: Client;
  names: Pick<DocumentNames, "want" | "learn">;
  /** What is known of the question now; undefined: it is no longer kept. */
  find(id: number): Asked | undefined;
  change(id: number, part: Partial<Asked>): void;
}

/** What a search finds that refuses less than a question. */
const findNearest = async (
  { client, names, change }: AnswerReader,
  asked: Asked,
  signal: AbortSignal,
): Promise<void> => {
  const body = { query: asked.question, ...scopeFields(asked.scope), numberOfDocumentsInContext: nearestPassages };
  const found = await client.send<Answer>("POST", "/api/search", body, signal);
  names.learn(found.relevantDocuments);
  change(asked.id, { nearest: found.relevantSnippets.map(toPassage) });
};

const readOnce = async (reader: AnswerReader, asked: Asked, signal: AbortSignal): Promise<void> => {
  const { names, change } = reader;
  const { id } = asked;
  const { answer, relevantDocuments, relevantSnippets, receipt } = await streamAnswer<Answer>(
    reader,
    "/api/query",
    toQuery(asked),
    (part) => change(id, { ...part, phase: "writing" }),
    signal,
  );
  names.learn(relevantDocuments);
  change(id, { text: answer ?? "", passages: relevantSnippets.map(toPassage), receipt, phase: "whole" });
  names.want([receipt.computed?.documentId ?? null]);
  if (isRefusal(receipt) && receipt.searched.snippets > 0) await findNearest(reader, asked, signal);
};

/**
 * Sends the question and shows its answer as it arrives. Where the connection is lost before anything arrived, it is asked
 * again when the server is back. Failures become the phase of the question.
 */
const readAnswer = async (reader: AnswerReader, asked: Asked, signal: AbortSignal): Promise<void> => {
  const { client, find, change } = reader;
  const { id } = asked;
  try {
    for (;;) {
      try {
        return await readOnce(reader, asked, signal);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        if (find(id)?.phase === "whole") return;
        const hasBegun = find(id)?.phase === "writing";
        change(id, { phase: hasBegun ? "lost" : "waiting" });
        await waitForServer(client, signal);
        if (hasBegun) return change(id, { phase: "back" });
      }
    }
  } catch (error) {
    if (signal.aborted) change(id, { phase: "stopped" });
    else if (find(id)?.phase !== "whole") change(id, { phase: "failed", failure: error });
  }
};
