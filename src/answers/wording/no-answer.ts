import type { CueLanguage } from "../reading/cues.ts";
import { byFunctionWords } from "../reading/function-words.ts";
import { clauseOf } from "../reading/read-ask.ts";
import { guessLanguage, type LanguageGuess, type QuestionLanguage } from "./question-language.ts";

/** "The documents do not hold an answer to this question." */
export const noAnswerTexts: Readonly<Record<QuestionLanguage, string>> = {
  arabic: "لا تحتوي المستندات على إجابة عن هذا السؤال.",
  bengali: "নথিগুলিতে এই প্রশ্নের উত্তর নেই।",
  bulgarian: "Документите не съдържат отговор на този въпрос.",
  chinese: "文档中没有这个问题的答案。",
  chineseTraditional: "文件中沒有這個問題的答案。",
  czech: "Dokumenty neobsahují odpověď na tuto otázku.",
  danish: "Dokumenterne indeholder ikke noget svar på dette spørgsmål.",
  dutch: "De documenten bevatten geen antwoord op deze vraag.",
  english: "The documents do not hold an answer to this question.",
  finnish: "Asiakirjoissa ei ole vastausta tähän kysymykseen.",
  french: "Les documents ne contiennent pas de réponse à cette question.",
  german: "Die Dokumente enthalten keine Antwort auf diese Frage.",
  greek: "Τα έγγραφα δεν περιέχουν απάντηση σε αυτή την ερώτηση.",
  hebrew: "המסמכים אינם מכילים תשובה לשאלה זו.",
  hindi: "दस्तावेज़ों में इस प्रश्न का उत्तर नहीं है।",
  hungarian: "A dokumentumok nem tartalmaznak választ erre a kérdésre.",
  indonesian: "Dokumen tidak memuat jawaban atas pertanyaan ini.",
  italian: "I documenti non contengono una risposta a questa domanda.",
  japanese: "文書にはこの質問への答えがありません。",
  korean: "문서에 이 질문에 대한 답이 없습니다.",
  norwegian: "Dokumentene inneholder ikke noe svar på dette spørsmålet.",
  persian: "اسناد پاسخی به این پرسش ندارند.",
  polish: "Dokumenty nie zawierają odpowiedzi na to pytanie.",
  portuguese: "Os documentos não contêm uma resposta a esta pergunta.",
  romanian: "Documentele nu conțin un răspuns la această întrebare.",
  russian: "В документах нет ответа на этот вопрос.",
  spanish: "Los documentos no contienen una respuesta a esta pregunta.",
  swedish: "Dokumenten innehåller inget svar på den här frågan.",
  tamil: "ஆவணங்களில் இந்தக் கேள்விக்கான பதில் இல்லை.",
  telugu: "పత్రాలలో ఈ ప్రశ్నకు సమాధానం లేదు.",
  thai: "เอกสารไม่มีคำตอบสำหรับคำถามนี้",
  turkish: "Belgelerde bu sorunun yanıtı bulunmuyor.",
  ukrainian: "Документи не містять відповіді на це запитання.",
  urdu: "دستاویزات میں اس سوال کا جواب موجود نہیں ہے۔",
  vietnamese: "Các tài liệu không có câu trả lời cho câu hỏi này.",
};

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
  const own = tellsLanguage(ask) ? guessShort(ask) : { likely: [], best: null, isTold: false };
  if (own.isTold && own.best !== null) return own.best;
  const ofDocument = isShort(ask) ? documents.find((text) => isMostlyIn(ask, text)) : undefined;
  if (ofDocument !== undefined) {
    const language = guessLanguage(ofDocument).best;
    if (language !== null) return language;
  }
  const { likely, best } = own;
  if (best !== null && likely.length === 1) return best;
  for (const text of [...before.filter(tellsLanguage), ...documents]) {
    const language = guessShort(text).best;
    if (language !== null && (best === null || likely.includes(language))) return language;
  }
  return best ?? "english";
};

interface ShortGuess extends LanguageGuess {
  /** Two function words of one language and the letters tell it, whatever the ask shares with documents. */
  isTold: boolean;
}

/** A guess that function words of a short ask speak for; those of one language alone tell it. */
const guessShort = (ask: string): ShortGuess => {
  const guess = { ...guessLanguage(ask), isTold: false };
  if (!/\p{Script=Latin}/u.test(ask) || ask.length > maxShort) return guess;
  const { languages, count } = byFunctionWords(clauseOf(ask).spaced);
  const [only] = languages;
  if (only === undefined) return guess;
  if (languages.length === 1 && (count > 1 || guess.likely.includes(only)))
    return { likely: [only], best: only, isTold: count > 1 && guess.best === only };
  const both = guess.likely.filter((language) => languages.some((each) => each === language));
  if (both.length === 0) return { likely: [...languages, ...guess.likely], best: null, isTold: false };
  return { likely: both, best: both[0] ?? null, isTold: false };
};
const maxShort = 60;

/** A few words ("average rent per city") tell less of their language than a text that most of them stand in. */
const maxWordsOfShort = 4;
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
const isShort = (ask: string): boolean => wordsOf(ask).length <= maxWordsOfShort;
const isMostlyIn = (ask: string, text: string): boolean => {
  const [words, held] = [wordsOf(ask), new Set(wordsOf(text))];
  return words.length > 1 && words.filter((word) => held.has(word)).length * 2 >= words.length;
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
