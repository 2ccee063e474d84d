import type { AnalysedText, TextToAnalyse } from "./analysed-text.ts";

export interface AnalyseRequest {
  type: "analyse";
  id: number;
  texts: readonly TextToAnalyse[];
  /** Whether somebody waits for these texts: they are taken before those that nobody waits for. */
  isUrgent: boolean;
}

/** What the thread that analyses texts is told, several at a time. */
export type ToAnalysis =
  | AnalyseRequest
  /** Nobody wants it any more; no answer follows. */
  | { type: "cancel"; id: number };

/** What it answers, several at a time. */
export type FromAnalysis = { id: number; analysed: AnalysedText[] } | { id: number; failed: string };
