import { normalForm } from "../../text/normal-form.ts";
import { tableForm } from "./words.ts";

/** A word with a capital inside a question is a name as a rule, and names are of any language. */
export const nameWeight = 0.2;
/** The first word, unless it is a name, is of the question's own language. */
const firstWeight = 1.5;
/** "de la" in "Café de la Paix" */
const longestLink = 3;

const wordPattern = /\p{L}[\p{L}\p{M}]*/gu;
const capital = /^\p{Lu}/u;

export interface WeighedWord {
  /** As the word table has it. */
  word: string;
  weight: number;
}

/** The words of a question, by how much they say of its language. */
export const weighedWords = (text: string): WeighedWord[] => {
  const words = normalForm(text, "NFC").match(wordPattern) ?? [];
  // A text in capitals alone says nothing of names.
  const isLoud = words.length > 1 && text === text.toUpperCase();
  const isCapital = words.map((word) => !isLoud && capital.test(word));
  const isName = isCapital.map((is, at) => is && (at > 0 || words.length === 1 || isCapital[1] === true));
  const isLink = words.map(({ length }) => length <= longestLink);
  /** A name is next to it, perhaps after another link. */
  const isBeside = (at: number, step: 1 | -1): boolean =>
    isName[at + step] === true || (isLink[at + step] === true && isName[at + 2 * step] === true);
  return words.map((word, at) => {
    const isOfName = isName[at] === true || (isLink[at] === true && isBeside(at, -1) && isBeside(at, 1));
    return { word: tableForm(word), weight: isOfName ? nameWeight : at === 0 ? firstWeight : 1 };
  });
};
