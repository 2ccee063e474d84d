import { inParallel } from "../async/in-parallel.ts";
import { type LikelyQuestion, likelyQuestions } from "../calibration/likely-questions.ts";
import { groupNearDuplicates } from "../calibration/near-duplicates.ts";
import { createRandom } from "../calibration/random.ts";
import type { Collections, SourceDocument } from "./collection.ts";
import { type Estimate, estimateGrouped } from "./estimates.ts";
import { conformalThreshold, shareBelow } from "./refusal.ts";

/** Fewer distinct documents are too few for a threshold. */
export const minDocuments = 20;
/** About how many questions are made in all, and the most of one document. */
const wantedQuestions = 400;
const maxQuestionsOfDocument = 5;
const minQuestions = 60;
/** Snippets asked for; only the confidence is used. */
const snippets = 5;

export interface CurvePoint {
  threshold: number;
  /** Part of the questions that are refused although their document is there. */
  falseRefusals: number;
  /** Part of the questions that are refused because their document is not there. */
  trueRefusals: number;
}

export interface Calibration {
  documents: number;
  /** Documents without near-duplicates. */
  distinctDocuments: number;
  questions: number;
  allowedFalseRefusals: number;
  /** What `answers.refusalThreshold` should be. */
  threshold: number;
  /** Both figures with a threshold fitted to one half of the documents and measured on the other half's questions. */
  heldOut: { falseRefusals: Estimate; trueRefusals: Estimate };
  /** Both figures at the threshold that is set. */
  atPresent: { falseRefusals: Estimate; trueRefusals: Estimate };
  curve: CurvePoint[];
}

/** The documents are too few or too short; the message says which. */
export class TooFewDocuments extends Error {
  override readonly name = "TooFewDocuments";
}

interface Asked {
  question: LikelyQuestion;
  group: number;
  half: number;
  /** Threshold above which it is refused when its document is there, and when it is not. */
  answerable: number;
  unanswerable: number;
}

type OnProgress = (what: string, done: number, total: number) => void;

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
      question,
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
    curve: curveThresholds.map((each) => pointAt(asked, each)),
  };
};

/** Asks all questions of each half. @returns the threshold above which each is refused, for each half */
const askHalves = async (
  halves: readonly SourceDocument[][],
  questions: readonly LikelyQuestion[],
  makeCollections: () => Collections,
  onProgress: OnProgress,
): Promise<number[][]> => {
  const confidences: number[][] = [];
  for (const [part, held] of halves.entries()) {
    const collections = makeCollections();
    try {
      const of = `half ${part + 1}`;
      const collection = await collections.ingest(`half-${part + 1}`, held, (done) =>
        onProgress(`${of}: documents in`, done, held.length),
      );
      let done = 0;
      confidences[part] = await inParallel(questions, collection.maxAtOnce, async ({ text }) => {
        const { refusedAbove } = await collection.search(text, snippets, "fused");
        onProgress(`${of}: questions`, ++done, questions.length);
        return refusedAbove;
      });
    } finally {
      await collections.close();
    }
  }
  return confidences;
};

const curveThresholds = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/** The half of each group, at random; the seed is the number of groups. */
const halvesOf = (groups: number): number[] => {
  const random = createRandom(groups);
  const order = Array.from({ length: groups }, (_, group) => ({ group, lot: random() })).sort((a, b) => a.lot - b.lot);
  const halves = new Array<number>(groups).fill(0);
  for (const [index, { group }] of order.entries()) halves[group] = index % 2;
  return halves;
};

const pointAt = (asked: readonly Asked[], threshold: number): CurvePoint => ({
  threshold,
  falseRefusals: shareBelow(
    asked.map(({ answerable }) => answerable),
    threshold,
  ),
  trueRefusals: shareBelow(
    asked.map(({ unanswerable }) => unanswerable),
    threshold,
  ),
});

/** Each question against the threshold fitted to the other half's questions. */
const heldOutOf = (asked: readonly Asked[], allowed: number): Calibration["heldOut"] => {
  const fitted = [0, 1].map((half) =>
    conformalThreshold(
      asked.filter((each) => each.half !== half).map(({ answerable }) => answerable),
      allowed,
    ),
  );
  return refusedAt(asked, ({ half }) => fitted[half] ?? 0);
};

/** What is refused of each kind, by a threshold for each question. */
const refusedAt = (asked: readonly Asked[], threshold: (each: Asked) => number): Calibration["heldOut"] => {
  const groups = asked.map(({ group }) => group);
  const refused = (value: (each: Asked) => number) =>
    estimateGrouped(
      asked.map((each) => (value(each) < threshold(each) ? 1 : 0)),
      groups,
    );
  return { falseRefusals: refused(({ answerable }) => answerable), trueRefusals: refused((each) => each.unanswerable) };
};
