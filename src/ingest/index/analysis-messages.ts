import type { FromThread, ToThread } from "../../async/threads/serve-requests.ts";
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
export interface ChunksOfText {
  /** Index of the text in the request. */
  text: number;
  chunks: AnalyzedChunk[];
}

/** Its answers, several at a time. */
export type FromAnalysis = FromThread<AnalyzedText[], ChunksOfText>;
