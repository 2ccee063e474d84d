import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { codeOf } from "../domain/errors.ts";

/** The file that `carrel eval --json` writes and `--compare` reads: figures of every question, in columns. */

const figures = Type.Array(Type.Number());

/** Figures of each question, in the order of the set's questions. */
const rankingRun = Type.Object({
  ndcg10: figures,
  recall5: figures,
  recall10: figures,
  recall20: figures,
  /** On the scale of `answers.refusalThreshold`: an answer is refused at a threshold above it. */
  confidence: figures,
});

/** For each question with known answers: 1 if Carrel's answer contains one of them, else 0. */
const answerRun = Type.Object({
  /** Ids of the questions that were asked for their answers. */
  questions: Type.Array(Type.String()),
  byModel: Type.Boolean(),
  /** By the whole answer. */
  whole: figures,
  /** By the first quotation, and by one of the first three. Empty if a model wrote the answers. */
  first: figures,
  amongThree: figures,
  /** The same for the baseline: quoting by the rarity of shared words alone. */
  overlapFirst: figures,
  overlapAmongThree: figures,
});

const setResult = Type.Object({
  name: Type.String(),
  documents: Type.Integer(),
  /** Ids. */
  questions: Type.Array(Type.String()),
  runs: Type.Object({
    fused: Type.Optional(rankingRun),
    text: Type.Optional(rankingRun),
    vectors: Type.Optional(rankingRun),
  }),
  /** Confidence of each question of other sets, and their ids: `set/id`. */
  foreign: figures,
  foreignQuestions: Type.Array(Type.String()),
  /** The same for the questions that no document answers, if the set has some. */
  absent: Type.Optional(figures),
  absentQuestions: Type.Optional(Type.Array(Type.String())),
  sentences: Type.Union([answerRun, Type.Null()]),
});

const runFile = Type.Object({
  format: Type.Literal("carrel-eval-1"),
  version: Type.String(),
  at: Type.String(),
  embedding: Type.Object({ provider: Type.String(), model: Type.String() }),
  threshold: Type.Number(),
  sets: Type.Array(setResult),
});

export type RankingRun = Static<typeof rankingRun>;
export type AnswerRun = Static<typeof answerRun>;
/** All that was measured on one set. */
export type SetResult = Static<typeof setResult>;
export type EvaluationRun = Static<typeof runFile>;

/** @throws Error if it cannot be read or is something else */
export const readRunFile = async (path: string): Promise<EvaluationRun> => {
  let content: unknown;
  try {
    content = JSON.parse(await Bun.file(path).text());
  } catch (error) {
    const code = codeOf(error);
    throw new Error(code === null ? `${path} is not JSON.` : `${path} cannot be read (${code}).`);
  }
  if (Value.Check(runFile, content)) return content;
  throw new Error(`${path} is not what \`carrel eval FOLDER --json FILE\` writes.`);
};
