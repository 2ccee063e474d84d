import { analyzeQuery } from "../../text/analysis/analyze.ts";
import { scanText } from "../../text/analysis/document-terms.ts";
import { isUnspaced } from "../../text/language/fold.ts";

/**
 * Whether a question needs the conversation before it: it has a word that stands for something said before, goes on where
 * that ended ("and in winter?"), or has too few words of its own. In a language without a line here every question may.
 */
export const refersBack = (question: string): boolean => {
  const { terms } = analyzeQuery(question);
  const words = new Set(terms.map(({ word }) => word)).size;
  const isDense = terms.some(({ term }) => isUnspaced(term));
  if (words < (isDense ? minPairs : minWords)) return true;
  return goesOn(question, ({ begins, standsFor }, text) => begins.test(text) || standsFor.test(text)) ?? true;
};

/** Whether a question has a word that stands for something said before ("her", "it"). */
export const standsForEarlier = (question: string): boolean =>
  goesOn(question, ({ standsFor }, text) => standsFor.test(text)) ?? false;

/** Whether the words of a question's language do; null where they are not known. */
const goesOn = (question: string, does: (line: Line, text: string) => boolean): boolean | null => {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(question)) return japanese.test(question);
  if (/\p{Script=Han}/u.test(question)) return chinese.test(question);
  const text = ` ${(question.toLowerCase().match(/[\p{L}\p{N}\p{M}']+/gu) ?? []).join(" ")} `;
  const languages = /\p{Script=Cyrillic}/u.test(question) ? ["russian"] : scanText(question).languages;
  const lines = languages.map((language) => backward[language]);
  if (lines.length === 0 || lines.includes(undefined)) return null;
  return lines.some((each) => each !== undefined && does(each, text));
};

/** Fewer words of content are mostly a part of a question; of Chinese and Japanese, pairs of characters. */
const minWords = 4;
const minPairs = 7;

const japanese = /その|それ|これ|この|あれ|あの|彼|そこ|そちら|同じ|では|じゃ|他の|ほかの|も[？?。]?$/u;
const chinese = /[它他她这這那其该該]|呢[？?]?$|同样|同樣|另外|还有|還有|^(?:那么|那麼|如果|还|還)/u;

interface Line {
  begins: RegExp;
  standsFor: RegExp;
}

const line = (begins: string, standsFor: string): Line => ({
  begins: new RegExp(`^ (?:${begins}) `, "u"),
  standsFor: new RegExp(` (?:${standsFor}) `, "u"),
});

/** Words that begin a question that goes on, and words that stand for something said before. */
const backward: Readonly<Record<string, Line>> = {
  english: line(
    "and|but|or|so|then|also|what about|how about|what if|why not|why|same",
    "it|its|they|them|their|theirs|he|she|him|her|hers|his|this|that|these|those|then|one|ones|same|other|others|another|else|also|too|instead|former|latter|such|so|there(?! (?:a|an|any|some))|you said|above|previous",
  ),
  german: line(
    "und|aber|oder|dann|also|sonst|auch|warum|wieso|wie sieht es",
    "er|sie|ihn|ihm|ihr|ihre|ihrer|ihrem|ihren|sein|seine|seiner|seinem|seinen|dies|diese|dieser|dieses|diesem|diesen|jene|jener|jenes|das(?= (?:ist|gilt|auch|kostet|heißt|geht))|davon|dafür|damit|dazu|daran|darauf|darin|dabei|dagegen|dort|da|dann|derselbe|dieselbe|dasselbe|gleiche|gleichen|andere|anderen|anderer|sonst|auch|es(?<! gibt es)",
  ),
  french: line(
    "et|mais|ou|alors|donc|aussi|sinon|pourquoi",
    "elle|elles|lui|leur|leurs|son|sa|ses|ce|cet|cette|ces|cela|ça|celui|celle|ceux|celles|là|même|mêmes|autre|autres|aussi|ils",
  ),
  spanish: line(
    "y|e|pero|o|entonces|también|por qué",
    "él|ella|ellos|ellas|lo|le|les|su|sus|este|esta|esto|estos|estas|ese|esa|eso|esos|esas|aquel|aquella|aquello|ahí|allí|allá|mismo|misma|otro|otra|otros|otras|también",
  ),
  italian: line(
    "e|ed|ma|o|allora|quindi|anche|perché",
    "lui|lei|loro|esso|essa|lo|gli|suo|sua|suoi|sue|questo|questa|questi|queste|quello|quella|quelli|quelle|ciò|ne|lì|là|stesso|stessa|altro|altra|altri|altre|anche",
  ),
  portuguese: line(
    "e|mas|ou|então|também|por que|porquê",
    "ele|ela|eles|elas|seu|sua|seus|suas|lhe|este|esta|estes|estas|esse|essa|esses|essas|isso|isto|aquele|aquela|aquilo|lá|aí|ali|mesmo|mesma|outro|outra|outros|outras|também|dele|dela|deles|delas|nele|nela",
  ),
  dutch: line(
    "en|maar|of|dan|dus|ook|waarom",
    "hij|zij|ze|hem|haar|hun|dit|dat|deze|die|daar|daarvan|daarvoor|daarmee|ervan|ervoor|ermee|erop|er|dan|dezelfde|hetzelfde|andere|anderen|ook",
  ),
  polish: line(
    "a|i|ale|albo|lub|to|więc|też|dlaczego",
    "on|ona|ono|oni|one|jego|jej|ich|im|mu|go|ją|nim|nią|nich|ten|ta|to|te|ci|tego|tej|tych|tym|tam|wtedy|sam|sama|inny|inna|inne|też|także",
  ),
  russian: line(
    "а|и|но|или|тогда|значит|тоже|почему",
    "он|она|оно|они|его|её|ее|их|им|ему|ей|ним|ней|них|этот|эта|это|эти|этого|этой|этих|этом|этому|тот|та|то|те|того|том|там|тогда|такой|такая|же|тоже|также|другой|другая|другие",
  ),
  turkish: line(
    "ve|ama|peki|ya|veya|o zaman|neden|niçin",
    "o|onu|onun|ona|onda|ondan|onlar|onların|bu|bunu|bunun|buna|bunlar|bunların|şu|orada|oraya|oradan|aynı|diğer|başka",
  ),
};
