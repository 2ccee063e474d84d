import type { Candidate } from "../candidates.ts";
import { inverseDocumentFrequency, type QueryWord } from "../text-score.ts";
import type { Background } from "./background.ts";
import { questionUnits } from "./question-units.ts";
import { type Standing, standing } from "./standing.ts";
import { fieldTerms, narrowCoverage, softCredits } from "./word-evidence.ts";

/** Version of the features: coefficients of another one are not used. */
export const gateVersion = 2;

/** What is measured about a question and what was found, in the order of the coefficients. */
export const gateFeatureNames = [
  "offset",
  /** Part of the search's words, by rarity, that one snippet contains. */
  "coverage",
  /** Of the question's units, with related words: the part in one snippet, its rarity beyond chance, and what is left. */
  "covered",
  "surprise",
  "unexplained",
  /** The part within a few words of one snippet. */
  "narrow",
  /** Part of the units that no document contains. */
  "unknown",
  /** The best text score as a part of the most that the question could have, and its lead before the tenth. */
  "textShare",
  "lead",
  /** Part of the terms that are character pairs of a script without spaces: those match by chance more often. */
  "dense",
  /** How few snippets there are: 1 for one, 0 for 240. Nothing else there has the question's words by chance. */
  "small",
  /**
   * How far the static model, then the configured one, knows the question's language: what follows counts so much. Less
   * beside few random snippets.
   */
  "hasStatic",
  /** How the cosines stand out from those of random snippets, by the static vectors and by the model's. */
  "staticBest",
  "staticOfText",
  "staticRise",
  "hasModel",
  "modelBest",
  "modelOfText",
  "modelRise",
] as const;

/** Features that can only speak for an answer (1), or only against one (-1): coefficients of the other sign are chance. */
export const gateSigns: readonly (1 | -1 | 0)[] = [0, 1, 1, 1, -1, 1, -1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1];

export interface GateInput {
  candidates: readonly Candidate[];
  words: readonly QueryWord[];
  /** The texts that the words come from. */
  texts: readonly string[];
  frequencies: { snippets: number; counts: ReadonlyMap<string, number> };
  /** Part of the question's terms that are of a script without spaces, 0 to 1. */
  dense: number;
  /** The question's vectors, for those of the index and of the vector set; null where there is none. */
  vector: Float32Array | null;
  modelVector: Float32Array | null;
  /** False: the index was made by another model than the built-in static one, whose vectors are then missing. */
  isIndexStatic: boolean;
  /** How far each model knows the question's language, 0 to 1: `familiarityOf`. */
  familiarity: { static: number; model: number };
  background: Background;
}

/** What `fusionWeight` gives for a question in a language that the model knows: providers/. */
const fullWeights = { static: 0.25, model: 0.5 };

/** How far a model knows the question's language. @param fusionWeight of the model, for the question */
export const familiarityOf = (kind: "static" | "model", fusionWeight: number): number =>
  Math.min(1, Math.max(0, fusionWeight / fullWeights[kind]));

/** The place of a feature. */
const at = (name: (typeof gateFeatureNames)[number]): number => gateFeatureNames.indexOf(name);
const rises = [at("staticRise"), at("modelRise")];

const coverages = [at("coverage"), at("covered")];

/** Part of the question, by the rarity of its words, that one snippet contains, or has related words of. */
export const bestCoverage = (features: readonly number[]): number =>
  Math.max(...coverages.map((place) => features[place] ?? 0));

/** How near in meaning the nearest snippet is, by the model that finds it nearer: 0 as unrelated, 5 the same. */
export const nearestRise = (features: readonly number[]): number =>
  Math.max(...rises.map((place) => features[place] ?? 0));

/** Snippets whose words are looked at, the best by full text. */
const maxLookedAt = 5;
/** In a smaller store words have the rarity of one with so many snippets: that of a few notes says nothing of a word. */
const minSnippets = 240;
/** The lead is that before the candidate of this rank. */
const leadRank = 10;
/** Sums of rarities are divided by this, so that all features are of the order of 1. */
const rarityScale = 10;

