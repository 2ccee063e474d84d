import { fold } from "./fold.ts";
import { functionWords, type LatinLanguage, latinLanguages, otherScriptFunctionWords } from "./function-words.ts";

/** The languages of each folded function word, as indexes into `latinLanguages`. */
const languagesOfWord = new Map<string, number[]>();
for (const [index, language] of latinLanguages.entries()) {
  for (const word of new Set(functionWords[language].split(" ").map((entry) => fold(entry)))) {
    const known = languagesOfWord.get(word);
    if (known === undefined) languagesOfWord.set(word, [index]);
    else known.push(index);
  }
}

const ofOtherScripts: ReadonlySet<string> = new Set(otherScriptFunctionWords.map((word) => fold(word)));

/** Counts function words to tell which language a text in Latin letters is in. */
interface LanguageCounter {
  /** @param folded lower-case, folded word */
  see(folded: string): void;
  /** The likeliest languages: one, several with about the same count, or none if no function word was seen. */
  likeliest(): LatinLanguage[];
}

/** Languages with at least this part of the highest count are likely too. */
const minCountShare = 0.8;

export const createLanguageCounter = (): LanguageCounter => {
  const counts = new Float64Array(latinLanguages.length);
  return {
    see(folded) {
      const languages = languagesOfWord.get(folded);
      // A word that many languages share counts less.
      if (languages !== undefined)
        for (const index of languages) counts[index] = (counts[index] ?? 0) + 1 + 1 / languages.length;
    },
    likeliest() {
      const best = Math.max(...counts);
      return best === 0 ? [] : latinLanguages.filter((_, index) => (counts[index] ?? 0) >= best * minCountShare);
    },
  };
};

/** True where the word is a function word of a language in Latin letters. */
export const isFunctionWordOfAny = (folded: string): boolean => languagesOfWord.has(folded);

/** True where the word is a function word of any of the languages, or of one in another script. */
export const isFunctionWord = (folded: string, languages: readonly LatinLanguage[]): boolean => {
  if (ofOtherScripts.has(folded)) return true;
  const owners = languagesOfWord.get(folded);
  return owners?.some((index) => languages.includes(latinLanguages[index] as LatinLanguage)) ?? false;
};
