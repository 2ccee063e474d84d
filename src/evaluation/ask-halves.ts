import { inParallel } from "../async/in-parallel.ts";
import type { LikelyQuestion } from "../calibration/likely-questions.ts";
import { createRandom } from "../calibration/random.ts";
import type { Collections, SourceDocument } from "./collection.ts";

/** Snippets asked for; only the confidence is used. */
const snippets = 5;

export type OnProgress = (what: string, done: number, total: number) => void;

/** Asks all questions of each half. @returns the threshold above which each is refused, for each half */
export const askHalves = async (
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

/** The half of each group, at random; the seed is the number of groups. */
export const halvesOf = (groups: number): number[] => {
  const random = createRandom(groups);
  const order = Array.from({ length: groups }, (_, group) => ({ group, lot: random() })).sort((a, b) => a.lot - b.lot);
  const halves = new Array<number>(groups).fill(0);
  for (const [index, { group }] of order.entries()) halves[group] = index % 2;
  return halves;
};
