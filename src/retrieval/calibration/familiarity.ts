/** What `fusionWeight` gives for a question in a language that the model knows: providers/. */
const fullWeights = { static: 0.25, model: 0.5 };

/** How far a model knows the question's language, 0 to 1. @param fusionWeight of the model, for the question */
export const familiarityOf = (kind: "static" | "model", fusionWeight: number): number =>
  Math.min(1, Math.max(0, fusionWeight / fullWeights[kind]));
