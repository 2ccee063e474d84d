/** Skip on a first reading: the tables of english-stem.ts, the Porter2 stemmer. */

/** What a suffix is replaced by, and under which conditions. */
interface Rule {
  readonly replacement: string;
  /** One of these characters must precede the suffix. */
  readonly onlyAfter?: string;
  /** The suffix must lie in the second region. */
  readonly mustBeInSecondRegion?: boolean;
}

export interface Rules {
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

export const irregularStems = new Map(
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
export const invariantWords = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));
export const firstRegionPrefixes = ["gener", "commun", "arsen"];

export const possessiveRules = rulesOf(toNothing("' 's 's'"));
export const pluralRules = rulesOf({ sses: "ss", ied: "i", ies: "i", s: "", us: "us", ss: "ss" });
export const pastRules = rulesOf({ eed: "ee", eedly: "ee", ...toNothing("ed edly ing ingly") });
export const step2Rules = rulesOf({
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
export const step3Rules = rulesOf({
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
export const step4Rules = rulesOf({
  ...toNothing("al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize"),
  ion: { replacement: "", onlyAfter: "st" },
});
