import { quoteAnswer } from "../../src/answers/quote/quote.ts";
import { composeQuotedAnswer } from "../../src/answers/quote/write-quotations.ts";
import { answerLanguage, noAnswerText } from "../../src/answers/wording/no-answer.ts";
import type { EvaluationSet } from "../../src/evaluation/sets.ts";
import { understoodQuestion } from "../../src/retrieval/conversation-terms.ts";
import { analyze } from "../../src/text/analysis/analyze.ts";
import { endOfSentence } from "../../src/text/sentences.ts";
import type { Answered, Dialogue } from "./dialogues.ts";
import type { Search } from "./memory/open-set.ts";

export type Turn = { role: "user" | "assistant"; text: string };

/**
 * What was answered: a sentence of the right document, some hundred words of it as models write, or what Carrel quotes
 * from what it finds, which may be of several documents.
 */
export const answerKinds = ["a sentence", "long", "quoted"] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** Longest answer, in characters: some hundred words. */
const maxAnswerLength = 700;
/** Snippets that an answer is quoted from, as many as a question asks for unless it says otherwise. */
const snippetsQuoted = 6;

const sentencesOf = (text: string): string[] => {
  const sentences: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = Math.max(from + 1, endOfSentence(text, from, text.length));
    sentences.push(text.slice(from, end));
    from = end;
  }
  return sentences;
};

/** The sentence that has most of the question's words and, for a long answer, those after it. */
const fromDocument = (question: string, text: string, isLong: boolean): string => {
  const wanted = new Set(analyze(question));
  const sentences = sentencesOf(text);
  const overlaps = sentences.map((sentence) => new Set(analyze(sentence).filter((term) => wanted.has(term))).size);
  const best = overlaps.indexOf(Math.max(...overlaps));
  if (!isLong) return sentences[best] ?? text.slice(0, maxAnswerLength);
  return sentences.slice(best).join(" ").slice(0, maxAnswerLength);
};

/** Gives the turns before a question, with answers of a kind. */
export const createAnswers = (set: EvaluationSet, search: Search, kind: AnswerKind) => {
  const texts = new Map(set.documents.map(({ id, text }) => [id, text]));
  const answer = async ({ question, documentId }: Answered, history: readonly Turn[]): Promise<string> => {
    if (kind !== "quoted") return fromDocument(question.text, texts.get(documentId) ?? "", kind === "long");
    const pieces = (await search(question.text, [...history])).slice(0, snippetsQuoted);
    const snippets = pieces.map(({ document, start, end, score }) => ({
      text: (texts.get(document) ?? "").slice(start, end),
      score,
    }));
    const quotations = await quoteAnswer(question.text, snippets, {
      understood: understoodQuestion(question.text, [...history]),
    });
    return quotations.length === 0
      ? noAnswerText(answerLanguage(question.text, { cues: [], before: [], documents: [] }))
      : composeQuotedAnswer(quotations);
  };
  return async ({ before }: Dialogue): Promise<Turn[]> => {
    const turns: Turn[] = [];
    for (const answered of before) {
      const text = await answer(answered, turns);
      turns.push({ role: "user", text: answered.question.text }, { role: "assistant", text });
    }
    return turns;
  };
};
