import { stemmedLanguage } from "../../src/text/analysis/document-terms.ts";
import { languageOfScript, type StemmedLanguage, stemForms } from "../../src/text/analysis/stem.ts";
import { fold } from "../../src/text/language/fold.ts";
import { writeFrequencyTable } from "../../src/text/words/word-frequency.ts";
import { latinLanguages } from "./latin-languages.ts";

/** Writes the table of word frequencies: `bun make.ts LISTS OUT`, LISTS as export.py prints them. See README.md. */
const [lists, out] = Bun.argv.slice(2);
if (lists === undefined || out === undefined) {
  process.stderr.write("usage: bun tools/word-frequency/make.ts LISTS OUT\n");
  process.exit(2);
}

/** How the words of a list are stemmed in Latin letters; those of languages without a stemmer stay whole. */
const stemmedAs = (code: string): StemmedLanguage => {
  if (code === "vi") return "vietnamese";
  const language = latinLanguages[code];
  return language === undefined ? "none" : stemmedLanguage(language);
};
/** Their words are looked up whole (`questionUnits`); the index has pairs of characters. */
const unspaced = new Set(["ja", "ko", "zh"]);

const formsOf = (word: string, language: string): readonly string[] =>
  unspaced.has(language) ? [fold(word)] : stemForms(word, languageOfScript(word) ?? stemmedAs(language));

const shares = new Map<string, number>();
const lines = (await Bun.file(lists).text()).trimEnd().split("\n");
for (const [language, own] of Map.groupBy(lines, (line) => line.slice(0, line.indexOf("\t")))) {
  const ofLanguage = new Map<string, number>();
  for (const line of own) {
    const [, word = "", centibels] = line.split("\t");
    const share = 10 ** (-Number(centibels) / 100);
    for (const form of new Set(formsOf(word, language))) ofLanguage.set(form, (ofLanguage.get(form) ?? 0) + share);
  }
  for (const [form, share] of ofLanguage) shares.set(form, Math.max(share, shares.get(form) ?? 0));
}
await Bun.write(out, writeFrequencyTable(shares));
process.stdout.write(`${shares.size} terms of ${new Set(lines.map((line) => line.split("\t")[0])).size} languages\n`);
