import { type CueLanguage, cueLanguages } from "./cues.ts";

/**
 * The languages of a few words, by function words: of four or five words they tell more than letters do, by which "comment changer
 * le filtre" may be English. Texts are in lower case, each word between single spaces.
 */

const latinCues = cueLanguages.filter((language) => !["chinese", "japanese", "russian"].includes(language));
const ofScandinavia =
  / (?:och|og|är|er|det|den|de|som|på|vad|hvad|hva|hur|hvor|hvordan|när|hvornår|når|vem|hvem|vilken|hvilken|vilka|hvilke|jag|jeg|mig|meg|du|kan|får|må|för|for|till|til|av|af|från|fra|med|inte|ikke|att|at|ett|et|en|i|om|har|vi|man|många|mange|finns|der|din|min) /g;
/** A few words that each language has in most of its sentences and that hardly another one has. */
const telling: Partial<Record<CueLanguage, RegExp>> = {
  english:
    / (?:the|as|it|that|this|say|not|don't|is|are|what|how|you|i|do|does|which|when|who|where|my|me|of|please|tell|can|could|would|in|on|for|and|many|much|a|an|to|there|with|was|were|did|have|has|at|by|from) /g,
  german:
    / (?:der|die|das|ist|sind|was|wie|ich|sie|welche|wann|wer|wo|mir|bitte|und|den|dem|ein|eine|kannst|können|in|im|von|viele|viel|mit|für|auf|welcher|welches|zu|es|gibt|am|bei|kann|darf|muss|mein|meine|hat|haben) /g,
  french:
    / (?:le|les|est|sont|que|quel|quelle|je|vous|quand|qui|où|moi|un|une|es|des|du|pouvez|peux|comment|combien|de|la|en|puis|dois|dans|pour|avec|quels|quelles|au|aux|sur|y|a|t|il|elle|on|s'il|te|tu|à|ce|ces|et|ne|pas|plaît) /g,
  spanish:
    / (?:el|los|las|es|son|qué|cuál|yo|usted|cuándo|quién|dónde|me|por|una|del|puedes|puedo|tengo|a|cómo|cuánto|hay|de|la|en|con|para|cuántos|cuántas|cuánta|más|que|se|y|un|al|tiene) /g,
  italian:
    / (?:il|gli|è|sono|che|quale|io|lei|quando|chi|dove|mi|per|una|della|del|puoi|posso|a|come|quanto|cosa|di|la|con|le|i|quanti|quante|quanta|più|nel|nella|si|ci|un|al|alla|ha|da|dei|delle) /g,
  portuguese:
    / (?:o|os|é|são|que|qual|eu|você|quando|quem|onde|me|por|uma|da|do|pode|posso|como|quanto|não|de|a|em|no|na|com|para|quantos|quantas|quanta|mais|se|um|há|tem|as|dos|das) /g,
  dutch:
    / (?:de|het|een|is|zijn|wat|hoe|ik|je|u|welke|wanneer|wie|waar|mij|alsjeblieft|kun|kunt|van|in|met|voor|op|hoeveel|er|en|te|bij|heeft|mag|kan|naar) /g,
  polish:
    / (?:jest|są|co|jak|ja|który|która|kiedy|kto|gdzie|mi|proszę|możesz|czy|się|na|w|z|ile|do|ma|po|od|dla|jakie|jaki|jaka|nie|o) /g,
  swedish: ofScandinavia,
  danish: ofScandinavia,
  norwegian: ofScandinavia,
  turkish:
    / (?:bir|ne|nasıl|ben|siz|hangi|kim|nerede|bana|lütfen|misin|mısın|mi|mı|ve|bu|için|kaç|nedir|ile|en|da|de|hangisi|olan|var|mu|mü) /g,
};

/** Letters that hardly another one of them has. */
const ownLetters: Partial<Record<CueLanguage, RegExp>> = {
  german: /ß/g,
  spanish: /ñ/g,
  portuguese: /[ãõ]/g,
  polish: /[łąęńśźż]/g,
  turkish: /[ığş]/g,
  swedish: /[åö]/g,
  danish: /[åøæ]/g,
  norwegian: /[åøæ]/g,
};
const none = /$^/g;

/** How many of those words and letters a clause has, in each language of Latin letters. */
export const tellingWords = (spaced: string): ReadonlyMap<CueLanguage, number> => {
  const doubled = spaced.replaceAll(" ", "  ");
  return new Map(
    latinCues.map((language) => {
      const [words, letters] = [doubled.match(telling[language] ?? none), spaced.match(ownLetters[language] ?? none)];
      return [language, (words?.length ?? 0) + (letters?.length ?? 0)];
    }),
  );
};

/** The languages with the most of them, and how many; none where a clause has none. */
export const byFunctionWords = (spaced: string): { languages: readonly CueLanguage[]; count: number } => {
  const counts = tellingWords(spaced);
  const count = Math.max(...counts.values());
  return { languages: count === 0 ? [] : latinCues.filter((language) => counts.get(language) === count), count };
};

/**
 * The languages that a clause may be in, by its function words; for pleas, whose words ("a", "no", "I") mean something else in
 * other languages.
 */
export const likelyLanguages = ({ text, spaced }: { text: string; spaced: string }): readonly CueLanguage[] => {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return ["japanese"];
  if (/\p{Script=Han}/u.test(text)) return ["chinese"];
  if (/\p{Script=Cyrillic}/u.test(text)) return ["russian"];
  const { languages } = byFunctionWords(spaced);
  return languages.length === 0 ? ["english"] : languages;
};
