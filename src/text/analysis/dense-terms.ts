/**
 * Terms of a run of a script written without spaces: each pair of neighboring characters, and each ideograph or
 * Hangul syllable by itself, which can be a whole word.
 */
export const denseTerms = (raw: string, options: { singles: boolean }): string[] => {
  const characters = Array.from(raw.normalize("NFKC").replace(/\s/g, ""));
  const [only] = characters;
  if (characters.length === 1 && only !== undefined) return [only];
  const terms: string[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    if (options.singles && /[\p{Script=Han}\p{Script=Hangul}]/u.test(character)) terms.push(character);
    const next = characters[at + 1];
    if (next !== undefined) terms.push(character + next);
  }
  return terms;
};
