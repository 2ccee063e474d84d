import { createYielder } from "../async/yield.ts";
import { normalForm } from "../text/clean-text.ts";
import type { Ranked } from "./scores/fuse.ts";

/** Words, and signs that change what they say: `-5`, `5 %`, `a < b`. Other punctuation does not. */
const saying = /[\p{L}\p{M}\p{N}]+|[\p{S}\p{Pd}%]/gu;

/**
 * Leaves out duplicates of better candidates until `wanted` are kept; the rest follows unchecked. A duplicate has the same
 * words in the same order: one word more or less can be a "not", in any language, and another order can turn a clause
 * around. Of the pairs that a comparison of word sets left out, 98 % were the same to the letter. Other work has its turn
 * meanwhile: of one text again and again, all candidates are compared.
 */
export const withoutDuplicates = async (
  ranked: readonly Ranked[],
  wanted: number,
): Promise<{ kept: Ranked[]; dropped: number }> => {
  const yieldTurn = createYielder();
  const kept: Ranked[] = [];
  /** Those that hardly differ from others that are kept: they make room for what is said otherwise. */
  const alike: Ranked[] = [];
  const seen = new Set<string>();
  const words: ReadonlySet<string>[] = [];
  let dropped = 0;
  for (const candidate of ranked) {
    if (kept.length >= wanted) {
      kept.push(candidate);
      continue;
    }
    const said = wordsInOrder(candidate.hit);
    if (seen.has(said)) dropped++;
    else {
      seen.add(said);
      const own = new Set(said.split(" "));
      const near = words.filter((other) => areNearlySame(own, other)).length;
      if (near >= maxNearlySame) alike.push(candidate);
      else {
        kept.push(candidate);
        words.push(own);
      }
    }
    await yieldTurn();
  }
  return { kept: [...kept.slice(0, wanted), ...alike, ...kept.slice(wanted)], dropped };
};

/** Snippets that share this part of their words differ in a name or a number, as the copies of a form do. */
const minShared = 0.8;
/** Of such snippets so many come before others. */
const maxNearlySame = 2;

const areNearlySame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  if (small.size < minShared * large.size) return false;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared >= minShared * large.size;
};

const wordsInOrder = ({ context, text }: Ranked["hit"]): string =>
  (normalForm(`${context}\n${text}`, "NFKC").toLowerCase().match(saying) ?? []).join(" ");
