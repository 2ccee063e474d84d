import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { strings } from "../../strings.ts";
import type { Operation } from "../api.ts";
import { type Attempt, type Outcome, sendAttempt } from "./send-attempt.ts";

const words = strings.attempt;

/** Sends an operation, one attempt at a time; an attempt ends with the component. */
export const useAttempt = (operation: Operation) => {
  const running = useSignal<AbortController | null>(null);
  const outcome = useSignal<Outcome | null>(null);
  /** Why there is no outcome; empty where there is one. */
  const failure = useSignal("");
  useEffect(() => () => running.peek()?.abort(), []);
  return {
    isRunning: running.value !== null,
    outcome: outcome.value,
    failure: failure.value,
    stop: () => running.peek()?.abort(),
    async send(attempt: Attempt): Promise<void> {
      const stop = new AbortController();
      running.value = stop;
      outcome.value = null;
      failure.value = "";
      try {
        outcome.value = await sendAttempt(operation, attempt, stop.signal);
      } catch (error) {
        const isStopped = stop.signal.aborted;
        failure.value = isStopped ? words.stopped : error instanceof SyntaxError ? error.message : words.failed;
      }
      running.value = null;
    },
  };
};
