import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { answerEvents } from "../../../shared/server-events.ts";
import { type Client, RequestFailure, Unreachable } from "../../state/client.ts";

/**
 * The events of a streamed answer, up to `done`.
 * @throws RequestFailure what the server reports
 * @throws Unreachable where the connection is lost, also in the middle of the answer, and where the server is stopped
 * @throws AbortError
 */
export async function* streamAnswer<Done>(
  client: Pick<Client, "events">,
  path: string,
  body: object,
  signal: AbortSignal,
): ReturnType<typeof answerEvents<Done>> {
  try {
    const events = client.events(path, body, signal);
    for await (const event of answerEvents<Done>(events, (problem) => new RequestFailure(problem.status, problem))) {
      yield event;
      if (event.event === "done") return;
    }
  } catch (error) {
    if (error instanceof RequestFailure && error.problem.code !== "draining") throw error;
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    if (signal.aborted) throw new DOMException("the question was stopped", "AbortError");
  }
  throw new Unreachable("The connection to the server was lost.");
}

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
