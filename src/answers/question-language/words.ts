const marks = /\p{Mn}+/gu;
const undecomposed: Record<string, string> = { đ: "d", ı: "i", ł: "l", ø: "o", æ: "ae", œ: "oe", ß: "ss" };
const latin = /\p{Script=Latin}/u;

/** A word as the table has it. Persian and Urdu letters are kept apart from Arabic ones: they tell. */
export const tableForm = (word: string): string => word.toLowerCase().normalize("NFC").replaceAll("i̇", "i");

/** As people type a word on a keyboard without its marks; null where it has none, and in scripts where they are vowels. */
export const unmarked = (word: string): string | null => {
  if (!latin.test(word)) return null;
  const bare = word
    .normalize("NFD")
    .replace(marks, "")
    .replace(/[đıłøæœß]/gu, (letter) => undecomposed[letter] ?? letter);
  return bare === word ? null : bare;
};
