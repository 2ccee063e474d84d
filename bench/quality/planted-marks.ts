import { passagesOf } from "../../src/answers/quote/passages.ts";
import type { Collection, FoundPiece } from "../../src/evaluation/collection.ts";
import { createRandom } from "../../src/evaluation/estimates.ts";
import type { EvaluationSet, SetQuestion } from "../../src/evaluation/sets.ts";

/** How a true sentence is written: as in the source, with words left out, replaced and moved, or as question and answer. */
export type Wording = "verbatim" | "reworded" | "asked";

/** A statement of an answer, with the snippets of its question and the one that it is from. */
export interface MarkedStatement {
  wording: Wording;
  text: string;
  /** Texts, best first; among them the one it is from and, as the last, another passage of the same document or title. */
  snippets: string[];
  right: number;
  /** Another snippet of the same result list, at random; -1 if there is none. */
  otherSnippet: number;
  /** The other passage of the same document or title; -1 if there is none. */
  sameArticle: number;
  /** The statement with one number changed; null if it has no number that could be. */
  changedNumber: string | null;
}

const snippetsAsked = 6;
/** Parts of the words of a reworded sentence that are left out, and that are replaced by words of other documents. */
const droppedShare = 0.3;
const replacedShare = 0.2;
/** Shorter sentences (headings, list marks) are not used where no answer says which sentence it is. */
const minSentenceWords = 6;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
const wordsIn = (text: string): string[] =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment);
const denseLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** At most this many statements of each question set, evenly taken. */
export const planMarks = async (
  set: EvaluationSet,
  collection: Collection,
  maxQuestions: number,
): Promise<MarkedStatement[]> => {
  const random = createRandom(set.questions.length);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const documents = new Map(set.documents.map((document) => [document.id, document]));
  const textOf = ({ document, start, end }: FoundPiece): string =>
    documents.get(document)?.text.slice(start, end) ?? "";
  /** A model is shown the document's name too. */
  const shown = (title: string, text: string): string => `${title}\n${text}`;
  const foreign = set.documents.flatMap(({ text }) =>
    wordsIn(text.slice(0, 2_000)).filter((word) => !/\p{N}/u.test(word)),
  );

  const reworded = (sentence: string): string => {
    const words = wordsIn(sentence).flatMap((word) => {
      if (/\p{N}/u.test(word)) return [word];
      const drawn = random();
      if (drawn < droppedShare) return [];
      return [drawn < droppedShare + replacedShare ? (pick(foreign) ?? word) : word];
    });
    const half = Math.floor(words.length / 2);
    const moved = [...words.slice(half), ...words.slice(0, half)];
    if (!denseLetter.test(sentence)) return moved.join(" ");
    return moved.reduce((text, word) => text + (/\p{Nd}$/u.test(text) && /^\p{Nd}/u.test(word) ? "、" : "") + word, "");
  };

  const statementsOf = async (question: SetQuestion): Promise<MarkedStatement[]> => {
    const { pieces } = await collection.search(question.text, snippetsAsked, "fused");
    const [answer] = question.answers;
    const right = pieces.findIndex((piece) =>
      answer === undefined
        ? question.score({ pieces: [piece], refusedAbove: 1 }).recall5 > 0
        : question.score({ pieces: [piece], refusedAbove: 1 }).recall5 > 0 && textOf(piece).includes(answer),
    );
    const gold = pieces[right];
    if (gold === undefined) return [];
    const sentences = passagesOf(textOf(gold))
      .filter(({ kind }) => kind === "sentence")
      .map(({ text }) => text);
    const sentence =
      answer === undefined
        ? pick(sentences.filter((text) => wordsIn(text).length >= minSentenceWords))
        : sentences.find((text) => text.includes(answer));
    if (sentence === undefined) return [];
    const snippets = pieces.map((piece) => shown(documents.get(piece.document)?.title ?? "", textOf(piece)));
    const others = snippets.map((_, index) => index).filter((index) => index !== right);
    const same = pick(passagesBeside(gold, set, documents.get(gold.document)?.title ?? ""));
    const claims: [Wording, string][] = [
      ["verbatim", sentence],
      ["reworded", reworded(sentence)],
      ...(answer === undefined
        ? []
        : [["asked", `${question.text.replace(/[?？¿؟]/gu, "")} ${answer}`] as [Wording, string]]),
    ];
    return claims.map(([wording, text]) => ({
      wording,
      text,
      snippets: same === undefined ? snippets : [...snippets, shown(documents.get(gold.document)?.title ?? "", same)],
      right,
      otherSnippet: pick(others) ?? -1,
      sameArticle: same === undefined ? -1 : snippets.length,
      changedNumber: withOtherNumber(text, snippets[right] ?? "", random),
    }));
  };

  const step = Math.max(1, Math.floor(set.questions.length / maxQuestions));
  const statements: MarkedStatement[] = [];
  for (const question of set.questions.filter((_, index) => index % step === 0))
    statements.push(...(await statementsOf(question)));
  return statements;
};

const pieceCharacters = 900;

/** Other passages of the same title, or of the same long document. */
const passagesBeside = (gold: FoundPiece, set: EvaluationSet, title: string): string[] => {
  const beside = set.documents.filter(
    (document) => document.id !== gold.document && title !== "" && document.title === title,
  );
  if (beside.length > 0) return beside.map(({ text }) => text.slice(0, pieceCharacters));
  const text = set.documents.find(({ id }) => id === gold.document)?.text ?? "";
  const passages: string[] = [];
  for (let from = 0; from + pieceCharacters <= text.length; from += pieceCharacters)
    if (from >= gold.end || from + pieceCharacters <= gold.start)
      passages.push(text.slice(from, from + pieceCharacters));
  return passages;
};

/** One number of the text is changed to one that the snippet does not contain. */
const withOtherNumber = (text: string, snippet: string, random: () => number): string | null => {
  const numbers = [...text.matchAll(/(?<![\p{L}\p{N}.,])\d+(?![\p{L}\p{N}])/gu)];
  const chosen = numbers[Math.floor(random() * numbers.length)];
  if (chosen === undefined) return null;
  for (let attempt = 0; attempt < 20; attempt++) {
    const changed = String(Number(chosen[0]) + 1 + Math.floor(random() * 8)).padStart(chosen[0].length, "0");
    if (!snippet.includes(changed))
      return text.slice(0, chosen.index) + changed + text.slice(chosen.index + chosen[0].length);
  }
  return null;
};
