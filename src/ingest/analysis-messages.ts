import type { ParsedFile } from "../../providers/contract.ts";
import type { AnalysedText } from "./analysed-text.ts";

export interface AnalyseRequest {
  type: "analyse";
  id: number;
  text: string;
  pages: ParsedFile["pages"];
}

/** What the thread that analyses texts is told, several at a time. */
export type ToAnalysis =
  | AnalyseRequest
  /** Nobody wants it any more; no answer follows. */
  | { type: "cancel"; id: number };

/** What it answers, several at a time. */
export type FromAnalysis = { id: number; analysed: AnalysedText } | { id: number; failed: string };
