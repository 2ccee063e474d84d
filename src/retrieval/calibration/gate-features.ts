import type { Candidate } from "../candidates.ts";
import type { QueryWord } from "../text-score.ts";
import type { Background } from "./background.ts";
import { gateFeatureNames } from "./feature-names.ts";
import { groupsOf } from "./groups.ts";
import { lettersShare } from "./letter-pairs.ts";
import { type Standing, standing } from "./standing.ts";
import { minSnippets } from "./store-rarity.ts";
import { type TextInput, textEvidence } from "./text-evidence.ts";

export interface GateInput {
  candidates: readonly Candidate[];
  words: readonly QueryWord[];
  /** The texts that the words come from. */
  texts: readonly string[];
  frequencies: TextInput["frequencies"];
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

/** Sums of rarities are divided by this, so that all features are of the order of 1. */
const rarityScale = 10;
/** A text score is the more than its most, the more often the words occur. */
const maxTextShare = 2;
/** Some 6,000 snippets; the coefficients were fitted to stores of up to 1,500. */
const maxLarge = 0.6;

/**
 * What speaks for and against an answer in the documents. All of it means the same in any language and with any model:
 * parts of the question, rarities in the same store and the language, and cosines beside those of random snippets of the same
 * store.
 * @returns values in the order of `gateFeatureNames`; null if nothing was found
 */
export const gateFeatures = (input: GateInput): number[] | null => {
  const { words, texts, frequencies } = input;
  if (input.candidates.length === 0) return null;
  const candidates = [...input.candidates].sort((a, b) => b.text - a.text);
  const groups = groupsOf(
    candidates.filter(({ text }) => text > 0),
    input.background,
  );
  const said = textEvidence({ candidates, words, texts, frequencies, dense: input.dense });
  const { total, soft, firm } = said;
  const [best] = candidates;
  const byIndex = standing(candidates, best, input.vector, input.background, "vector");
  const byStatic = input.isIndexStatic ? byIndex : null;
  const byModel = input.isIndexStatic
    ? standing(candidates, best, input.modelVector, input.background, "modelVector")
    : byIndex;
  const letters = lettersShare(words);
  const snippets = Math.max(1, frequencies.snippets);
  /** By chance, the words of one of N snippets are expected to have rarities that sum to log N. */
  const byChance = Math.log(Math.max(minSnippets, snippets));
  /** -1 for one snippet, 0 for a store of the usual size. */
  const size = Math.log(snippets / minSnippets) / Math.log(minSnippets);
  const values: Record<(typeof gateFeatureNames)[number], number> = {
    offset: 1,
    coverage: said.coverage,
    covered: total === 0 ? 0 : soft / total,
    surprise: bounded((soft - byChance) / rarityScale),
    unexplained: bounded((total - soft) / rarityScale),
    alike: bounded((said.alike - byChance) / rarityScale),
    narrow: total === 0 ? 0 : said.narrow / total,
    unknown: said.unknown,
    textShare: Math.min(maxTextShare, said.textShare),
    lead: bounded((said.wordTotal * said.lead) / rarityScale),
    hasGroups: groups.known,
    together: groups.together,
    dense: input.dense * (1 - letters),
    letters: input.dense * letters,
    small: Math.max(0, -size),
    large: Math.min(maxLarge, Math.max(0, size)),
    hasFirm: firm === null ? 0 : 1,
    firmMissing: firm === null ? 0 : bounded((firm.total - firm.soft) / rarityScale),
    ...standingFeatures(byStatic, input.familiarity.static, staticNames),
    ...standingFeatures(byModel, input.familiarity.model, modelNames),
  };
  return gateFeatureNames.map((name) => values[name]);
};

const staticNames = ["hasStatic", "staticLead", "staticOfText", "staticRise"] as const;
const modelNames = ["hasModel", "modelLead", "modelOfText", "modelRise"] as const;

const standingFeatures = <Name extends string>(
  found: Standing | null,
  familiarity: number,
  [has, lead, ofText, rise]: readonly [Name, Name, Name, Name],
): Record<Name, number> => {
  const { sureness, lead: leading, ofText: textual, rise: risen } = found ?? nothingStands;
  return {
    [has]: familiarity * sureness,
    [lead]: familiarity * leading,
    [ofText]: familiarity * textual,
    [rise]: familiarity * risen,
  } as Record<Name, number>;
};

const nothingStands: Standing = { sureness: 0, lead: 0, ofText: 0, rise: 0 };

/** Long questions go beyond what the coefficients were fitted to. */
const bounded = (value: number): number => Math.min(8, Math.max(-2, value));
