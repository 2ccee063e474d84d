import { beginsSentences, isCounted, marksOrdinal } from "./sentence-words.ts";
import { type FullStop, textBefore } from "./stop.ts";

/** How far back the number before it in a list, and signs of a language, are looked for. */
const maxLeadCharacters = 120;

/**
 * Whether the sentence goes on after a number: an ordinal as "3. Mai", or in a list. In most languages a full stop behind
 * a number ends the sentence, so that something must tell an ordinal.
 */
export const goesOnAfterNumber = (stop: FullStop): boolean => {
  const { text, start, word, following } = stop;
  const isYear = /^\d{3,}$/.test(word);
  // "2024. január", but "in 1998. the board" in text without capitals.
  if (stop.isLowerCase) return !/^\d{4}/.test(word) || isCounted(following);
  if (isYear) return false;
  // A time: "at 18:00. April".
  if (text[start - 1] === ":") return false;
  // What follows decides, and is not all there.
  if (stop.isCut) return true;
  // "3. 4. 2020"
  if (/^\d/.test(following))
    return /^\d{1,2}$/.test(following) ? stop.isFollowedByStop : /\d\.\s?$/.test(textBefore(stop, 3));
  if (isCounted(following)) return true;
  if (isInList(stop)) return true;
  if (!/^\p{L}/u.test(following) || beginsSentences(following)) return false;
  // The end of a range: "10–14. Sonntags".
  if (/[-–—]\s?$/u.test(textBefore(stop, 2))) return false;
  if (marksOrdinal(stop.wordBefore)) return isGermanMarker(stop);
  return isTurkish(stop);
};

/** "Steps: 1. Open it 2. Close it": the first after a colon, the others after the number before. */
const isInList = (stop: FullStop): boolean => {
  const lead = textBefore(stop, maxLeadCharacters);
  const place = Number(stop.word);
  return place === 1 ? /[:;]\s$/u.test(lead) : lead.includes(`${place - 1}. `);
};

/** "I am 12" is English, "às 10 e das 12" Portuguese. */
const isGermanMarker = (stop: FullStop): boolean => {
  const lead = textBefore(stop, maxLeadCharacters);
  return !/\bI am\s$/.test(lead) && !(/^(?:das|des)$/i.test(stop.wordBefore) && /[ãõçàèêéñ]/iu.test(lead));
};

/** In Turkish an ordinal stands before any noun ("2. Dünya Savaşı"), and sentences end in verbs. */
const isTurkish = (stop: FullStop): boolean =>
  /[ğışİĞŞ]/u.test(textBefore(stop, maxLeadCharacters)) || /[ğışİĞŞ]/u.test(stop.following);
