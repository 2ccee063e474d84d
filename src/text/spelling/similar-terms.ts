import { createYielder } from "../../async/yield.ts";
import { isOfLetters, maxErrorsOfTerm, typingErrors } from "./typing-errors.ts";

/** Signs within a code, which people leave out: `00631-200-K`. */
const signsOfCodes = /[-_./]/g;

/**
 * The terms that one of a word's terms may be a typing error of. Other work has its turn meanwhile: a store may have 100,000
 * terms, which take some 20 ms.
 * @param counted terms, each with the number of snippets that contain it; one may come twice
 * @param forms the word's own terms
 * @param errors that the word may have; a code is one only of itself with other signs
 * @returns those with the fewest errors first, then those of most snippets
 */
export const similarTermsIn = async (
  counted: Iterable<readonly [term: string, snippets: number]>,
  forms: readonly string[],
  errors: number,
): Promise<string[]> => {
  const wanted = forms.map((form) => ({ form, most: maxErrorsOfTerm(form, errors) })).filter(({ most }) => most > 0);
  const codes = new Set(forms.filter((form) => /\p{N}/u.test(form)));
  const similar = new Map<string, { errors: number; snippets: number }>();
  const yieldTurn = createYielder();
  for (const [term, snippets] of wanted.length === 0 && codes.size === 0 ? [] : counted) {
    if (codes.size > 0 && codes.has(term.replace(signsOfCodes, ""))) similar.set(term, { errors: 0, snippets });
    const fewest = wanted.reduce(
      (best, { form, most }) => Math.min(best, typingErrors(form, term, most) ?? best),
      Number.POSITIVE_INFINITY,
    );
    if (Number.isFinite(fewest) && isOfLetters(term))
      similar.set(term, { errors: fewest, snippets: Math.max(snippets, similar.get(term)?.snippets ?? 0) });
    const pause = yieldTurn();
    if (pause !== undefined) await pause;
  }
  return [...similar]
    .sort(([, one], [, two]) => one.errors - two.errors || two.snippets - one.snippets)
    .map(([term]) => term);
};
