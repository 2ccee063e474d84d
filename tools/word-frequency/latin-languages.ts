import type { LatinLanguage } from "../../src/text/language/function-words.ts";

/** The languages in Latin letters of which wordfreq has a list and the analysis function words, by wordfreq's code. */
export const latinLanguages: Readonly<Record<string, LatinLanguage>> = {
  ca: "catalan",
  cs: "czech",
  da: "danish",
  de: "german",
  en: "english",
  es: "spanish",
  fi: "finnish",
  fr: "french",
  hu: "hungarian",
  id: "indonesian",
  it: "italian",
  nb: "norwegian",
  nl: "dutch",
  pl: "polish",
  pt: "portuguese",
  ro: "romanian",
  sv: "swedish",
  tr: "turkish",
};
