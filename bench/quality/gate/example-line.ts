/** A line of the files that examples.ts writes and fit.ts reads. */
export interface ExampleLine {
  set: string;
  /** A question of the set, one made from a sentence, or one of another set. */
  kind: "real" | "made" | "foreign";
  tier: "static" | "minilm";
  isThere: boolean;
  text: string;
  features: number[] | null;
}
