import type { SnippetHit } from "../store/contract.ts";

/** Documents of about three snippets are short, of about thirty long. */
const shortDocument = Math.log(3);
const longDocument = Math.log(30);

/**
 * How much the snippets come from long documents, 0 to 1, judged by their places: in a document of n snippets they are at
 * n / 2 on average. The logarithm keeps one long book from deciding for many notes.
 */
export const lengthShare = (legs: readonly (readonly Pick<SnippetHit, "position">[])[]): number => {
  let sum = 0;
  let count = 0;
  for (const leg of legs) {
    for (const { position } of leg) {
      sum += Math.log(1 + 2 * position);
      count++;
    }
  }
  if (count === 0) return 0;
  return Math.min(1, Math.max(0, (sum / count - shortDocument) / (longDocument - shortDocument)));
};
