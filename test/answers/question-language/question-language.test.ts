import { expect, test } from "bun:test";
import fc from "fast-check";
import { guessLanguage, type QuestionLanguage } from "../../../src/answers/question-language/question-language.ts";
import { questionsByLanguage } from "./questions-by-language.ts";

const toldAs = (text: string): QuestionLanguage => guessLanguage(text).best ?? "english";

/** What they are taken for. Where two languages write the same, either answer is read by both. */
const knownExceptions: Record<string, QuestionLanguage> = {
  // The same in both languages, or but for a letter of a name.
  "работно време на библиотеката": "macedonian",
  "蛋糕要烤多久？": "chinese",
  "Hvor ligger apoteket?": "danish",
  "Hvor mange ansatte har firmaet?": "danish",
  "Hvordan kan jeg returnere varen?": "norwegian",
  "Hvem skrev Les Misérables?": "norwegian",
  // Told by rare words alone, which the table lacks.
  "Hvem malte Mona Lisa?": "danish",
  "tilbakestille passordet til ruteren": "danish",
  "Kdo je naslikal Mona Liso?": "czech",
  "радно време библиотеке": "bulgarian",
  "промена лозинке рутера": "macedonian",
  "reitittimen salasanan nollaus": "english",
  "router jelszó visszaállítása": "english",
};

const questions = Object.entries(questionsByLanguage).flatMap(([language, texts]) =>
  texts.map((text) => ({ language: language as QuestionLanguage, text })),
);
/** Chinese, Japanese and Thai have no spaces between words. */
const isShort = (text: string): boolean => /^[\p{L}\p{M}\p{N}]+( [\p{L}\p{M}\p{N}]+)?\P{L}*$/u.test(text);
const isDense = (language: string): boolean => /chinese|japanese|thai/.test(language);

test("questions of three words or more are told from those of other languages", () => {
  const wrong = questions.filter(
    ({ language, text }) =>
      (isDense(language) || !isShort(text)) && toldAs(text) !== (knownExceptions[text] ?? language),
  );
  expect(wrong).toEqual([]);
});

test("questions of one word or two are not taken for those of a third language", () => {
  const wrong = questions.filter(({ language, text }) => ![language, "english"].includes(toldAs(text)));
  expect(wrong.filter(({ text }) => knownExceptions[text] === undefined)).toEqual([]);
});

test("the samples have a dozen questions of each of 35 languages", () => {
  const many = Object.values(questionsByLanguage).filter(({ length }) => length >= 12);
  expect(many.length).toBeGreaterThanOrEqual(35);
});

test.each([
  "hotel",
  "garantie",
  "Rechnung",
  "F7",
  "xyzzy 42",
  "Mona Lisa",
  "Les Misérables",
  "São Paulo",
  "Samsung Galaxy",
  "wifi password",
  "config.yaml",
  "error 0x80070057",
  "refund policy",
  "Who is Gabriel García Márquez?",
  "Can I bring my dog to Le Petit Chef?",
  "How much does crème brûlée cost?",
  "WHERE IS THE PHARMACY",
  "ខ្មែរ",
  "",
])("%j is no question of another language than English", (text) => {
  expect(toldAs(text)).toBe("english");
});

test.each([
  ["WO IST DIE APOTHEKE", "german"],
  ["quanto ganha um enfermeiro", "portuguese"],
  ["como faco pao de queijo", "portuguese"],
  ["gia ve bao nhieu tien", "vietnamese"],
  ["kac kisi calisiyor", "turkish"],
  ["czy moge zabrac kota", "polish"],
  ["und der Preis?", "german"],
  ["駐車場", "japanese"],
  ["停車場", "chineseTraditional"],
  ["停车场", "chinese"],
  ["аптека", "russian"],
  ["సమాధానం ఏమిటి?", "telugu"],
] as const)("%j is told as %s", (text, language) => {
  expect(toldAs(text)).toBe(language);
});

test("any text has a guess, whose best is one of the likely", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 3000 }),
    fc.string({ unit: "grapheme", maxLength: 300 }),
  );
  fc.assert(
    fc.property(text, (any) => {
      const { likely, best } = guessLanguage(any);
      expect(best === null || likely.length === 0 || likely.includes(best)).toBe(true);
    }),
  );
  expect(toldAs("\ud800 ¿ \udfff")).toBe("english");
});
