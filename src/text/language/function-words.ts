import { fold } from "./fold.ts";

/**
 * The most frequent function words, by language. They have two uses: to detect a text's language, and to leave words
 * without content out of a question. Some have content at times (`can`, `will`, `no`), but BM25 gives them little weight.
 */
const functionWords = {
  catalan:
    "a al als amb aquest aquesta com de del dels el els en entre era es està et ha hi i la les li més no o on per perquè però que qui quan quin quina quins quines s'ha seva són també un una unes uns va vam van és",
  czech:
    "a aby ale ani až bez by byl byla bylo být co či do i jak jako je jeho její jejich jen ještě již jsem jsou k kde kdo kdy když která které který ma mezi na nebo nejsou není o od po pod podle pro proč proti před při s se si tak také tedy to tohoto tom u v ve však z za ze že",
  danish:
    "af alle at blev blive da de deres det dig din du efter eller en end er et for fra få ham han hans har havde hende hun hvad hvem hvilke hvilken hvis hvor hvorfor hvordan hvornår i ikke ind jeg kan kunne man med mellem men meget mig min mod nogle nu når og også om op os over på sig sin som skal til ud under var ved vi vil være",
  dutch:
    "aan als bij dan dat de deze die dit door een en er geen had hebben heeft het hij hoe hoeveel hun ik in is je kan maar meer met mijn moet na naar niet nog of om omdat ons ook op over te tegen tot tussen uit u van veel voor waar waarom wanneer was wat we welk welke werd wie wij worden wordt ze zich zij zijn zoals zou",
  english:
    "a about after all am an and any are as at be because been before being but by can could did do does for from had has have having he her him his how i if in into is it its me more my no not of on or our she should so some such than that the their them then there these they this those to was we were what when where which while who whom whose why will with would you your",
  finnish:
    "ei eivät että hän ja jo joka jonka jos jossa joten kanssa kuin kuinka kun kuten mikä mitkä mitä mihin milloin missä miksi montako mukaan mutta myös ne niiden niin nyt näin oli olivat olla on ovat se sekä sen siitä sitä tai tämä tämän vaan vain voi voidaan",
  french:
    "a à ai au aussi aux avec c ce ces cet cette comme comment combien d dans de des du elle elles en entre est et été être il ils je l la le les leur leurs lors lui mais mon n ne nous on ont ou où par pas plus pour pourquoi qu quand que quel quelle quelles quels qui s sa sans se ses si son sont sur tous un une vous y",
  german:
    "aber alle als am an auch auf aus bei beim bis da das dass dem den der deren des dessen die dies diese dieser dieses doch durch ein eine einem einen einer eines einige er es für gab gibt haben hat hatte hatten hing hätte hätten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist kann können man manche mehr mein mit nach nicht noch nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind so sowie statt um und uns unser unsere unter viel viele vielen vom von vor wann war warum was welche welchem welchen welcher welches wem wen wenn wer werden weshalb wessen wie wieso wieviel wieviele wir wird wo wobei wodurch wofür wogegen woher wohin womit woran woraus worin worum worüber wozu wurde wurden während zu zum zur zwischen über",
  hungarian:
    "a az azt azok be csak de egy ez ezek ezt és ha hány hogy hogyan hol honnan is itt ki kell kik le lehet lesz meg mely melyik mert mi miért mikor milyen mint mit nagy nem nincs ő ők össze pedig s sem szerint után vagy van vannak volt voltak",
  indonesian:
    "ada adalah akan apa apakah atau bagaimana bagi bahwa banyak berapa bisa dalam dan dapat dari dengan di dia hanya harus ia ini itu jika juga kami kapan karena ke kepada lebih mana mengapa mereka oleh pada saat sebagai sebuah secara siapa saya sudah telah tentang tersebut tidak untuk yang",
  italian:
    "a ad al alla alle anche c che chi ci come con cosa cui d da dal dalla dei del della delle dello di dove e ed era erano gli ha hanno i il in l la le lo loro ma nel nella nelle non o per perché più qual quale quali quando quanta quante quanti quanto quella quello questa questo se si sia sono sua sul sulla suo su tra un una uno è",
  norwegian:
    "alle at av ble blir da de den denne der dere deres det dette du eller en enn er et etter for fra få ham han hans har hadde hun hva hvem hvilke hvilken hvis hvor hvorfor hvordan i ikke inn jeg kan kunne man med mellom men meg mot noe noen nå når og også om opp oss over på seg sin skal som til ut under var ved vi vil være",
  polish:
    "a aby ale bez będzie był była było były być by co czy dla do gdy gdzie go i ich ile im ja jak jaka jaki jakie jako je jego jej jest jeszcze jeśli już ich kiedy kogo która które którego której który których kto ma może na nad nie niż o od oraz po pod przed przez przy są się także tak tego tej to tylko tym w we więc wszystkie z za ze że",
  portuguese:
    "a ao aos as até com como da das de dela dele do dos e é ela elas ele eles em entre era esta este eu foi foram há isso já mais mas na nas não nem no nos o onde os ou para pela pelas pelo pelos por porque qual quais quando quantos quantas quem que se sem ser seu seus sua são também tem um uma você à às",
  romanian:
    "a ai al ale am ar are au avea ca care când cât câte câți ce cel cea cei cele cine cu cum da de din după ea ei el este eu fi fost iar în îi își la le lor lui mai nu o pe pentru prin sa sale sau să se sunt și său un unde unei unui va",
  spanish:
    "a al ante como cómo con contra cual cuál cuales cuáles cuando cuándo cuanto cuánto cuanta cuánta cuantos cuántos cuantas cuántas de del desde donde dónde durante e el él ella ellos en entre era es esta está este esto fue fueron ha han hasta hay la las le les lo los más me mi muy ni no nos o para pero por porque qué que quien quién quienes quiénes se ser si sin sobre son su sus también tan te tiene un una uno y ya yo",
  swedish:
    "alla att av blev bli de dem den denna deras dess det detta dig din du där efter ej eller en er ett från för få genom han hans har hade hon hur hända i icke in inte jag kan kunde man med mellan men mig min mot mycket ni när någon några och om oss på sig sin ska som så till under upp ut var vad varför vem vi vid vilka vilken vilket vill är över",
  turkish:
    "acaba ama ancak bana bazı ben bir biri biz bu çok çünkü da daha de değil diğer diye en gibi göre hangi hem hep her hiç için ile ise kaç kadar ki kim kimin mi mı mu mü nasıl ne neden nedir nerede ne o olan olarak oldu olduğu on onlar onun sonra şu tarafından var ve veya ya yani",
} as const;