/**
 * What speaks for and against an answer in the documents. All of it means the same in any language and with any model:
 * parts of the question, rarities in the same store, and cosines beside those of random snippets of the same store.
 * @returns values in the order of `gateFeatureNames`; null if nothing was found
 */
export const gateFeatures = (input: GateInput): number[] | null => {
  const { candidates, words, frequencies } = input;
  if (candidates.length === 0) return null;
  const snippets = Math.max(minSnippets, frequencies.snippets);
  const rarityOf = (term: string): number =>
    inverseDocumentFrequency(snippets, Math.min(snippets, frequencies.counts.get(term) ?? 0));
  const rarities = words.map(({ forms, weight }) => weight * Math.min(...forms.map(({ term }) => rarityOf(term))));
  const units = questionUnits(words, input.texts).map(({ members }) => ({
    members,
    rarity: Math.max(...members.map((member) => rarities[member] ?? 0)),
  }));
  const total = sumOf(units.map(({ rarity }) => rarity));
  /** What each word brings to its unit's rarity; 0 for those in none. */
  const shares = new Array<number>(words.length).fill(0);
  for (const { members, rarity } of units) for (const member of members) shares[member] = rarity / members.length;
  const wordTotal = sumOf(rarities);
  const ownTotal = sumOf(words.map(({ forms, weight }) => weight * Math.min(...forms.map(({ idf }) => idf))));
  const byText = [...candidates].sort((a, b) => b.text - a.text);
  let coverage = 0;
  let soft = 0;
  let narrow = 0;
  for (const { hit, coverage: own, text } of byText.slice(0, maxLookedAt)) {
    if (text === 0) break;
    coverage = Math.max(coverage, own);
    const credits = softCredits(fieldTerms(hit), words);
    soft = Math.max(soft, sumOf(units.map(({ members, rarity }) => rarity * unitCredit(members, credits))));
    narrow = Math.max(narrow, narrowCoverage(hit.terms, words, shares));
  }
  const isKnown = ({ forms }: QueryWord): boolean => forms.some(({ term }) => (frequencies.counts.get(term) ?? 0) > 0);
  const known = words.map(isKnown);
  const [best] = byText;
  const byIndex = standing(candidates, best, input.vector, input.background, "vector");
  const byStatic = input.isIndexStatic ? byIndex : null;
  const byModel = input.isIndexStatic
    ? standing(candidates, best, input.modelVector, input.background, "modelVector")
    : byIndex;
  return [
    1,
    coverage,
    total === 0 ? 0 : soft / total,
    // By chance, the words of one of N snippets are expected to have rarities that sum to log N.
    bounded((soft - Math.log(snippets)) / rarityScale),
    bounded((total - soft) / rarityScale),
    total === 0 ? 0 : narrow / total,
    units.length === 0 ? 0 : units.filter(({ members }) => !members.every((at) => known[at])).length / units.length,
    ownTotal === 0 ? 0 : Math.min(2, (best?.text ?? 0) / ownTotal),
    bounded(
      (ownTotal === 0 ? 0 : (wordTotal / ownTotal) * ((best?.text ?? 0) - (byText[leadRank - 1]?.text ?? 0))) /
        rarityScale,
    ),
    input.dense,
    Math.max(0, 1 - Math.log(Math.max(1, frequencies.snippets)) / Math.log(minSnippets)),
    ...standingFeatures(byStatic, input.familiarity.static),
    ...standingFeatures(byModel, input.familiarity.model),
  ];
};

const standingFeatures = (found: Standing | null, familiarity: number): number[] =>
  found === null
    ? [0, 0, 0, 0]
    : [familiarity * found.sureness, familiarity * found.best, familiarity * found.ofText, familiarity * found.rise];

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A unit of which less is found is not found: pairs of characters occur in other words too. */
const minUnitCredit = 0.5;

const unitCredit = (members: readonly number[], credits: readonly number[]): number => {
  const credit = sumOf(members.map((member) => credits[member] ?? 0)) / members.length;
  return members.length === 1 || credit >= minUnitCredit ? credit : 0;
};

/** Long questions go beyond what the coefficients were fitted to. */
const bounded = (value: number): number => Math.min(8, Math.max(-2, value));
