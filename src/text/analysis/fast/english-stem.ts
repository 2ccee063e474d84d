/**
 * English stems by the Porter2 algorithm (https://snowballstem.org/algorithms/english/stemmer.html), as the library
 * that stems the other languages makes them, to the letter. English has code of its own because it is met most, as texts
 * whose language cannot be told are taken for it too: while a first large batch was ingested, two fifths of what Bun
 * spent on compiling went into the library's thousand lines of English, a tenth of the whole on two cores.
 */

/** A suffix, what takes its place, and where that happens: null takes off what `onlyAfter` allows. */
interface Rule {
  readonly replacement: string;
  /** Characters of which one must stand before it. */
  readonly onlyAfter?: string;
  /** Also needs to lie in the second region. */
  readonly inSecondRegion?: boolean;
}

interface Rules {
  readonly bySuffix: ReadonlyMap<string, Rule>;
  /** Finds the longest of the suffixes: it is the leftmost match that reaches the end. */
  readonly pattern: RegExp;
}

const rulesOf = (rules: Record<string, string | Rule>): Rules => {
  const entries = Object.entries(rules).map(([suffix, rule]): [string, Rule] => [
    suffix,
    typeof rule === "string" ? { replacement: rule } : rule,
  ]);
  return { bySuffix: new Map(entries), pattern: new RegExp(`(?:${Object.keys(rules).join("|")})$`) };
};

const toNothing = (suffixes: string): Record<string, string> =>
  Object.fromEntries(suffixes.split(" ").map((suffix) => [suffix, ""]));

const irregular = new Map(
  Object.entries({
    skis: "ski",
    skies: "sky",
    dying: "die",
    lying: "lie",
    tying: "tie",
    idly: "idl",
    gently: "gentl",
    ugly: "ugli",
    early: "earli",
    only: "onli",
    singly: "singl",
    sky: "sky",
    news: "news",
    howe: "howe",
    atlas: "atlas",
    cosmos: "cosmos",
    bias: "bias",
    andes: "andes",
  }),
);
/** Left alone once their plural is off. */
const whole = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));
const longFirstRegion = ["gener", "commun", "arsen"];

const possessive = rulesOf(toNothing("' 's 's'"));
const plural = rulesOf({ sses: "ss", ied: "i", ies: "i", s: "", us: "us", ss: "ss" });
const past = rulesOf({ eed: "ee", eedly: "ee", ...toNothing("ed edly ing ingly") });
const seconds = rulesOf({
  tional: "tion",
  enci: "ence",
  anci: "ance",
  abli: "able",
  entli: "ent",
  izer: "ize",
  ization: "ize",
  ational: "ate",
  ation: "ate",
  ator: "ate",
  alism: "al",
  aliti: "al",
  alli: "al",
  fulness: "ful",
  ousli: "ous",
  ousness: "ous",
  iveness: "ive",
  iviti: "ive",
  biliti: "ble",
  bli: "ble",
  ogi: { replacement: "og", onlyAfter: "l" },
  fulli: "ful",
  lessli: "less",
  li: { replacement: "", onlyAfter: "cdeghkmnrt" },
});
const thirds = rulesOf({
  tional: "tion",
  ational: "ate",
  alize: "al",
  icate: "ic",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
  ative: { replacement: "", inSecondRegion: true },
});
const fourths = rulesOf({
  ...toNothing("al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize"),
  ion: { replacement: "", onlyAfter: "st" },
});

const isVowel = (word: string, at: number): boolean => {
  const letter = word.charAt(at);
  return letter !== "" && "aeiouy".includes(letter);
};

const hasVowel = (word: string, end: number): boolean => {
  for (let at = 0; at < end; at++) if (isVowel(word, at)) return true;
  return false;
};

/** Where the first consonant after a vowel ends, from a place on; the word's length where there is none. */
const regionAfter = (word: string, from: number): number => {
  let at = from;
  while (at < word.length && !isVowel(word, at)) at++;
  while (at < word.length && isVowel(word, at)) at++;
  return Math.min(at + 1, word.length);
};

