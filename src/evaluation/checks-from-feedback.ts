import { stringify } from "yaml";
import type { Check } from "./check.ts";

/** The fields of the API's feedback that checks are made of. */
export interface GivenFeedback {
  id: string;
  question: string;
  partitionId: string | null;
  rating: "up" | "down";
  reason: string | null;
  comment: string | null;
  expected: { documentId: string | null; text: string | null };
}

/**
 * A check of each piece of feedback that says what is wanted: an answer that was right is still given, what should have
 * been found is found. Of several to one question in one scope the newest counts.
 * @param feedback newest first
 */
export const checksFromFeedback = (feedback: readonly GivenFeedback[]): Check[] => {
  const checks = new Map<string, Check>();
  for (const given of feedback) {
    const { question, partitionId, expected } = given;
    const key = JSON.stringify([question, partitionId]);
    if (checks.has(key) || question.trim() === "" || !saysWhatIsWanted(given)) continue;
    checks.set(key, {
      question,
      name: null,
      partition: partitionId,
      document: null,
      metadata: null,
      snippets: null,
      expect: {
        documents: expected.documentId === null ? [] : [expected.documentId],
        contains: expected.text === null ? [] : [expected.text],
        answer: [],
        refusal: expected.documentId === null && expected.text === null ? false : null,
      },
      where: `feedback ${given.id}`,
    });
  }
  return [...checks.values()];
};

/** "Wrong" alone does not say what would be right. */
const saysWhatIsWanted = ({ rating, reason, expected }: GivenFeedback): boolean =>
  rating === "up" || reason === "not_found" || expected.documentId !== null || expected.text !== null;

/** The checks as a file that `carrel eval` reads. */
export const checksFile = (checks: readonly Check[]): string =>
  stringify({
    checks: checks.map(({ question, partition, expect }) => ({
      question,
      ...(partition === null ? {} : { partition }),
      expect: {
        ...(expect.documents.length === 0 ? {} : { documents: expect.documents }),
        ...(expect.contains.length === 0 ? {} : { contains: expect.contains }),
        ...(expect.refusal === null ? {} : { refusal: expect.refusal }),
      },
    })),
  });
