import { expect, test } from "bun:test";
import fc from "fast-check";
import { answerLanguage, noAnswerText, noAnswerTexts } from "../../../src/answers/wording/no-answer.ts";
import { guessLanguage } from "../../../src/answers/wording/question-language.ts";

/** The text for a question after earlier ones, where no document tells the language. */
const textFor = (question: string, before: readonly string[] = []): string =>
  noAnswerText(answerLanguage(question, { cues: [], before, documents: [] }));

test.each([
  ["Quanto custa a mensalidade da academia?", noAnswerTexts.portuguese],
  ["Hai xe tải giá bao nhiêu?", noAnswerTexts.vietnamese],
  ["Хто підписав договір оренди?", noAnswerTexts.ukrainian],
  ["داروخانه کجاست؟", noAnswerTexts.persian],
  ["Who painted Les Demoiselles d'Avignon?", noAnswerTexts.english],
  ["Darf ich meine Katze mitbringen?", noAnswerTexts.german],
])("%j is answered in its language", (question, text) => {
  expect(textFor(question)).toBe(text);
});

test.each([
  ["comment changer le filtre", "french"],
  ["total expenses in june", "english"],
])("function words tell the language of the few words %p", (ask, language) => {
  const hints = { cues: [], before: [], documents: ["This agreement is made between the landlord and the tenants."] };
  expect(answerLanguage(ask, hints)).toBe(language as never);
});

test("where the question does not tell its language, the newest earlier text that does decides", () => {
  expect(textFor("F7", ["Was bedeutet F6?", "What does F5 mean?"])).toBe(noAnswerTexts.german);
  expect(textFor("Mona Lisa", ["F7", "", "¿Quién pintó el Guernica?"])).toBe(noAnswerTexts.spanish);
  expect(textFor("hotel", ["F7"])).toBe(noAnswerTexts.english);
  expect(textFor("hotel", ["Где находится музей?"])).toBe(noAnswerTexts.russian);
});

test("a name or a code tells no language: the documents do", () => {
  const documents = ["Die Ruhezeiten sind werktags von 22 bis 6 Uhr."];
  expect(answerLanguage("tl;dr", { cues: [], before: [], documents })).toBe("german");
  expect(answerLanguage("F7", { cues: [], before: ["What does F5 mean?"], documents })).toBe("english");
  expect(answerLanguage("hallo", { cues: ["german", "dutch"], before: [], documents })).toBe("german");
});

test("few words that stand in a text are in its language", () => {
  const hints = { cues: [], before: [], documents: ["The average rent of a flat in the city is told for each year."] };
  expect(answerLanguage("average rent per city", hints)).toBe("english");
  expect(answerLanguage("affitto medio per citta", hints)).toBe("italian");
});

test("function words tell the language of a question against a text of names", () => {
  const documents = ["Vet visit Biscuit (beagle), Dr Anne Kowalski, Meadow Vets. Weight 16.2 kg."];
  expect(answerLanguage("what is biscuit's microchip number", { cues: [], before: [], documents })).toBe("english");
  expect(answerLanguage("puedo volar en business a tokio", { cues: [], before: [], documents })).toBe("spanish");
});

test("a question that tells its language is not answered in an earlier one's", () => {
  expect(textFor("Wie lange gilt die Garantie?", ["What does F5 mean?"])).toBe(noAnswerTexts.german);
  expect(textFor("How long is the warranty?", ["Was bedeutet F6?"])).toBe(noAnswerTexts.english);
});

test("of two languages that a question fits, an earlier text decides", () => {
  expect(textFor("Hvor ligger apoteket?", ["Når åpner museet?"])).toBe(noAnswerTexts.norwegian);
  expect(textFor("Hvor ligger apoteket?", ["Hvornår åbner museet?"])).toBe(noAnswerTexts.danish);
  expect(textFor("Hvor ligger apoteket?", ["Where is the museum?"])).toBe(noAnswerTexts.danish);
  expect(textFor("蛋糕要烤多久？", ["停車場在哪裡？"])).toBe(noAnswerTexts.chineseTraditional);
});

test("each text is in the language it stands for", () => {
  const told = Object.entries(noAnswerTexts).map(([language, text]) => [language, guessLanguage(text).best]);
  expect(told.filter(([language, best]) => language !== best)).toEqual([]);
});

test("any texts get an answer", () => {
  const texts = new Set(Object.values(noAnswerTexts));
  const text = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), (question, before) => texts.has(textFor(question, before))),
  );
});
