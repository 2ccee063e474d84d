import { type ScannedText, scanText } from "../../text/analysis/document-terms.ts";

/** A text of a question with its words and languages, which several features look at. */
export interface QuestionText extends ScannedText {
  text: string;
}

export const scanQuestion = (text: string): QuestionText => ({ text, ...scanText(text) });
