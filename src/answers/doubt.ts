export const doubts = ["unsure", "partly", "unsupported"] as const;

/** What a reader should know of an answer before trusting it. */
export type Doubt = (typeof doubts)[number];

interface Judged {
  certainty: "sure" | "unsure" | "none";
  /** How far the snippets bear a model's answer out; missing where no model wrote. */
  support?: "supported" | "partly" | "unsupported" | null | undefined;
  model: { provider: string } | null;
}

/** Null where there is nothing to say, or where the answer says it: quotations that may not answer begin with that. */
export const doubtOf = ({ certainty, support, model }: Judged): Doubt | null => {
  if (support === "partly" || support === "unsupported") return support;
  return certainty === "unsure" && model !== null && model.provider !== "builtin" ? "unsure" : null;
};

/** In words, beside the answer. */
export const doubtWords: Readonly<Record<Doubt, string>> = {
  unsure: "The documents may not hold the answer. Check the sources.",
  partly: "The documents bear out only a part of this answer. Check the sources.",
  unsupported: "The documents do not bear this answer out. Go by the passages, not by its words.",
};