/** Function words of languages in other scripts, where the script identifies the language. */
const wordsOfOtherScripts = [
  // Russian
  "а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё же за и из или им их к как какая какие какой каким каком каких какую какое ко когда кого кому который которая которое которые кто куда ли между меня мне может мы на над не него нее неё нет ни но о об он она они оно от откуда по под после почему при про с сколько со так также такое там то того тоже только том ты у уже чего чей чем чему что чтобы эта эти это этого этой этот я является",
  // Ukrainian
  "але або був була були було бути в вона вони він де для до за з зі із й його її їх коли котрий ми на не ні по при про скільки та так також те тому у це цей ця чи чому що щоб як яка який які якого якій яких є",
  // Bulgarian
  "без беше в във да до за и из или имат как какво какви какъв каква кога кои кой коя която които който колко към ли между на най не но от по при с са се след със това тази този тези че защо къде",
  // Greek
  "από αυτή αυτό για δεν είναι ήταν η θα και κατά με μετά μια να ο οι όπου όταν πόσα πόσο πόσοι ποια ποιο ποιοι ποιος που πού πότε πως πώς σε στη στην στο στον τα τη την της τι τις το τον του τους των ως γιατί",
  // Arabic
  "أن أو أي أين إلى التي الذي الذين إن في كان كانت كم كما كيف لا لم لماذا ما ماذا متى مع من منذ هذا هذه هل هو هي و على عن عند قد بعد بين",
  // Hindi
  "और इस इसके उस उसके एक कब कहाँ कहां का कि किस किसने किसे की के को कौन कौनसा क्या क्यों कितना कितनी कितने कैसे जब जो तक था थी थे द्वारा ने पर भी में यह ये वह वे से हैं है ही हुआ हुई हो होता होती होते",
] as const;

