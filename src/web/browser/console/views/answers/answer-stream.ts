import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { readAnswer } from "../../../shared/server-events.ts";
import { type Client, RequestFailure, Unreachable } from "../../state/client.ts";
import type { DocumentNames } from "./document-names.ts";
import { type Passage, toPassage } from "./passages.ts";

interface AnswerStream {
  client: Pick<Client, "events">;
  /** Gets the names of the documents of passages. */
  names: Pick<DocumentNames, "want">;
}

/**
 * Sends a question and reads its answer as it arrives.
 * @param show takes what is there so far: first the passages, then the text
 * @throws RequestFailure what the server reports
 * @throws Unreachable where the connection is lost, also in the middle of the answer, and where the server is stopped
 * @throws AbortError
 */
export const streamAnswer = async <Done>(
  { client, names }: AnswerStream,
  path: string,
  body: object,
  show: (part: { passages: Passage[] } | { text: string }) => void,
  signal: AbortSignal,
): Promise<Done> => {
  try {
    const events = client.events(path, body, signal);
    const parts = {
      onSnippets(snippets: Parameters<typeof toPassage>[0][]) {
        const passages = snippets.map(toPassage);
        names.want(passages.map(({ documentId }) => documentId));
        show({ passages });
      },
      onText: (text: string) => show({ text }),
    };
    const done = await readAnswer<Done>(events, parts, (problem) => new RequestFailure(problem.status, problem));
    if (done !== null) return done;
  } catch (error) {
    if (error instanceof RequestFailure && error.problem.code !== "draining") throw error;
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    if (signal.aborted) throw new DOMException("the question was stopped", "AbortError");
  }
  throw new Unreachable("The connection to the server was lost.");
};

const retryMs = 1_500;

/** Waits until the server answers again. @throws AbortError */
export const waitForServer = async (client: Pick<Client, "fetch">, signal: AbortSignal): Promise<void> => {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    signal.throwIfAborted();
    const isReady = await client.fetch("/health/ready", { signal }).then(
      () => true,
      () => false,
    );
    if (isReady) return;
  }
};

/** How near to its end the page must be scrolled to follow what is appended, in pixels. */
const nearEndPixels = 48;

/**
 * Keeps the page at its end while a text grows, if the reader had scrolled it there; else nothing moves.
 * @param grown changes with each piece
 */
export const useScrollToEnd = (grown: unknown): void => {
  const isAtEnd = useRef(false);
  useEffect(() => {
    const look = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
      isAtEnd.current = scrollTop > 0 && scrollHeight - scrollTop - clientHeight < nearEndPixels;
    };
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current) document.documentElement.scrollTop = document.documentElement.scrollHeight;
  }, [grown]);
};
