import { inParallel } from "../async/in-parallel.ts";
import type { Collection } from "./collection.ts";
import { quoteByOverlap } from "./overlap-quote.ts";
import type { AnswerRun } from "./run-file.ts";
import type { EvaluationSet } from "./sets.ts";

export interface AnswerOptions {
  /** Also where a model writes the answers. If not, one question tells that it does, and that is the end of it. */
  fromModels: boolean;
  onDone(count: number): void;
}

/**
 * Asks for the answers of the questions whose answers are known, and looks whether they hold them.
 * @returns null where none are known; `model` where a model writes them, which was not wanted
 */
export const answerRun = async (
  set: EvaluationSet,
  collection: Collection,
  { fromModels, onDone }: AnswerOptions,
): Promise<AnswerRun | "model" | null> => {
  const asked = set.questions.filter(({ answers }) => answers.length > 0);
  const [first] = asked;
  if (first === undefined) return null;
  if (!fromModels && (await collection.answer(first.text)).byModel) return "model";
  let done = 0;
  const answered = await inParallel(asked, collection.atOnce, async ({ text, answers }) => {
    const { quotations, snippets, byModel } = await collection.answer(text);
    const holds = (given: readonly string[]): number => (given.some((each) => holdsAny(each, answers)) ? 1 : 0);
    const overlap = byModel ? [] : quoteByOverlap(text, snippets, 3);
    onDone(++done);
    return {
      byModel,
      whole: holds(quotations),
      first: holds(quotations.slice(0, 1)),
      amongThree: holds(quotations.slice(0, 3)),
      overlapFirst: holds(overlap.slice(0, 1)),
      overlapAmongThree: holds(overlap),
    };
  });
  const byModel = answered.some((each) => each.byModel);
  const quoted = byModel ? [] : answered;
  return {
    questions: asked.map(({ id }) => id),
    byModel,
    whole: answered.map(({ whole }) => whole),
    first: quoted.map((each) => each.first),
    amongThree: quoted.map(({ amongThree }) => amongThree),
    overlapFirst: quoted.map(({ overlapFirst }) => overlapFirst),
    overlapAmongThree: quoted.map(({ overlapAmongThree }) => overlapAmongThree),
  };
};

/** Whether the text holds one of these, case, width and white space aside. */
export const holdsAny = (text: string, wanted: readonly string[]): boolean => {
  const folded = plain(text);
  return wanted.some((each) => folded.includes(plain(each)));
};

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
