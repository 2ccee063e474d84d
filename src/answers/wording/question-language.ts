import { detectAll } from "tinyld";
import { type HanLanguage, languagesOfHan } from "./han.ts";

/** Scripts that one language of ours has. */
const singleScripts = {
  greek: /\p{Script=Greek}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  thai: /\p{Script=Thai}/gu,
  korean: /\p{Script=Hangul}/gu,
  bengali: /\p{Script=Bengali}/gu,
  tamil: /\p{Script=Tamil}/gu,
  telugu: /\p{Script=Telugu}/gu,
  hindi: /\p{Script=Devanagari}/gu,
} as const;

/** Languages that share a script with others, by the codes of `tinyld`; the first has the most readers. */
const sharedScripts = {
  Latin: {
    en: "english",
    es: "spanish",
    pt: "portuguese",
    fr: "french",
    de: "german",
    it: "italian",
    nl: "dutch",
    pl: "polish",
    tr: "turkish",
    vi: "vietnamese",
    id: "indonesian",
    sv: "swedish",
    no: "norwegian",
    da: "danish",
    fi: "finnish",
    cs: "czech",
    ro: "romanian",
    hu: "hungarian",
  },
  Cyrillic: { ru: "russian", uk: "ukrainian", bg: "bulgarian" },
  Arabic: { ar: "arabic", fa: "persian", ur: "urdu" },
} as const;
type SharedScript = keyof typeof sharedScripts;
type LanguageOf<Script> = Script extends SharedScript
  ? (typeof sharedScripts)[Script][keyof (typeof sharedScripts)[Script]]
  : never;

export type QuestionLanguage = LanguageOf<SharedScript> | keyof typeof singleScripts | HanLanguage;

const scripts = {
  ...singleScripts,
  Latin: /\p{Script=Latin}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  han: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
} as const;
type ScriptName = keyof typeof scripts;
const scriptNames = Object.keys(scripts) as ScriptName[];

/** What a text tells of the language that its writer speaks. */
export interface LanguageGuess {
  /** Those it may be in, the likeliest first; empty where nothing tells. */
  likely: readonly QuestionLanguage[];
  /** The one to take where nothing else decides; null where the text is a name, a code or a word of many languages. */
  best: QuestionLanguage | null;
}

/** A question says its language in its first words; a pasted text need not be read whole. */
const maxCharacters = 300;
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]+/gu;
/** One word or two may be of any language. */
const leastWords = 3;
/** Languages with this share of the best one's points are likely too. */
const nearness = 0.5;
/** Fewer points say little: of English too, in which questions have names of every language. */
const fewPoints = 0.1;
/** A character of these stands for a syllable or a word. */
const dense: ReadonlySet<ScriptName> = new Set(["han", "korean"]);
/** Names in Latin letters are written so in questions of every script. */
const latinName = /(?<!\p{L})\p{Lu}[\p{L}\p{M}\p{N}]*/gu;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

export const guessLanguage = (text: string): LanguageGuess => {
  const read = text.slice(0, maxCharacters);
  const script = mainScript(read);
  if (script === null) return { likely: [], best: null };
  if (script === "han") {
    const likely: HanLanguage[] = kana.test(read) ? ["japanese"] : languagesOfHan(read);
    return { likely, best: likely[0] ?? null };
  }
  if (script === "Latin" || script === "Cyrillic" || script === "Arabic") return ofSharedScript(read, script);
  return { likely: [script], best: script };
};

const pointsIn = (
  text: string,
  names: Readonly<Record<string, LanguageOf<SharedScript>>>,
): { language: LanguageOf<SharedScript>; accuracy: number }[] =>
  detectAll(text, { only: Object.keys(names) }).flatMap(({ lang, accuracy }) => {
    const language = names[lang];
    return language === undefined ? [] : [{ language, accuracy }];
  });

const ofSharedScript = (text: string, script: SharedScript): LanguageGuess => {
  const names: Readonly<Record<string, LanguageOf<SharedScript>>> = sharedScripts[script];
  const found = pointsIn(text, names);
  const [first] = found;
  const all = found.map(({ language }) => language);
  if ((text.match(word)?.length ?? 0) < leastWords) {
    if (script === "Latin") return { likely: all, best: null };
    const [mostRead] = Object.values(names);
    return { likely: all, best: mostRead !== undefined && all.includes(mostRead) ? mostRead : (all[0] ?? null) };
  }
  if (first === undefined) return { likely: [], best: null };
  // English writes few marks: a word with one is a name, or a dish.
  const plain = text.match(word)?.filter((each) => /^[a-z]+$/i.test(each)) ?? [];
  if (plain.length >= leastWords && pointsIn(plain.join(" "), names)[0]?.language === "english")
    return { likely: ["english"], best: "english" };
  const isUnsure = first.accuracy < fewPoints;
  const likely = found
    .filter(({ language, accuracy }) => accuracy >= nearness * first.accuracy || (isUnsure && language === "english"))
    .map(({ language }) => language);
  return { likely, best: first.language };
};

/** The script of most of a text; null where it has no letters of a known one. */
const mainScript = (text: string): ScriptName | null => {
  let main: ScriptName | null = null;
  let most = 0;
  for (const name of scriptNames) {
    const letters = (name === "Latin" ? text.replace(latinName, "A") : text).match(scripts[name])?.length ?? 0;
    const weighed = dense.has(name) ? 2 * letters : letters;
    if (weighed <= most) continue;
    main = name;
    most = weighed;
  }
  return main;
};
