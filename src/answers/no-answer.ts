import { scanText } from "../text/analysis/document-terms.ts";
import type { LatinLanguage } from "../text/analysis/function-words.ts";

const english = "The documents do not hold an answer to this question.";

const byLanguage: Partial<Record<LatinLanguage, string>> = {
  catalan: "Els documents no contenen cap resposta a aquesta pregunta.",
  czech: "Dokumenty neobsahují odpověď na tuto otázku.",
  danish: "Dokumenterne indeholder ikke noget svar på dette spørgsmål.",
  dutch: "De documenten bevatten geen antwoord op deze vraag.",
  finnish: "Asiakirjoissa ei ole vastausta tähän kysymykseen.",
  french: "Les documents ne contiennent pas de réponse à cette question.",
  german: "Die Dokumente enthalten keine Antwort auf diese Frage.",
  hungarian: "A dokumentumok nem tartalmaznak választ erre a kérdésre.",
  indonesian: "Dokumen tidak memuat jawaban atas pertanyaan ini.",
  italian: "I documenti non contengono una risposta a questa domanda.",
  norwegian: "Dokumentene inneholder ikke noe svar på dette spørsmålet.",
  polish: "Dokumenty nie zawierają odpowiedzi na to pytanie.",
  portuguese: "Os documentos não contêm uma resposta a esta pergunta.",
  romanian: "Documentele nu conțin un răspuns la această întrebare.",
  spanish: "Los documentos no contienen una respuesta a esta pregunta.",
  swedish: "Dokumenten innehåller inget svar på den här frågan.",
  turkish: "Belgelerde bu sorunun yanıtı bulunmuyor.",
};

/** By the script of most letters. Where languages share a script, `telling` matches letters of that language only. */
const byScript: { most: RegExp; telling: RegExp; text: string }[] = [
  {
    most: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu,
    telling: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    text: "文書にはこの質問への答えがありません。",
  },
  { most: /\p{Script=Han}/gu, telling: /[們嗎這個為麼]/u, text: "文件中沒有這個問題的答案。" },
  { most: /\p{Script=Han}/gu, telling: /\p{Script=Han}/u, text: "文档中没有这个问题的答案。" },
  { most: /\p{Script=Hangul}/gu, telling: /\p{Script=Hangul}/u, text: "문서에 이 질문에 대한 답이 없습니다." },
  { most: /\p{Script=Thai}/gu, telling: /\p{Script=Thai}/u, text: "เอกสารไม่มีคำตอบสำหรับคำถามนี้" },
  { most: /\p{Script=Cyrillic}/gu, telling: /[іїєґ]/iu, text: "Документи не містять відповіді на це запитання." },
  { most: /\p{Script=Cyrillic}/gu, telling: /\p{Script=Cyrillic}/u, text: "В документах нет ответа на этот вопрос." },
  {
    most: /\p{Script=Greek}/gu,
    telling: /\p{Script=Greek}/u,
    text: "Τα έγγραφα δεν περιέχουν απάντηση σε αυτή την ερώτηση.",
  },
  { most: /\p{Script=Arabic}/gu, telling: /\p{Script=Arabic}/u, text: "لا تحتوي المستندات على إجابة عن هذا السؤال." },
  { most: /\p{Script=Hebrew}/gu, telling: /\p{Script=Hebrew}/u, text: "המסמכים אינם מכילים תשובה לשאלה זו." },
  { most: /\p{Script=Devanagari}/gu, telling: /\p{Script=Devanagari}/u, text: "दस्तावेज़ों में इस प्रश्न का उत्तर नहीं है।" },
];

/** Says that the documents do not hold the answer, in the question's language where it is one of the common ones. */
export const noAnswerText = (question: string): string => {
  const letters = question.match(/\p{L}/gu)?.length ?? 0;
  const script = byScript.find(
    ({ most, telling }) => 2 * (question.match(most)?.length ?? 0) > letters && telling.test(question),
  );
  if (script !== undefined) return script.text;
  const [language, other] = scanText(question).languages;
  return language === undefined || other !== undefined ? english : (byLanguage[language] ?? english);
};