/** All of them in one list: a word of one script is never a word of another. */
const otherScriptFunctionWords: readonly string[] = wordsOfOtherScripts.join(" ").split(" ");

/** Question words of languages written without spaces: removed from a question before its characters are paired. */
export const denseQuestionWords =
  /为什么|什么|多少|哪个|哪些|哪里|哪儿|哪一|哪种|哪位|哪年|如何|怎么|怎样|是谁|何时|吗|呢|為什麼|什麼|哪裡|怎麼|何ですか|ですか|ますか|でしたか|ましたか|なぜ|どこ|どの|どのように|どう|いつ|いくつ|だれ|誰|とは何|무엇|어디|언제|누구|어떻게|얼마나|어떤|อะไร|ที่ไหน|เมื่อไร|เมื่อไหร่|ใคร|ทำไม|อย่างไร|เท่าไร|เท่าไหร่|กี่|ไหน/gu;

export type LatinLanguage = keyof typeof functionWords;

export const latinLanguages = Object.keys(functionWords) as LatinLanguage[];

/** The languages of each folded function word, as indexes into `latinLanguages`. */
const languagesOfWord = new Map<string, number[]>();
for (const [index, language] of latinLanguages.entries()) {
  for (const word of new Set(functionWords[language].split(" ").map((entry) => fold(entry)))) {
    const known = languagesOfWord.get(word);
    if (known === undefined) languagesOfWord.set(word, [index]);
    else known.push(index);
  }
}

const ofOtherScripts: ReadonlySet<string> = new Set(otherScriptFunctionWords.map((word) => fold(word)));

/** Counts function words to tell which language a text in Latin letters is in. */
interface LanguageCounter {
  /** @param folded lower-case, folded word */
  see(folded: string): void;
  /** The likeliest languages: one, several with about the same count, or none if no function word was seen. */
  likeliest(): LatinLanguage[];
}

/** Languages with at least this part of the highest count are likely too. */
const minCountShare = 0.8;

export const createLanguageCounter = (): LanguageCounter => {
  const counts = new Float64Array(latinLanguages.length);
  return {
    see(folded) {
      const languages = languagesOfWord.get(folded);
      // A word that many languages share counts less.
      if (languages !== undefined)
        for (const index of languages) counts[index] = (counts[index] ?? 0) + 1 + 1 / languages.length;
    },
    likeliest() {
      const best = Math.max(...counts);
      return best === 0 ? [] : latinLanguages.filter((_, index) => (counts[index] ?? 0) >= best * minCountShare);
    },
  };
};

/** True where the word is a function word of a language in Latin letters. */
export const isFunctionWordOfAny = (folded: string): boolean => languagesOfWord.has(folded);

/** Contractions as people type them in English: they tell no language, since the lists above decide how documents are analyzed. */
const contractions: ReadonlySet<string> = new Set(
  "whats whos wheres whens hows thats theres dont doesnt didnt isnt arent wasnt cant im ive".split(" "),
);

/** True where the word is a function word of any of the languages, or of one in another script. */
export const isFunctionWord = (folded: string, languages: readonly LatinLanguage[]): boolean => {
  if (ofOtherScripts.has(folded)) return true;
  if (contractions.has(folded) && languages.includes("english")) return true;
  const owners = languagesOfWord.get(folded);
  return owners?.some((index) => languages.includes(latinLanguages[index] as LatinLanguage)) ?? false;
};
