import { likelyQuestions } from "../calibration/likely-questions.ts";
import { groupNearDuplicates } from "../calibration/near-duplicates.ts";
import { askHalves, halvesOf, type OnProgress } from "./ask-halves.ts";
import type { Collections, SourceDocument } from "./collection.ts";
import { conformalThreshold } from "./refusal.ts";
import { type Asked, type CurvePoint, curveOf, heldOutOf, type RefusalRates, refusedAt } from "./refusal-rates.ts";

/** Fewer distinct documents are too few for a threshold. */
const minDocuments = 20;
/** About how many questions are made in all, and the most of one document. */
const wantedQuestions = 400;
const maxQuestionsOfDocument = 5;
const minQuestions = 60;

export interface Calibration {
  documents: number;
  /** Documents without near-duplicates. */
  distinctDocuments: number;
  questions: number;
  allowedFalseRefusals: number;
  /** What `answers.refusalThreshold` should be. */
  threshold: number;
  /** Both figures with a threshold fitted to one half of the documents and measured on the other half's questions. */
  heldOut: RefusalRates;
  /** Both figures at the threshold that is set. */
  atPresent: RefusalRates;
  curve: CurvePoint[];
}

/** The documents are too few or too short; the message says which. */
export class TooFewDocuments extends Error {
  override readonly name = "TooFewDocuments";
}

/**
 * Measures what is refused at the threshold that is set, and fits the threshold to documents, with questions made from them. The documents are divided into halves, with
 * near-duplicates in the same half. Each question is asked of the half with its document, which can answer it, and of the
 * other half, which cannot. Each half calibrates itself first, as any store does.
 * @param present the threshold that is set
 * @throws TooFewDocuments
 */
export const calibrate = async (
  documents: readonly SourceDocument[],
  makeCollections: () => Collections,
  allowed: number,
  present: number,
  onProgress: OnProgress,
): Promise<Calibration> => {
  const groups = await groupNearDuplicates(documents.map(({ text }) => text));
  const distinct = new Set(groups).size;
  if (distinct < minDocuments)
    throw new TooFewDocuments(
      `There are ${distinct} documents that differ; at least ${minDocuments} are needed to say anything of the next question.`,
    );
  const groupOf = new Map(documents.map(({ id }, index) => [id, groups[index] ?? 0]));
  const half = halvesOf(distinct);
  const halfOf = (id: string): number => half[groupOf.get(id) ?? 0] ?? 0;
  const perDocument = Math.min(maxQuestionsOfDocument, Math.ceil(wantedQuestions / documents.length));
  // Made from one half each: a word that occurs in no document of the asked half would count too much.
  const halves = [0, 1].map((part) => documents.filter(({ id }) => halfOf(id) === part));
  const made = (await Promise.all(halves.map((held) => likelyQuestions(held, perDocument)))).flat();
  const step = Math.max(1, Math.floor(made.length / wantedQuestions));
  const questions = made.filter((_, index) => index % step === 0);
  if (questions.length < minQuestions)
    throw new TooFewDocuments(
      `Only ${questions.length} questions could be made of the documents' sentences; at least ${minQuestions} are needed.`,
    );

  const confidences = await askHalves(halves, questions, makeCollections, onProgress);
  const asked = questions.map((question, index): Asked => {
    const own = halfOf(question.document);
    return {
      group: groupOf.get(question.document) ?? 0,
      half: own,
      answerable: confidences[own]?.[index] ?? 0,
      unanswerable: confidences[1 - own]?.[index] ?? 0,
    };
  });
  const threshold = conformalThreshold(
    asked.map(({ answerable }) => answerable),
    allowed,
  );
  return {
    documents: documents.length,
    distinctDocuments: distinct,
    questions: asked.length,
    allowedFalseRefusals: allowed,
    threshold,
    heldOut: heldOutOf(asked, allowed),
    atPresent: refusedAt(asked, () => present),
    curve: curveOf(asked),
  };
};
