/** LanceDB's index drops tokens of more than 40 bytes; a longer term keeps its beginning and gets a hash for the rest. */
const maxTermBytes = 40;
const keptCharacters = 7;

/** A term as it is stored: without white space and short enough for the index; different terms stay different. */
export const boundTerm = (term: string): string => {
  const clean = /\s/.test(term) ? term.replace(/\s+/g, "") : term;
  // A UTF-16 unit takes at most three bytes, so short terms need no count.
  if (clean.length * 3 <= maxTermBytes || Buffer.byteLength(clean) <= maxTermBytes) return clean;
  const head = Array.from(clean.slice(0, keptCharacters + 1))
    .slice(0, keptCharacters - 1)
    .join("");
  return `${head}~${hash(clean)}`;
};

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 units, twice with different offsets for 64 bits, base 36. */
const hash = (text: string): string => {
  let first = 0x811c9dc5;
  let second = 0xcbf29ce4;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ (unit + 0x9e37), 0x01000193);
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36);
};

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
