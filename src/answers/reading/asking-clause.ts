import { analyzeQuery } from "../../text/analysis/analyze.ts";

/** Words that questions begin with. */
const asks =
  /^(?:what|what's|when|where|whom?|whose|which|why|how|was|wann|wo|wer|wem|wen|welche[rsnm]?|warum|wie|wieviel|quel(?:le)?s?|quand|où|qui|pourquoi|comment|combien|qué|cuál(?:es)?|cuándo|d[oó]nde|quién(?:es)?|cómo|cu[aá]nt[oa]s?|quale|quali|quando|dove|chi|perché|quant[oaie]s?|qual|quais|onde|quem|wat|wanneer|waar|welke?|waarom|hoe|hoeveel|kiedy|gdzie|kto|któr\p{L}+|ile|dlaczego|когда|где|кто|как\p{L}*|сколько|почему|vad|när|vem|vilk\p{L}+|hur|hvad|hvornår|hvem|hvilke\p{L}*|hva|hvor|når)$/iu;

/** Words that join two questions. */
export const and = /^(?:and|und|et|y|e|en|i|и|och|og|ve)$/;

/** Words after which a question is told in a sentence: "I would like to know …", "my husband asked me to look up …". */
const wonders =
  /^(?:know|tell|wonder(?:ing|ed)?|ask(?:ed|ing)?|out|up|check|remember|forg[eo]t|idea|curious|wissen|weiß|weiss|weißt|wüssten?|sag(?:en|t|st)?|frag(?:e|en|t|te)|gefragt|erfahren|verraten|erklären|interessiert|savoir|sais|sait|dire|demand(?:e|er|ait|ais|ons)|indiquer|préciser|saber|sé|sabe[sn]?|sabemos|decir(?:me|nos)?|dígame|dime|pregunt(?:o|a|ar|aba)|indicar(?:me)?|sapere|dir(?:e|mi|ci)|chied(?:o|evo|ere|e)|dica|dimmi|sei|dizer|pergunt(?:o|a|ar|ava)|weten|weet|zeggen|vragen|vraag|vroeg(?:en)?|afvraag|wiedzieć|wiem|powiedzieć|dowiedzieć|pytam|zapytać|wie|знать|знаю|знаете|знает|сказать|скажи(?:те)?|подскажи(?:те)?|узнать|понять|интересует|спросить|veta|undra[r]?|fråga[r]?|vide|ved|spørge[r]?|undrer|vite|lurer|spør(?:re)?)$/iu;

/** Whom somebody asks, between both. */
const whom =
  /^(?:me|us|you|please|exactly|somebody|someone|anyone|anybody|jemand|mir|uns|mich|dir|sie|bitte|genau|moi|nous|favor|favore|me|af|się|mi|nam|мне|нам)$/iu;
/** A preposition of the question. */
const preposition =
  /^(?:at|in|from|until|to|by|for|on|ab|bis|seit|um|zu|auf|für|aus|à|de|d|depuis|jusqu|pour|por|desde|hasta|a|en|con|da|di|per|fino|em|até|para|om|op|van|tot|met|voor|o|od|do|w|z|na|про|с|со|до|во|в|на|за|по|i|på|från|till|fra|til|med|över|над)$/iu;
/** Words between both, at most. */
const maxBetween = 3;

/** What ends a remark before a question: "quick one - when …", "una preguntita: cuál …". */
const endsRemark = /(?:[-–—:;)…]|\.\.)$/u;

