import type { FromThread, ToThread } from "../../async/threads/messages.ts";
import type { AnalyzedChunk, AnalyzedText, TextToAnalyze } from "./analyzed-text.ts";

export interface AnalyzeRequest {
  texts: readonly TextToAnalyze[];
  /** Whether somebody waits for these texts: they are taken before those that nobody waits for. */
  isUrgent: boolean;
}

/** What the thread that analyzes texts is told, several at a time. */
export type ToAnalysis = ToThread<AnalyzeRequest>;

/** The next chunks of a text: those of a long one come in several parts, the last ones with the answer. */
export interface ChunksOfText {
  /** Which of the texts asked for. */
  text: number;
  chunks: AnalyzedChunk[];
}

/** What it answers, several at a time. */
export type FromAnalysis = FromThread<AnalyzedText[], ChunksOfText>;
