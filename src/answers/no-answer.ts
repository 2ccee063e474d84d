import { noAnswerTexts } from "./no-answer-texts.ts";
import { guessLanguage, type QuestionLanguage } from "./question-language/question-language.ts";

/**
 * Says that the documents do not hold the answer, in the question's language. English where nothing tells the language.
 * @param before further texts of the same person, newest first, such as earlier questions: they decide where the question
 * is only a name, a code or a word of several languages
 */
export const noAnswerText = (question: string, before: readonly string[] = []): string =>
  noAnswerTexts[languageToAnswerIn(question, before)];

const languageToAnswerIn = (question: string, before: readonly string[]): QuestionLanguage => {
  const { likely, best } = guessLanguage(question);
  if (best !== null && likely.length === 1) return best;
  for (const earlier of before) {
    const language = guessLanguage(earlier).best;
    if (language !== null && (best === null || likely.includes(language))) return language;
  }
  return best ?? "english";
};
