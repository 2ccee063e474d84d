import type { FromThread, ToThread } from "../../async/threads/messages.ts";
import type { AnalysedChunk, AnalysedText, TextToAnalyse } from "./analysed-text.ts";

export interface AnalyseRequest {
  texts: readonly TextToAnalyse[];
  /** Whether somebody waits for these texts: they are taken before those that nobody waits for. */
  isUrgent: boolean;
}

/** What the thread that analyses texts is told, several at a time. */
export type ToAnalysis = ToThread<AnalyseRequest>;

/** The next chunks of a text: those of a long one come in several parts, the last ones with the answer. */
export interface ChunksOfText {
  /** Which of the texts asked for. */
  text: number;
  chunks: AnalysedChunk[];
}

/** What it answers, several at a time. */
export type FromAnalysis = FromThread<AnalysedText[], ChunksOfText>;
