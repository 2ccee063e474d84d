import { listedLanguages, sharedScriptLanguages, type TellingSigns } from "./languages.ts";
import { tableForm, unmarked } from "./words.ts";

export type SharedScript = TellingSigns["script"];

/** The signs of `languages.ts` as they are looked up. */
export interface Signs {
  script: SharedScript;
  letters: ReadonlySet<string>;
  asks: ReadonlySet<string>;
  unmarkedAsks: ReadonlySet<string>;
  endings: readonly string[];
  isUnlisted: boolean;
}

/** In the order of `listedLanguages`. */
export const signs: readonly Signs[] = listedLanguages.map((language) => {
  const { script, letters, asks, endings = "", isUnlisted = false }: TellingSigns = sharedScriptLanguages[language];
  const words = asks.split(" ").map(tableForm);
  return {
    script,
    letters: new Set(letters),
    asks: new Set(words),
    unmarkedAsks: new Set(words.flatMap((word) => unmarked(word) ?? [])),
    endings: endings === "" ? [] : endings.split(" "),
    isUnlisted,
  };
});