/** A sentence with a question in it is looked at up to here. */
const maxCharacters = 600;
const bare = (word: string): string => word.replace(/^[¿¡"'(«„]{1,3}/u, "").replace(/[,.:;!?"')»“…]{1,3}$/u, "");

/** Whether a sentence ends with a question mark. */
export const endsAsking = (sentence: string): boolean => /[?？؟]["»”’)]*$/u.test(sentence.trimEnd());

/** Whether a text begins with a word that asks, also after "and" or a preposition: "in what year". */
export const beginsAsking = (text: string): boolean => {
  const [first = "", second = ""] = text.slice(0, maxBeginning).split(/\s+/, 2).map(bare);
  return asks.test(first) || ((and.test(first) || preposition.test(first)) && asks.test(second));
};
const maxBeginning = 60;

/** What tells after a question why it is asked: "…, because I have to tell my boss", "…, my boss wants to know". */
const reason =
  /(?:,? (?:because|'?cause|cuz|parce qu[e']|porque|perché|poiché|omdat|weil|ponieważ|потому что|eftersom|fordi) |, (?:since|as|i|we|my|our|he|she|they|ich|wir|mein|meine|unsere?|da ich|denn|je|j'|nous|mon|ma|mes|car|yo|mi|mis|nosotros|pues|ya que|io|mio|mia|eu|meu|minha|pois|ik|wij|we|mijn|want|mój|moja|bo|я|мы|мой|моя|мне|нам|так как|jag|jeg|vi|min) | i (?:forgot|(?:really|still|urgently) )| [-–—] ?(?=\p{L}\S{1,16}(?: \S{1,16})?$))/iu;

/** "Which fault is worst, I mean: what is the highest set point" takes back what stands before. */
const corrected =
  /[,;.–-] {0,2}(?:i mean|i meant|or rather|no wait|ich meine|vielmehr|je veux dire|quiero decir|cioè|quer dizer|ik bedoel|to znaczy|то есть|jag menar|jeg mener)[:,]? +(\S.*)$/isu;

/** The sentence without why it is asked; a long text stays as it is. */
export const withoutReason = (sentence: string): string => {
  const at = sentence.length > maxCharacters ? -1 : sentence.search(reason);
  const asked = at < 0 || alternative.test(sentence.slice(at)) ? "" : sentence.slice(0, at);
  return asked.split(" ").length < minWords || analyzeQuery(asked).isOfFunctionWords ? sentence : asked;
};
const minWords = 3;
/** "Who pays, my landlord or I?" */
const alternative = / (?:or|oder|ou|o|oppure|of|lub|czy|или|eller) /iu;

/**
 * The question that a longer sentence tells: "how much a locker costs" of "sorry to bother you, but do you happen to know how much
 * a locker costs?". What stands before it says who asks and why. Null where the sentence asks from its beginning, or tells none.
 */
export const toldQuestion = (sentence: string): string | null => {
  const [anew, instead = ""] = corrected.exec(sentence.slice(0, maxCharacters)) ?? [];
  if (anew !== undefined && beginsAsking(instead)) return instead + sentence.slice(maxCharacters);
  if (beginsAsking(sentence)) return null;
  const words = [...sentence.slice(0, maxCharacters).matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    index,
    bare: bare(text),
  }));
  const wordAt = (at: number): string => words[at]?.bare ?? "";
  for (let at = 1; at < words.length; at++) {
    if (!asks.test(wordAt(at))) continue;
    let from = at;
    if (!endsRemark.test(words[at - 1]?.text ?? "")) {
      while (from > 1 && at - from < maxBetween && (whom.test(wordAt(from - 1)) || preposition.test(wordAt(from - 1))))
        from--;
      if (!wonders.test(wordAt(from - 1))) continue;
      while (from < at && whom.test(wordAt(from))) from++;
    }
    const told = sentence.slice(words[from]?.index ?? 0).replace(/^[¿¡"'(«„]+/u, "");
    // "I don't know what to do, we have guests" asks about what is told around it.
    return analyzeQuery(told.split(/[,;]/, 1)[0] ?? "").isOfFunctionWords ? null : told;
  }
  return null;
};

/** "Hey tom when is it": whom a greeting is for. */
export const afterName = (greeted: string): string => {
  const [name = "", next = ""] = greeted.split(" ", 2).map(bare);
  const isName = asks.test(next) && ![asks, preposition, and].some((other) => other.test(name));
  return isName && /^[\p{L}\d_@-]{2,20}$/u.test(name) ? greeted.slice(greeted.indexOf(" ") + 1) : greeted;
};

/** Two questions in one sentence: "When does it open, and how long is it open on Fridays?" */
export const joinedQuestions = (sentence: string, maxLength: number): string[] => {
  const words = sentence.slice(0, maxLength).split(" ");
  const begins = words.findIndex((each) => asks.test(each.replace(/^[¿¡"'(]/, "")));
  const at = words.findIndex(
    (each, place) => begins >= 0 && place > begins + 1 && and.test(each) && asks.test(words[place + 1] ?? ""),
  );
  if (at < 0) return [sentence];
  const first = words.slice(0, at).join(" ").replace(/,$/, "");
  const second = words.slice(at + 1).join(" ") + sentence.slice(maxLength);
  const isTelling = [first, second].every((part) => !analyzeQuery(part).isOfFunctionWords);
  return isTelling ? [first, second] : [sentence];
};