const firstRegion = (word: string): number =>
  longFirstRegion.find((start) => word.startsWith(start))?.length ?? regionAfter(word, 0);

/** Whether the word ends in a short syllable: a vowel between consonants, or one that begins the word. */
const endsShort = (word: string): boolean => {
  const last = word.length - 1;
  if (last < 1 || isVowel(word, last) || !isVowel(word, last - 1)) return false;
  return last === 1 || (!isVowel(word, last - 2) && !"wxY".includes(word.charAt(last)));
};

const longestSuffix = (word: string, { pattern }: Rules): string | null => {
  const start = word.search(pattern);
  return start < 0 ? null : word.slice(start);
};

/** The rule of the longest suffix alone counts, also where it does not apply: it must lie beyond `region`. */
const applyRules = (
  word: string,
  rules: Rules,
  region: number,
  regionOfSome: number,
  suffix = longestSuffix(word, rules),
): string => {
  const rule = suffix === null ? undefined : rules.bySuffix.get(suffix);
  if (suffix === null || rule === undefined) return word;
  const kept = word.length - suffix.length;
  if (kept < region || (rule.inSecondRegion && kept < regionOfSome)) return word;
  if (rule.onlyAfter !== undefined && (kept === 0 || !rule.onlyAfter.includes(word.charAt(kept - 1)))) return word;
  return word.slice(0, kept) + rule.replacement;
};

const withoutPlural = (word: string): string => {
  const bare = applyRules(word, possessive, 0, 0);
  const suffix = longestSuffix(bare, plural);
  const kept = bare.length - (suffix?.length ?? 0);
  if ((suffix === "ied" || suffix === "ies") && kept < 2) return `${bare.slice(0, kept)}ie`;
  if (suffix === "s" && !hasVowel(bare, kept - 1)) return bare;
  return applyRules(bare, plural, 0, 0, suffix);
};

const doubled = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

const withoutPast = (word: string, region: number): string => {
  const suffix = longestSuffix(word, past);
  if (suffix === null) return word;
  if (suffix.startsWith("ee")) return applyRules(word, past, region, 0, suffix);
  const rest = word.slice(0, word.length - suffix.length);
  if (!hasVowel(rest, rest.length)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (doubled.test(rest)) return rest.slice(0, -1);
  return rest.length === region && endsShort(rest) ? `${rest}e` : rest;
};

const withoutLastLetter = (word: string, first: number, second: number): string => {
  const kept = word.length - 1;
  const rest = word.slice(0, kept);
  if (word.endsWith("e")) return kept >= second || (kept >= first && !endsShort(rest)) ? rest : word;
  return word.endsWith("ll") && kept >= second ? rest : word;
};

/** `y` at the beginning or after a vowel is a consonant: it stands as `Y` until the end. */
const markConsonants = (word: string): string => {
  if (!word.includes("y")) return word;
  let marked = "";
  for (let at = 0; at < word.length; at++) {
    const letter = word.charAt(at);
    marked += letter === "y" && (at === 0 || isVowel(marked, at - 1)) ? "Y" : letter;
  }
  return marked;
};

/** @param word lower-case @returns its stem; words of two letters and what is no English word mostly stay as they are */
export const stemEnglish = (word: string): string => {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (word.length < 3) return word;
  const marked = markConsonants(word.startsWith("'") ? word.slice(1) : word);
  const first = firstRegion(marked);
  const second = regionAfter(marked, first);
  let stem = withoutPlural(marked);
  if (!whole.has(stem)) {
    stem = withoutPast(stem, first);
    const end = stem.length - 1;
    if (end > 1 && /[yY]$/.test(stem) && !isVowel(stem, end - 1)) stem = `${stem.slice(0, end)}i`;
    stem = applyRules(stem, seconds, first, second);
    stem = applyRules(stem, thirds, first, second);
    stem = applyRules(stem, fourths, second, second);
    stem = withoutLastLetter(stem, first, second);
  }
  return stem.includes("Y") ? stem.replaceAll("Y", "y") : stem;
};
