import { stemmedLanguage } from "../../src/text/analysis/document-terms.ts";
import { languageOfScript, type StemmedLanguage, stemForms } from "../../src/text/analysis/stem.ts";
import { fold } from "../../src/text/language/fold.ts";
import { isFunctionWord } from "../../src/text/language/function-words.ts";
import { writeInflectionTable } from "../../src/text/words/inflections.ts";
import { latinLanguages } from "../word-frequency/latin-languages.ts";

/** Writes the table of inflections: `bun make.ts PAIRS OUT`, PAIRS as export.py prints them. See README.md. */
const [pairs, out] = Bun.argv.slice(2);
if (pairs === undefined || out === undefined) {
  process.stderr.write("usage: bun tools/inflections/make.ts PAIRS OUT\n");
  process.exit(2);
}

/** Rarer forms of a word that has more are left out. */
const maxGroup = 12;

/** The shares of running text that the terms of one word have. */
type Group = Map<string, number>;

const stemOf = (word: string, language: StemmedLanguage): string => stemForms(word, language).at(-1) ?? word;
const totalOf = (group: Group): number => [...group.values()].reduce((sum, share) => sum + share, 0);

/** By the stemmer of the language, then by dictionary form. */
const groups = new Map<StemmedLanguage, Map<string, Group>>();
for (const line of (await Bun.file(pairs).text()).trimEnd().split("\n")) {
  const [code = "", word = "", listed = "", centibels] = line.split("\t");
  const own = latinLanguages[code];
  // Words of other scripts are stemmed by their script.
  const language = languageOfScript(word) ?? (own === undefined ? undefined : stemmedLanguage(own));
  if (language === undefined) continue;
  const form = listed.toLowerCase();
  if (/\s/.test(form) || isFunctionWord(fold(word), own === undefined ? [] : [own])) continue;
  const ofLanguage = groups.get(language) ?? new Map<string, Group>();
  groups.set(language, ofLanguage);
  const key = `${code} ${form}`;
  const group: Group = ofLanguage.get(key) ?? new Map([[stemOf(form, language), 0]]);
  ofLanguage.set(key, group);
  const stem = stemOf(word, language);
  group.set(stem, (group.get(stem) ?? 0) + 10 ** (-Number(centibels) / 100));
}

const isTerm = (term: string): boolean => term.length > 1 && !/\s/.test(term);
const written = new Map<string, string[][]>();
for (const [language, own] of groups) {
  const byFrequency = [...own.values()].sort((a, b) => totalOf(b) - totalOf(a));
  const lists = byFrequency.map((group) =>
    [...group]
      .sort(([, a], [, b]) => b - a)
      .map(([term]) => term)
      .filter(isTerm)
      .slice(0, maxGroup),
  );
  const distinct = new Map(lists.filter(({ length }) => length > 1).map((list) => [list.join(" "), list]));
  written.set(language, [...distinct.values()]);
}
await Bun.write(out, writeInflectionTable(written));
const count = [...written.values()].reduce((sum, lists) => sum + lists.length, 0);
process.stdout.write(`${count} groups in ${written.size} stemmers' languages\n`);
