import { fold } from "../../text/language/fold.ts";
import type { LatinLanguage } from "../../text/language/function-words.ts";
import { markedForm } from "../../text/language/vietnamese.ts";
import { namesCode, type QuestionText } from "./question-text.ts";

/**
 * Words that ask, beside those the search leaves out as function words. Statements hardly contain them: as words of the
 * question they would make the gate believe that the documents lack what is asked for.
 */
const ofLatinLanguage: Partial<Record<LatinLanguage, string>> = {
  catalan: "quant quanta quants quantes on",
  czech:
    "kým čím čemu čeho komu koho kolik jaký jaká jaké jakou jakého jakým jakých kterou kterého kterém kterým kterých",
  danish: "hvis hvor hvorledes hvad hvilken hvordan",
  dutch: "wiens welke hoeveel hoelang waarvoor waarmee waarin waaruit waarvan",
  english: "purpose",
  finnish:
    "kuka ketkä kenen ketä kenelle minkä mitkä millainen millaisia mistä minne millä miten montako paljonko minkälainen",
  french: "combien laquelle lequel lesquels lesquelles duquel auquel",
  german: "inwiefern wieweit wessen welcherlei worauf wonach",
  hungarian:
    "kit kinek kivel mik miket minek mire miben mivel melyek melyiket hányan hányat mennyi mennyit milyenek meddig hová hányadik mettől mióta",
  indonesian: "siapakah apakah berapakah manakah dimana dimanakah kemana darimana bagaimanakah kapankah mengapakah",
  italian: "quanta quante quanto chi cosa quale",
  norwegian: "hvis hvorledes hvilke hvilket hva",
  polish:
    "kim czym czemu czego komu ilu jakich jakim jaką jakiego jakiej jakimi którym którą którzy których którymi skąd dokąd dlaczego",
  portuguese: "quanta quantas quanto aonde",
  romanian: "cui cărui cărei căror câtă câte câți încotro",
  spanish: "adónde cuya cuyo cuanta",
  swedish: "vems hurdan varifrån vart",
  turkish:
    "kimdir kimi kime kimler kimlerdir kiminle kimlerin hangisi hangisidir hangileri nelerdir neler neye neyi neyin neyle nereye nereden neresi neresidir nerededir nereli kaçı kaçıncı kaçtır kaça niçin niye midir mıdır mudur müdür neydi",
};

/** Each is several words of one syllable; "ai" is a word of other languages too, so that these count in Vietnamese alone. */
const vietnamese = "ai bao nhiêu gì nào đâu mấy sao hả thế tại";

/** Of languages whose script is not Latin and has spaces. */
const ofOtherScripts = [
  // Russian, Ukrainian, Bulgarian, Serbian, Belarusian
  "какого какому какую какими какова каков каковы кому кем чем чему чём чья чьё чьи чьей чьего которого которой которым насколько зачем отчего почему сколькими скольких",
  "яка яке якої якому якою яким яких якими якій кого кому ким чого чому чим скільки навіщо звідки куди",
  "каква какви какъв коя кое кои кого чий чия чие чии колко докъде откъде",
  "ко шта која које који коју ког кога коме колико зашто како где када чији чија чије",
  // Greek
  "ποιον ποιαν ποιους ποιες ποιων ποιας ποιου πόση πόσης πόσες πόσους πόσων τίνος γιατί ποιά ποιό",
  // Arabic, Persian, Urdu
  "أية أيّ وما فيم مم مما ممن بماذا بكم لمن فيما كم بمن علام",
  "چه چی کی که کجا چرا چگونه چند کدام چیست کیست چطور آیا چقدر کدامند",
  "کیا کون کہاں کب کیوں کیسے کتنے کتنی کتنا کس کسے کونسا کونسی کن",
  // Hebrew
  "מה מי איפה מתי למה מדוע איך כיצד כמה איזה איזו אילו היכן האם מהו מהי מהם מיהו לאן מאין",
  // Hindi, Bengali, Tamil
  "किन किनके किसका किसकी किसके किससे किसमें किसको किसलिए कौनसी कौनसे कहाँ कैसी कैसा कितनों",
  "কী কি কে কোথায় কখন কেন কিভাবে কীভাবে কত কোন কার কাকে কয়টি কতটি কারা",
  "என்ன யார் எங்கே எங்கு எப்போது ஏன் எப்படி எத்தனை எந்த எவ்வளவு எது எவை யாருடைய",
  // Georgian, Armenian
  "რა ვინ სად როდის რატომ როგორ რამდენი რომელი ვის რას",
  "ինչ ով որտեղ երբ ինչու ինչպես քանի որը ում որքան",
].join(" ");

/** Segments of scripts without spaces, as ICU's dictionaries cut them. */
const segments =
  "何 何人 何年 何か 何の 何が 何を 誰 誰が どれ どんな どこ どの いくら いくつ なに 哪 哪些 哪个 哪里 谁 几 几个 啥 何 何种 何處 多少 什么 誰 幾 ใด ไหน อะไร ใคร กี่ เท่าใด เมื่อใด ผู้ใด อย่างไร ทำไม ไร เหตุใด អ្វី ណា នរណា ប៉ុន្មាន ហេតុអ្វី ອັນໃດ ໃຜ ໃສ ဘာ ဘယ် ဘယ်သူ";

const foldedSet = (words: string): ReadonlySet<string> => new Set(words.split(" ").map((word) => fold(word)));
const latin = new Map(
  Object.entries(ofLatinLanguage).map(([language, words]) => [language as LatinLanguage, foldedSet(words)]),
);
const vietnameseTerms: ReadonlySet<string> = new Set(vietnamese.split(" ").map(markedForm));
const others = foldedSet(ofOtherScripts);
const dense: ReadonlySet<string> = new Set(segments.split(" "));

/** Whether a segment of a script without spaces asks. */
export const isAskingSegment = (segment: string): boolean => dense.has(segment);

/**
 * What questions call the names in a program by: the program itself declares these by a keyword, or by none, so that it would
 * seem to lack the word.
 */
const kindsOfCode = foldedSet(
  "method methods function functions class classes struct structs enum enums interface instance constructor parameter parameters argument arguments variable field property attribute constant macro template module namespace code",
);

/** Whether a term of a question only asks. @param texts of the question, by which its language is told */
export const askingTerms = (texts: readonly QuestionText[]): ((term: string) => boolean) => {
  const sets: ReadonlySet<string>[] = [others];
  if (texts.some(namesCode)) sets.push(kindsOfCode);
  for (const { languages, isVietnamese } of texts) {
    if (isVietnamese) sets.push(vietnameseTerms);
    for (const language of languages) sets.push(latin.get(language) ?? others);
  }
  return (term) => sets.some((set) => set.has(term));
};
