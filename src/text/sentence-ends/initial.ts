import { beginsSentences, isPartOfNames, takesLetter } from "./sentence-words.ts";
import { type FullStop, textBefore } from "./stop.ts";

/** Letters of units behind a number: "12 V". Others are initials there: "Since May 5 J. Smith". */
const unit = /^[ACFKLVWΩΩ]$/u;
const year = /(?:19|20)\d\d$/;

/** Whether the sentence goes on after one or more capital letters: "J. Smith", "U.S. Army". */
export const goesOnAfterInitial = (stop: FullStop): boolean => {
  const { word, wordBefore, following } = stop;
  const lead = textBefore(stop, 12);
  // "65 °C", "R&D", "A/B": part of something that is no name.
  if (/[°º&/+%]\s?$/u.test(lead)) return false;
  if (stop.isLowerCase) return true;
  if (unit.test(word) && /\d\s$/u.test(lead) && !year.test(wordBefore)) return false;
  // "Group B", "from A to B": the letter is a name by itself.
  if (takesLetter(wordBefore) || isSecondLetter(lead)) return false;
  // What follows decides, and is not all there.
  if (stop.isCut || following === "") return true;
  // "J. A. Smith": the next letter is an initial too, though "a" is a word.
  if (/^\p{L}$/u.test(following) && stop.isFollowedByStop) return true;
  return isPartOfNames(following) || !beginsSentences(following);
};

const isSecondLetter = (lead: string): boolean =>
  /(?:^|[\s(])[A-HJ-Z],? (?:and|or|to|und|oder|bis|et|ou|à|y|e|o|en|of|i|и|ve)\s$/u.test(lead);
