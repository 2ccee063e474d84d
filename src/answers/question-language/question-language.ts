import { type HanLanguage, languagesOfHan } from "./han.ts";
import type { SharedScriptLanguage } from "./languages.ts";
import { likelyLanguages } from "./shared-script.ts";

/** Scripts that one language of ours has. */
const singleScripts = {
  greek: /\p{Script=Greek}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  thai: /\p{Script=Thai}/gu,
  korean: /\p{Script=Hangul}/gu,
  bengali: /\p{Script=Bengali}/gu,
  tamil: /\p{Script=Tamil}/gu,
  telugu: /\p{Script=Telugu}/gu,
  gujarati: /\p{Script=Gujarati}/gu,
  punjabi: /\p{Script=Gurmukhi}/gu,
  kannada: /\p{Script=Kannada}/gu,
  malayalam: /\p{Script=Malayalam}/gu,
  georgian: /\p{Script=Georgian}/gu,
  armenian: /\p{Script=Armenian}/gu,
} as const;

const scripts = {
  ...singleScripts,
  Latin: /\p{Script=Latin}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
  han: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
} as const;
type ScriptName = keyof typeof scripts;
const scriptNames = Object.keys(scripts) as ScriptName[];

export type QuestionLanguage = SharedScriptLanguage | keyof typeof singleScripts | HanLanguage;

/** What a text tells of the language that its writer speaks. */
export interface LanguageGuess {
  /** Those it may be in, the likeliest first; empty where nothing tells. */
  likely: readonly QuestionLanguage[];
  /** The one to take where nothing else decides; null where the text is a name, a code or a word of many languages. */
  best: QuestionLanguage | null;
}

/** A question says its language in its first words; a pasted text need not be read whole. */
const maxCharacters = 300;
/** A character of these stands for a syllable or a word. */
const dense: ReadonlySet<ScriptName> = new Set(["han", "korean"]);
/** Names in Latin letters are written so in questions of every script. */
const latinName = /(?<!\p{L})\p{Lu}[\p{L}\p{M}\p{N}]*/gu;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The language with the most readers, where a word of these letters may be of several. */
const mostRead = { Cyrillic: "russian", Arabic: "arabic", Devanagari: "hindi" } as const;

export const guessLanguage = (text: string): LanguageGuess => {
  const read = text.slice(0, maxCharacters);
  const script = mainScript(read);
  if (script === null) return { likely: [], best: null };
  if (script === "han") {
    const likely: HanLanguage[] = kana.test(read) ? ["japanese"] : languagesOfHan(read);
    return { likely, best: likely[0] ?? null };
  }
  if (script === "Latin") {
    const { likely, isClear } = likelyLanguages(read, script);
    return { likely, best: isClear ? (likely[0] ?? null) : null };
  }
  if (script === "Cyrillic" || script === "Arabic" || script === "Devanagari") {
    const { likely, isClear } = likelyLanguages(read, script);
    const [first = mostRead[script]] = likely;
    return { likely, best: !isClear && likely.includes(mostRead[script]) ? mostRead[script] : first };
  }
  return { likely: [script], best: script };
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
