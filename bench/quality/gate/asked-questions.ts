import type { SourceDocument } from "../../../src/evaluation/collection.ts";
import type { EvaluationSet } from "../../../src/evaluation/sets.ts";
import { articleOf, evenly } from "./chosen-documents.ts";
import { groupNearDuplicates } from "./near-duplicates.ts";
import type { ExampleLine } from "./read-examples.ts";

/** Questions taken of each other set. */
const foreignOfSet = 4;

/** A question, and the documents (by their ids in the set) that it is asked without. */
export interface Asked {
  kind: ExampleLine["kind"];
  text: string;
  /** Left out to make it absent; null: it is absent as it is. */
  sources: ReadonlySet<string> | null;
}

type Question = EvaluationSet["questions"][number];

export const isAnsweredBy = (question: Question, documents: readonly string[]): boolean =>
  question.score({ pieces: documents.map((document) => ({ document, start: 0, end: 1 })), refusedAbove: 1 }).recall20 >
  0;

const isAbout = (question: Question, documents: EvaluationSet["documents"]): boolean =>
  documents.some(({ id }) => isAnsweredBy(question, [id]));

/** The questions of a set that some of its documents answer, and those that only the others do. */
export const thereAndAbsent = (
  set: EvaluationSet,
  documents: EvaluationSet["documents"],
): { there: Question[]; absent: Question[] } => {
  const ids = new Set(documents.map(({ id }) => id));
  const rest = set.documents.filter(({ id }) => !ids.has(id));
  const there: Question[] = [];
  const absent: Question[] = [];
  for (const question of set.questions)
    if (isAbout(question, documents)) there.push(question);
    else if (isAbout(question, rest)) absent.push(question);
  return { there, absent };
};

/**
 * The questions that are asked of a store with some documents of a set: the set's own, those about the rest of it,
 * and some of other sets.
 * @param documents of the store, those of other sets included
 * @param about those of them whose questions are asked, by their ids in the set
 * @param wanted questions of the set at most, and half as many about what is not in the store
 */
export const questionsOf = async (
  set: EvaluationSet,
  documents: readonly SourceDocument[],
  about: ReadonlySet<string>,
  others: readonly EvaluationSet[],
  wanted: number,
): Promise<Asked[]> => {
  const groups = await groupNearDuplicates(documents.map(({ text }) => text));
  const groupOf = new Map(documents.map(({ id }, at) => [id, groups[at] ?? 0]));
  const withDuplicates = (ids: readonly string[]): Set<string> => {
    const alike = new Set(ids.map((id) => groupOf.get(id)));
    return new Set(documents.filter(({ id }) => alike.has(groupOf.get(id))).map(({ id }) => id));
  };
  const withArticle = (ids: readonly string[]): Set<string> => {
    const articles = new Set(documents.filter(({ id }) => ids.includes(id)).map(articleOf));
    const own = documents.filter((each) => articles.has(articleOf(each))).map(({ id }) => id);
    return withDuplicates(ids).union(new Set(own));
  };
  const inSet = new Set(set.documents.map(({ id }) => id));
  const judged = documents.map(({ id }) => id).filter((id) => inSet.has(id));
  const own = set.questions.flatMap((question): Asked[] => {
    const ids = judged.filter((id) => isAnsweredBy(question, [id]));
    if (!ids.some((id) => about.has(id))) return [];
    return [{ kind: "real", text: question.text, sources: withArticle(ids) }];
  });
  // Where only a part of the set is taken, the questions about the rest are absent as they are.
  const rest = [...inSet.difference(new Set(judged))];
  const elsewhere = set.questions.filter((question) => !isAnsweredBy(question, judged) && isAnsweredBy(question, rest));
  const foreign = others.flatMap(({ questions }) => evenly(questions, foreignOfSet));
  const absent = (kind: Asked["kind"], questions: readonly Question[]): Asked[] =>
    questions.map(({ text }) => ({ kind, text, sources: null }));
  return [...evenly(own, wanted), ...absent("real", evenly(elsewhere, wanted / 2)), ...absent("foreign", foreign)];
};
