/**
 * Skip on a first reading: English stems by the Porter2 algorithm, fast. The result is the same as that of
 * snowball-stemmers, which stems all other languages, and tests hold the two together.
 *
 * English has its own code because most texts are English, or are taken for it when their language is unknown. Measured
 * (docs/decisions/text.md): a quarter of the library's CPU time once compiled, and a fifth for the first megabyte of a
 * new process, where Bun first has to compile the library's thousand lines of English.
 * The algorithm and the names of its steps and regions: https://snowballstem.org/algorithms/english/stemmer.html
 */

/** Skip on a first reading: the tables of english-stem.ts, the Porter2 stemmer. */

/** What a suffix is replaced by, and under which conditions. */
interface Rule {
  readonly replacement: string;
  /** One of these characters must precede the suffix. */
  readonly onlyAfter?: string;
  /** The suffix must lie in the second region. */
  readonly mustBeInSecondRegion?: boolean;
}

interface Rules {
  readonly bySuffix: ReadonlyMap<string, Rule>;
  /** Finds the longest of the suffixes, which is the leftmost match at the end of the word. */
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

const irregularStems = new Map(
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
/** Words that no step after the plural may change. */
const invariantWords = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));
const firstRegionPrefixes = ["gener", "commun", "arsen"];

const possessiveRules = rulesOf(toNothing("' 's 's'"));
const pluralRules = rulesOf({ sses: "ss", ied: "i", ies: "i", s: "", us: "us", ss: "ss" });
const pastRules = rulesOf({ eed: "ee", eedly: "ee", ...toNothing("ed edly ing ingly") });
const step2Rules = rulesOf({
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
const step3Rules = rulesOf({
  tional: "tion",
  ational: "ate",
  alize: "al",
  icate: "ic",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
  ative: { replacement: "", mustBeInSecondRegion: true },
});
const step4Rules = rulesOf({
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

/** The place after the first consonant that follows a vowel, looking from `from` on; the word's length if none. */
const regionAfter = (word: string, from: number): number => {
  let at = from;
  while (at < word.length && !isVowel(word, at)) at++;
  while (at < word.length && isVowel(word, at)) at++;
  return Math.min(at + 1, word.length);
};

const firstRegion = (word: string): number =>
  firstRegionPrefixes.find((start) => word.startsWith(start))?.length ?? regionAfter(word, 0);

/** Whether the word ends in a short syllable: a vowel between consonants, or a vowel at the beginning and a consonant. */
const endsShort = (word: string): boolean => {
  const last = word.length - 1;
  if (last < 1 || isVowel(word, last) || !isVowel(word, last - 1)) return false;
  return last === 1 || (!isVowel(word, last - 2) && !"wxY".includes(word.charAt(last)));
};

const longestSuffix = (word: string, { pattern }: Rules): string | null => {
  const start = word.search(pattern);
  return start < 0 ? null : word.slice(start);
};

/** Only the longest suffix is tried. It must lie in the region that begins at `region`, else the word stays as it is. */
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
  if (kept < region || (rule.mustBeInSecondRegion && kept < regionOfSome)) return word;
  if (rule.onlyAfter !== undefined && (kept === 0 || !rule.onlyAfter.includes(word.charAt(kept - 1)))) return word;
  return word.slice(0, kept) + rule.replacement;
};

const withoutPlural = (word: string): string => {
  const bare = applyRules(word, possessiveRules, 0, 0);
  const suffix = longestSuffix(bare, pluralRules);
  const kept = bare.length - (suffix?.length ?? 0);
  if ((suffix === "ied" || suffix === "ies") && kept < 2) return `${bare.slice(0, kept)}ie`;
  if (suffix === "s" && !hasVowel(bare, kept - 1)) return bare;
  return applyRules(bare, pluralRules, 0, 0, suffix);
};

const doubled = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

const withoutPast = (word: string, region: number): string => {
  const suffix = longestSuffix(word, pastRules);
  if (suffix === null) return word;
  if (suffix.startsWith("ee")) return applyRules(word, pastRules, region, 0, suffix);
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

/** Writes `y` as `Y` where it is a consonant: at the beginning and after a vowel. */
const markConsonants = (word: string): string => {
  if (!word.includes("y")) return word;
  let marked = "";
  for (let at = 0; at < word.length; at++) {
    const letter = word.charAt(at);
    marked += letter === "y" && (at === 0 || isVowel(marked, at - 1)) ? "Y" : letter;
  }
  return marked;
};

/** @param word lower-case @returns its stem; words of up to two letters stay as they are */
export const stemEnglish = (word: string): string => {
  const known = irregularStems.get(word);
  if (known !== undefined) return known;
  if (word.length < 3) return word;
  const marked = markConsonants(word.startsWith("'") ? word.slice(1) : word);
  const first = firstRegion(marked);
  const second = regionAfter(marked, first);
  let stem = withoutPlural(marked);
  if (!invariantWords.has(stem)) {
    stem = withoutPast(stem, first);
    const end = stem.length - 1;
    if (end > 1 && /[yY]$/.test(stem) && !isVowel(stem, end - 1)) stem = `${stem.slice(0, end)}i`;
    stem = applyRules(stem, step2Rules, first, second);
    stem = applyRules(stem, step3Rules, first, second);
    stem = applyRules(stem, step4Rules, second, second);
    stem = withoutLastLetter(stem, first, second);
  }
  return stem.includes("Y") ? stem.replaceAll("Y", "y") : stem;
};
