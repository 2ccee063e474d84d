import { expect, test } from "bun:test";
import fc from "fast-check";
import { noAnswerText } from "../../src/answers/no-answer.ts";
import { noAnswerTexts } from "../../src/answers/no-answer-texts.ts";
import { guessLanguage } from "../../src/answers/question-language/question-language.ts";

test.each([
  ["Quanto custa a mensalidade da academia?", noAnswerTexts.portuguese],
  ["Hai xe tải giá bao nhiêu?", noAnswerTexts.vietnamese],
  ["Де знаходиться аптека?", noAnswerTexts.ukrainian],
  ["داروخانه کجاست؟", noAnswerTexts.persian],
  ["Who painted Les Demoiselles d'Avignon?", noAnswerTexts.english],
  ["Darf ich meine Katze mitbringen?", noAnswerTexts.german],
])("%j is answered in its language", (question, text) => {
  expect(noAnswerText(question)).toBe(text);
});

test("where the question does not tell its language, the newest earlier text that does decides", () => {
  expect(noAnswerText("F7", ["Was bedeutet F6?", "What does F5 mean?"])).toBe(noAnswerTexts.german);
  expect(noAnswerText("Mona Lisa", ["F7", "", "¿Quién pintó el Guernica?"])).toBe(noAnswerTexts.spanish);
  expect(noAnswerText("hotel", ["F7"])).toBe(noAnswerTexts.english);
  expect(noAnswerText("hotel", ["Где находится музей?"])).toBe(noAnswerTexts.russian);
});

test("a question that tells its language is not answered in an earlier one's", () => {
  expect(noAnswerText("Wie lange gilt die Garantie?", ["What does F5 mean?"])).toBe(noAnswerTexts.german);
  expect(noAnswerText("How long is the warranty?", ["Was bedeutet F6?"])).toBe(noAnswerTexts.english);
});

test("of two languages that a question fits, an earlier text decides", () => {
  expect(noAnswerText("Hvor ligger apoteket?", ["Når åpner museet?"])).toBe(noAnswerTexts.norwegian);
  expect(noAnswerText("Hvor ligger apoteket?", ["Hvornår åbner museet?"])).toBe(noAnswerTexts.danish);
  expect(noAnswerText("Hvor ligger apoteket?", ["Where is the museum?"])).toBe(noAnswerTexts.danish);
  expect(noAnswerText("蛋糕要烤多久？", ["停車場在哪裡？"])).toBe(noAnswerTexts.chineseTraditional);
});

test("each text is in the language it stands for", () => {
  const told = Object.entries(noAnswerTexts).map(([language, text]) => [language, guessLanguage(text).best]);
  expect(told.filter(([language, best]) => language !== best)).toEqual([]);
});

test("any texts get an answer", () => {
  const texts = new Set(Object.values(noAnswerTexts));
  const text = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), (question, before) =>
      texts.has(noAnswerText(question, before)),
    ),
  );
});
