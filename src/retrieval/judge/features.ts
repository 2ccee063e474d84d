import type { Candidate } from "../scores/candidates.ts";
import type { QueryWord } from "../scores/text-score.ts";
import type { RandomSnippets } from "./random-snippets.ts";
import { lettersShare, minSnippets } from "./rarity.ts";
import { nearness, sameDocument } from "./standing-out.ts";
import { type TextInput, textEvidence } from "./text-evidence.ts";

/**
 * What the judge weighs, with the sign that its weight may have (1: only for an answer, -1: only against one, 0: either).
 * In brackets: the points of absent questions that one threshold for all sets refuses less without it, on sets that were left
 * out (bench/quality/gate/README.md, "What each measure is worth").
 */
const features = [
  ["offset", 0],
  /** Part of the question, by the rarity of its words, that the best snippet has; related words count in part. [.5; 1.6 with a threshold for each set] */
  ["covered", 1],
  /** Rarity of what one snippet has of the question, with words that are alike in their letters, beyond chance. [.6] */
  ["alike", 1],
  /** Part of the question that stands within ten words of one snippet. [1.1] */
  ["narrow", 1],
  /** By how much the best snippet's text score leads that of the tenth. [1.4] */
  ["lead", 1],
  /** Whether the found documents have several snippets: else where snippets come from tells nothing. [.7] */
  ["severalEach", 0],
  /** How far the first found snippets come from one document, beyond chance. [1.5] */
  ["together", 1],
  /** Rarity of the names, numbers and identifiers that the best snippet lacks: people do not replace these. [1.5] */
  ["namesMissing", -1],
  /** Part of the question in pairs of letters (Thai, Lao, Khmer, Burmese), which match by chance more often than words. [.7] */
  ["letters", 0],
  /** How far the snippet that is nearest in meaning leads the next ones of other documents. [.1; kept for paraphrases] */
  ["nearestLead", 1],
] as const;

export type FeatureName = (typeof features)[number][0];

export const featureNames: readonly FeatureName[] = features.map(([name]) => name);

/** The sign of each weight: one of the other sign would be chance. */
export const featureSigns: readonly (1 | -1 | 0)[] = features.map(([, sign]) => sign);

/** What is measured of a question and what was found for it. Parts of a question are by the rarity of its words. */
export interface Measured extends Record<FeatureName, number> {
  /** Rarity of what the best snippet lacks; one rare word has some .5. */
  missing: number;
  /** How near in meaning the nearest snippet is, by the model that finds it nearer: 0 as unrelated, 5 the same. */
  rise: number;
  /** How few snippets the store has: 1 for one, 0 from 240 on; and how many: 0 up to 240, .6 for 6,000 and more. */
  small: number;
  large: number;
}

export interface MeasureInput {
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
  /** Snippets of the same store, at random. */
  random: RandomSnippets;
}

/** Sums of rarities are divided by this, so that all measures are of the order of 1. */
const rarityScale = 10;
/** Some 6,000 snippets; the weights were fitted to stores of up to some thousand. */
const maxLarge = 0.6;

/**
 * Measures what speaks for and against an answer in the documents. All of it means the same in any language and with any
 * model: parts of the question, rarities in the store and the language, and cosines beside those of random snippets.
 * @returns null if nothing was found
 */
export const measure = (input: MeasureInput): Measured | null => {
  const { words, texts, frequencies, random, familiarity } = input;
  if (input.candidates.length === 0) return null;
  const candidates = [...input.candidates].sort((a, b) => b.text - a.text);
  const said = textEvidence({ candidates, words, texts, frequencies, dense: input.dense });
  const { total, covered } = said;
  const found = candidates.filter(({ text }) => text > 0);
  const byIndex = nearness(candidates, input.vector, random, "vector");
  const byStatic = input.isIndexStatic ? byIndex : null;
  const byModel = input.isIndexStatic ? nearness(candidates, input.modelVector, random, "modelVector") : byIndex;
  const isModelHeard = byModel !== null && familiarity.model > 0 && familiarity.model >= familiarity.static;
  const [near, known] = isModelHeard ? [byModel, familiarity.model] : [byStatic, familiarity.static];
  const snippets = Math.max(1, frequencies.snippets);
  /** -1 for one snippet, 0 for a store of the usual size. */
  const size = Math.log(snippets / minSnippets) / Math.log(minSnippets);
  /** The rarities of the words that one of N snippets has by chance sum to log N. */
  const byChance = Math.log(Math.max(minSnippets, snippets));
  return {
    offset: 1,
    covered: total === 0 ? 0 : covered / total,
    alike: bounded((said.alike - byChance) / rarityScale),
    narrow: total === 0 ? 0 : said.narrow / total,
    lead: bounded(said.lead / rarityScale),
    ...sameDocument(found, random),
    namesMissing: bounded(said.namesMissing / rarityScale),
    letters: input.dense * lettersShare(words),
    nearestLead: near === null ? 0 : known * near.lead,
    missing: bounded((total - covered) / rarityScale),
    rise: Math.max(familiarity.static * (byStatic?.rise ?? 0), familiarity.model * (byModel?.rise ?? 0)),
    small: Math.max(0, -size),
    large: Math.min(maxLarge, Math.max(0, size)),
  };
};

/** Long questions go beyond what the weights were fitted to. */
const bounded = (value: number): number => Math.min(8, Math.max(-2, value));
