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

/** Words for documents, and for not; both in one short text say that the documents do not hold something. */
const documentWords =
  /(?<!\p{L})(?:documents?|sources?|context|texts?|passages?|information|dokumente?n?|quellen?|unterlagen|informationen|documenti|fonti|informazioni|documentos?|fuentes?|fontes|información|informações|informações|documenten|bronnen|informatie|dokument(?:y|ach|ów|acje)|źródł\p{L}*|informacji|belge\p{L}*|kaynak\p{L}*|bilgi\p{L}*)(?!\p{L})|документ|источник|文[档檔件書书]|资料|資料|来源/iu;
const notWords =
  /(?<!\p{L})(?:no|not|none|cannot|nicht|kein\p{L}*|pas|aucune?|ningun[ao]?|nessun[ao]?|non|não|nenhuma?|niet|geen|nie|brak|yok|değil|bulun(?:mu|ma)\p{L}*|içermi\p{L}*)(?!\p{L})|n['’]t\b|(?<!\p{L})(?:не|нет)(?!\p{L})|没有|沒有|未|ありません|ない|含まれてい/iu;
/** Longer texts say something besides. */
const maxNoAnswer = 240;

const allNoAnswers: ReadonlySet<string> = new Set(Object.values(noAnswerTexts));

/** Whether an answer is a refusal in Carrel's own words, which a model is told to use too. */
export const isRefusal = (text: string): boolean => allNoAnswers.has(text.trim());

/** Whether an answer says, in whatever words, that the documents do not hold it, and hardly anything else. */
export const isNoAnswer = (text: string): boolean => {
  const plain = text.trim();
  if (isRefusal(plain)) return true;
  return plain.length <= maxNoAnswer && !/\p{Nd}/u.test(plain) && documentWords.test(plain) && notWords.test(plain);
};

/** Says that the documents do not hold the answer. */
export const noAnswerText = (language: QuestionLanguage): string => noAnswerTexts[language];
