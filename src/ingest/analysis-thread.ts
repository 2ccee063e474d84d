import { onAbort } from "../on-abort.ts";
import { workerUrl } from "../worker-url.ts";
import type { AnalysedText, TextToAnalyse } from "./analysed-text.ts";
import type { FromAnalysis, ToAnalysis } from "./analysis-messages.ts";

interface AnalysisThread {
  analyse(texts: readonly TextToAnalyse[], isUrgent: boolean, signal: AbortSignal): Promise<AnalysedText[]>;
}

/** @param onEnd told when the thread broke: it takes no more texts */
const startThread = (onEnd: () => void): AnalysisThread => {
  const worker = new Worker(workerUrl("src/ingest/analysis-worker.ts"), { name: "analysis" });
  worker.unref();
  const waiting = new Map<number, PromiseWithResolvers<AnalysedText[]>>();
  let messages: ToAnalysis[] = [];
  let lastId = 0;

  /** What is told at the same moment goes as one message. */
  const tell = (message: ToAnalysis): void => {
    if (messages.length === 0)
      setImmediate(() => {
        const told = messages;
        messages = [];
        worker.postMessage(told);
      });
    messages.push(message);
  };
  const settle = (id: number): PromiseWithResolvers<AnalysedText[]> | undefined => {
    const wanted = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return wanted;
  };
  const fail = (reason: string): void => {
    onEnd();
    worker.terminate();
    for (const id of [...waiting.keys()]) settle(id)?.reject(new Error(`texts cannot be analysed: ${reason}`));
  };

  worker.onmessage = ({ data }: MessageEvent<readonly FromAnalysis[]>) => {
    for (const answer of data) {
      const wanted = settle(answer.id);
      if ("analysed" in answer) wanted?.resolve(answer.analysed);
      else wanted?.reject(new Error(answer.failed));
    }
  };
  worker.onerror = ({ message }) => fail(message || "the thread ended");
  worker.addEventListener("close", () => fail("the thread ended"));

  return {
    analyse(texts, isUrgent, signal) {
      const id = ++lastId;
      const wanted = Promise.withResolvers<AnalysedText[]>();
      waiting.set(id, wanted);
      worker.ref(); // texts that are waited for keep the program running
      tell({ type: "analyse", id, texts, isUrgent });
      const cancel = () => {
        tell({ type: "cancel", id });
        settle(id)?.reject(signal.reason);
      };
      return wanted.promise.finally(onAbort(signal, cancel));
    },
  };
};

/** One for the process, from the first text on: it holds nothing but what it remembers of words. */
let thread: AnalysisThread | null = null;

/**
 * Analyses texts on a thread of its own, so that requests are answered meanwhile and the next texts are read. Many
 * short ones at once cost little more than their analysis.
 * @param isUrgent somebody waits for them
 * @throws Error where one cannot be; the signal's reason
 */
export const analyseOnThread = async (
  texts: readonly TextToAnalyse[],
  isUrgent: boolean,
  signal: AbortSignal,
): Promise<AnalysedText[]> => {
  signal.throwIfAborted();
  thread ??= startThread(() => {
    thread = null;
  });
  return await thread.analyse(texts, isUrgent, signal);
};
