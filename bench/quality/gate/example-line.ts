/** Which vectors a question is asked with. `outside`: MiniLM's, as a server that does not say what its model knows. */
export const tiers = ["static", "minilm", "outside"] as const;

export type Tier = (typeof tiers)[number];

/** A line of the files that examples.ts writes and fit.ts reads. */
export interface ExampleLine {
  set: string;
  /** A question of the set, one made from a sentence, or one of another set. */
  kind: "real" | "made" | "foreign";
  tier: Tier;
  isThere: boolean;
  text: string;
  features: number[] | null;
}
