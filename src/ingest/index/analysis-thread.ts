import { createWatchedThread } from "../../async/threads/watched-thread.ts";
import { ApiError } from "../../domain/errors.ts";
import type { AnalyzedText, TextToAnalyze } from "./analyzed-text.ts";
import type { AnalyzeRequest, ChunksOfText } from "./analysis-messages.ts";

/** Analysis lets other work in every few milliseconds: a text that holds the thread for so long would hold it for good. */
const LONGEST_STRETCH_MS = 10_000;

/** One for the process, from the first text on: it holds nothing but what it remembers of words. */
const thread = createWatchedThread<AnalyzeRequest, AnalyzedText[], ChunksOfText>({
  path: "src/ingest/index/analysis-worker.ts",
  name: "analysis",
  longestStretchMs: LONGEST_STRETCH_MS,
  tookTooLong: () =>
    new ApiError("unreadable_file", `The text could not be cut into passages within ${LONGEST_STRETCH_MS / 1_000} s.`),
});

/**
 * Analyzes texts on a thread of its own, so that requests are answered meanwhile and the next texts are read. Many
 * short ones at once cost little more than their analysis.
 * @param isUrgent somebody waits for them
 * @throws ApiError unreadable_file where one of them takes too long; Error where one cannot be; the signal's reason
 */
export const analyzeOnThread = async (
  texts: readonly TextToAnalyze[],
  isUrgent: boolean,
  signal: AbortSignal,
): Promise<AnalyzedText[]> => {
  const { answer, parts } = await thread.askInParts({ texts, isUrgent }, signal);
  if (parts.length === 0) return answer;
  return answer.map((analyzed, text) => {
    const before = parts.filter((part) => part.text === text);
    return { ...analyzed, chunks: [...before.map(({ chunks }) => chunks), analyzed.chunks].flat() };
  });
};
