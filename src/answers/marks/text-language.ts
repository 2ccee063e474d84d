import { scanText } from "../../text/analysis/document-terms.ts";
import type { LatinLanguage } from "../../text/language/function-words.ts";

/** What is known of a text's language. */
export interface TextLanguage {
  /** Index into `scripts`, that of most letters; -1 where none has any. */
  script: number;
  /** Likeliest languages of a text in Latin letters; empty if unknown. */
  latin: readonly LatinLanguage[];
}

const latinScript = 0;
const scripts = [
  /\p{Script=Latin}/gu,
  /\p{Script=Cyrillic}/gu,
  /\p{Script=Greek}/gu,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  /\p{Script=Hangul}/gu,
  /\p{Script=Arabic}/gu,
  /\p{Script=Hebrew}/gu,
  /\p{Script=Thai}/gu,
  /\p{Script=Devanagari}/gu,
] as const;

export const languageOf = (text: string): TextLanguage => {
  const counts = scripts.map((script) => text.match(script)?.length ?? 0);
  const most = Math.max(...counts);
  const script = most === 0 ? -1 : counts.indexOf(most);
  return { script, latin: script === latinScript ? scanText(text).languages : [] };
};

/** False only where the two are known to differ: their words then say nothing about each other. */
export const mayBeSameLanguage = (a: TextLanguage, b: TextLanguage): boolean => {
  if (a.script !== b.script) return a.script === -1 || b.script === -1;
  return a.latin.length === 0 || b.latin.length === 0 || a.latin.some((language) => b.latin.includes(language));
};
