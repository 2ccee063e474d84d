import type { FromThread, ToThread } from "../../async/threads/serve-requests.ts";
import { createWatchedThread } from "../../async/threads/watched-thread.ts";
import { ApiError } from "../../domain/errors.ts";
import type { AnalyzedChunk, AnalyzedText, TextToAnalyze, Urgency } from "./analyzed-text.ts";

export interface AnalyzeRequest {
  texts: readonly TextToAnalyze[];
  /** Of the built-in static model: chunks get its vectors. Null: they get none. */
  table: SharedArrayBuffer | null;
  /** Interactive texts are analyzed before background ones. */
  urgency: Urgency;
}

/** Messages to the analysis thread, several at a time. */
export type ToAnalysis = ToThread<AnalyzeRequest>;

/** The next chunks of a text. Those of a long text come in several parts, the last of them with the answer. */
interface ChunksOfText {
  /** Index of the text in the request. */
  text: number;
  chunks: AnalyzedChunk[];
}

/** Its answers, several at a time. */
export type FromAnalysis = FromThread<AnalyzedText[], ChunksOfText>;

/** Analysis lets other work run every few milliseconds: a text that holds the thread for this long never ends. */
const maxSliceMs = 10_000;

/** One thread for the process, started with the first text. It holds nothing but its cache of words. */
const thread = createWatchedThread<AnalyzeRequest, AnalyzedText[], ChunksOfText>({
  path: "src/ingest/index/analysis-worker.ts",
  name: "analysis",
  maxSliceMs,
  tookTooLong: () =>
    new ApiError("unreadable_file", `The text could not be cut into passages within ${maxSliceMs / 1_000} s.`),
});

/**
 * Analyzes texts on a thread of its own, so that the server answers requests and reads the next texts meanwhile. The
 * overhead of many short texts at once is small.
 * @param table of the built-in static model, whose vectors the chunks then get
 * @throws ApiError unreadable_file where one of them takes too long; Error where one cannot be; the signal's reason
 */
export const analyzeOnThread = async (
  texts: readonly TextToAnalyze[],
  urgency: Urgency,
  signal: AbortSignal,
  table: SharedArrayBuffer | null = null,
): Promise<AnalyzedText[]> => {
  const { answer, parts } = await thread.askInParts({ texts, urgency, table }, signal);
  if (parts.length === 0) return answer;
  return answer.map((analyzed, text) => {
    const before = parts.filter((part) => part.text === text);
    return { ...analyzed, chunks: [...before.map(({ chunks }) => chunks), analyzed.chunks].flat() };
  });
};
