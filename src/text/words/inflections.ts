import { readFileSync } from "node:fs";
import { groupsIn, type InflectionTable, readInflectionTable } from "./inflection-table.ts";
import path from "./inflections.bin" with { type: "file" };

/** Each form is looked up in the index; more than four gained nothing (bench/quality/ranking.md). */
const maxForms = 4;

let table: InflectionTable | null = null;

/** Read with the first question, so that an idle server does not hold it. */
const loadedTable = (): InflectionTable => {
  table ??= readInflectionTable(readFileSync(path));
  return table;
};

/**
 * The terms of the full-text index under which other forms of a word stand, the most frequent first: those that its stemmer
 * does not bring together, as `sterb`, `gestorb` and `stirbt` for the German `starb`. At most four; none for a word that the
 * lists do not have, or of a language without a list.
 * @param term the word's stem, as the index has it
 */
export const inflectionsOf = (term: string, language: string): string[] => {
  const forms = groupsIn(loadedTable(), language, term).flat();
  return [...new Set(forms)].filter((form) => form !== term).slice(0, maxForms);
};
