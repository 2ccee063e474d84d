/** Version of the features and of what is known before a store: coefficients of another one are not used. */
export const gateVersion = 13;

/** What is measured about a question and what was found, in the order of the coefficients, with its sign. */
const features = [
  ["offset", 0],
  /** Part of the search's words, by rarity, that one snippet contains. */
  ["coverage", 1],
  /** Of the question's units, with related words: the part in one snippet, its rarity beyond chance, and what is left. */
  ["covered", 1],
  ["surprise", 1],
  ["unexplained", -1],
  /** The same rarity with words that are alike in their letters. */
  ["alike", 1],
  /** The part within a few words of one snippet. */
  ["narrow", 1],
  /** Part of the units that no document contains. */
  ["unknown", -1],
  /** The best text score as a part of the most that the question could have, and its lead before the tenth. */
  ["textShare", 1],
  ["lead", 1],
  /** Whether documents have several snippets, and how far the first found ones come from one, beyond chance. */
  ["hasGroups", 0],
  ["together", 1],
  /**
   * Part of the terms that are pairs of ideographs or kana, and of letters in a script without spaces (Thai, Lao, Khmer,
   * Burmese): pairs match by chance more often than words, those of letters most.
   */
  ["dense", 0],
  ["letters", 0],
  /** How few snippets there are: 1 for one, 0 for 240. Nothing else there has the question's words by chance. */
  ["small", 1],
  /** How many there are: 0 up to 240, 1 for 57,600. The more, the likelier one has the question's words by chance. */
  ["large", 0],
  /** Whether there are names, numbers and identifiers, which people do not replace, and the rarity of those missing. */
  ["hasFirm", 0],
  ["firmMissing", -1],
  /**
   * How far the static model, then the configured one, knows the question's language: what follows counts so much. Less
   * beside few random snippets.
   */
  ["hasStatic", 0],
  /** How the cosines stand out from those of random snippets, and of other documents, by both vectors: see `Standing`. */
  ["staticLead", 1],
  ["staticOfText", 1],
  ["staticRise", 1],
  ["hasModel", 0],
  ["modelLead", 1],
  ["modelOfText", 1],
  ["modelRise", 1],
] as const;

type GateFeature = (typeof features)[number][0];

export const gateFeatureNames: readonly GateFeature[] = features.map(([name]) => name);

/** Features that can only speak for an answer (1), or only against one (-1): coefficients of the other sign are chance. */
export const gateSigns: readonly (1 | -1 | 0)[] = features.map(([, sign]) => sign);

/** Whether the feature at a place is about names, numbers and identifiers. */
export const isFirmFeature = (place: number): boolean => /^(?:hasFirm|firm)/.test(gateFeatureNames[place] ?? "");

/** Whether the feature at a place is about the cosines of the configured model. */
export const isModelFeature = (place: number): boolean => /^(?:hasModel|model)/.test(gateFeatureNames[place] ?? "");

/** Whether the feature at a place is about the documents that what was found comes from. */
export const isGroupFeature = (place: number): boolean =>
  ["hasGroups", "together"].includes(gateFeatureNames[place] ?? "");

const lettersPlace = gateFeatureNames.indexOf("letters");

/** Part of the question that is pairs of letters of a script without spaces, 0 to 1. */
export const lettersOf = (values: readonly number[]): number => values[lettersPlace] ?? 0;

const sizePlaces = { small: gateFeatureNames.indexOf("small"), large: gateFeatureNames.indexOf("large") };

/** How few snippets a question's store has, and how many: the features of that name. */
export const sizesOf = (values: readonly number[]): { small: number; large: number } => ({
  small: values[sizePlaces.small] ?? 0,
  large: values[sizePlaces.large] ?? 0,
});

const unexplainedPlace = gateFeatureNames.indexOf("unexplained");

/** Rarity of the question's words that the best snippet lacks: the feature of that name; one rare word has some .5. */
export const unexplainedOf = (values: readonly number[]): number => values[unexplainedPlace] ?? 0;

const placesOf = (...names: GateFeature[]): number[] => names.map((name) => gateFeatureNames.indexOf(name));
const rises = placesOf("staticRise", "modelRise");
const coverages = placesOf("coverage", "covered");

/** Part of the question, by the rarity of its words, that one snippet contains, or has related words of. */
export const bestCoverage = (values: readonly number[]): number =>
  Math.max(...coverages.map((place) => values[place] ?? 0));

/** How near in meaning the nearest snippet is, by the model that finds it nearer: 0 as unrelated, 5 the same. */
export const nearestRise = (values: readonly number[]): number => Math.max(...rises.map((place) => values[place] ?? 0));
