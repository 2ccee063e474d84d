import { listedLanguages, type SharedScriptLanguage } from "../../src/answers/question-language/languages.ts";
import { type WordEntry, writeWordTable } from "../../src/answers/question-language/word-table.ts";
import { tableForm, unmarked } from "../../src/answers/question-language/words.ts";

/**
 * Writes the table that tells the language of a question: `bun question-words.ts LISTS OUT`, LISTS as export.py prints them,
 * OUT `src/answers/question-language/words.bin`.
 */
const [lists, out] = Bun.argv.slice(2);
if (lists === undefined || out === undefined) {
  process.stderr.write("usage: bun tools/word-frequency/question-words.ts LISTS OUT\n");
  process.exit(2);
}

/** More words make the table larger, and tell little more. */
const wordsOfLanguage = 5000;
/** English answers where nothing tells another language, so its keywords must not pass for words of others. */
const wordsOfEnglish = 15_000;
/** A word typed without its marks is one in ten. */
const unmarkedRarity = 50;

const codes: Partial<Record<SharedScriptLanguage, string>> = {
  arabic: "ar",
  bulgarian: "bg",
  catalan: "ca",
  croatian: "sh",
  czech: "cs",
  danish: "da",
  dutch: "nl",
  english: "en",
  filipino: "fil",
  finnish: "fi",
  french: "fr",
  german: "de",
  hindi: "hi",
  hungarian: "hu",
  indonesian: "id",
  italian: "it",
  latvian: "lv",
  lithuanian: "lt",
  macedonian: "mk",
  norwegian: "nb",
  persian: "fa",
  polish: "pl",
  portuguese: "pt",
  romanian: "ro",
  russian: "ru",
  serbian: "sh",
  slovak: "sk",
  slovene: "sl",
  spanish: "es",
  swedish: "sv",
  turkish: "tr",
  ukrainian: "uk",
  urdu: "ur",
  vietnamese: "vi",
};

/** The list of Serbian and its neighbors is in Latin letters. */
const cyrillicOf: Record<string, string> = {
  ...{ a: "а", b: "б", c: "ц", č: "ч", ć: "ћ", d: "д", đ: "ђ", e: "е", f: "ф", g: "г", h: "х", i: "и", j: "ј", k: "к" },
  ...{ l: "л", m: "м", n: "н", o: "о", p: "п", r: "р", s: "с", š: "ш", t: "т", u: "у", v: "в", z: "з", ž: "ж" },
  ...{ lj: "љ", nj: "њ", dž: "џ" },
};
const inCyrillic = (word: string): string =>
  word.replace(/lj|nj|dž|\p{L}/gu, (letters) => cyrillicOf[letters] ?? letters);

const oneWord = /^\p{L}[\p{L}\p{M}]*$/u;
const byCode = new Map<string, [string, number][]>();
for (const line of (await Bun.file(lists).text()).trimEnd().split("\n")) {
  const [code = "", word = "", centibels] = line.split("\t");
  const own = byCode.get(code) ?? [];
  byCode.set(code, own);
  if (oneWord.test(word)) own.push([tableForm(word), Math.round(Number(centibels) / 2)]);
}

const entries: WordEntry[] = [];
for (const [language, name] of listedLanguages.entries()) {
  const own = (byCode.get(codes[name] ?? "") ?? []).slice(0, name === "english" ? wordsOfEnglish : wordsOfLanguage);
  const rarities = new Map<string, number>();
  const add = (word: string, rarity: number) =>
    rarities.set(word, Math.min(rarities.get(word) ?? 255, Math.min(255, rarity)));
  for (const [word, rarity] of own) {
    add(name === "serbian" ? inCyrillic(word) : word, rarity);
    const bare = unmarked(word);
    if (bare !== null && name !== "serbian") add(bare, rarity + unmarkedRarity);
  }
  for (const [word, rarity] of rarities) entries.push({ word, language, rarity });
}
await Bun.write(out, writeWordTable(entries));
process.stdout.write(`${entries.length} words of ${new Set(entries.map(({ language }) => language)).size} languages\n`);
