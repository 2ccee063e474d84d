import { noAnswerTexts } from "./no-answer-texts.ts";
import { guessLanguage, type QuestionLanguage } from "./question-language/question-language.ts";
import type { CueLanguage } from "./reading/cues.ts";

/** What tells the language of an answer that Carrel itself words. */
export interface LanguageHints {
  /** The languages of the cues found in the ask; one tells it. */
  cues: readonly CueLanguage[];
  /** Earlier texts of the same person, newest first. */
  before: readonly string[];
  /** Texts of the documents that are answered from. */
  documents: readonly string[];
}

/** A text of fewer letters, such as a name, a code or "tl;dr", tells no language. */
const minLetters = 8;

/**
 * The language to answer in: the ask's own; where it tells none, that of the chat, then of the documents; else English.
 */
export const answerLanguage = (ask: string, { cues, before, documents }: LanguageHints): QuestionLanguage => {
  const [cue] = cues;
  if (cue !== undefined && cues.length === 1) return cue;
  const { likely, best } = tellsLanguage(ask) ? guessLanguage(ask) : { likely: [], best: null };
  if (best !== null && likely.length === 1) return best;
  for (const text of [...before.filter(tellsLanguage), ...documents]) {
    const language = guessLanguage(text).best;
    if (language !== null && (best === null || likely.includes(language))) return language;
  }
  return best ?? "english";
};

const spacedScript = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}]/u;

/** Letters of a script of one language tell it, however few they are; a word of Latin letters may be of any. */
const tellsLanguage = (text: string): boolean => {
  if (!spacedScript.test(text)) return true;
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  return words.length > 1 && words.join("").length >= minLetters;
};

/** Says that the documents do not hold the answer. */
export const noAnswerText = (language: QuestionLanguage): string => noAnswerTexts[language];
