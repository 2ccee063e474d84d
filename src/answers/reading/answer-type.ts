import { namesMonth } from "../../text/dates.ts";
import { measuresOf } from "../../text/measures.ts";

/**
 * What kind of thing answers a question, and whether a passage has one. Words of the question may all stand in a sentence that
 * has no amount, no time, no name: then it is near the answer, and not the answer.
 */

const types = {
  /** How many of something: a number beside that thing. */
  count: {
    asks: /\bhow many\b|\bnumber of\b|\bwie ?viele\b|\banzahl\b|\bcombien d[e']|\bnombre de\b|\bcu[aá]nt[oa]s\b|\bquant[ie]\b|\bquant[oa]s\b|\bhoeveel\b|\bilu?\b|\bliczba\b|сколько|\bkaç\b|几个|几位|多少[个人名位本种]|いくつ|何人|何[個件本台枚]/,
    has: /\p{Nd}|\b(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|none|both|kein|keine|ein|eine|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dois|duas|três|quatro|oito|dez|twee|drie|vijf|zes|zeven|negen|tien|dwa|dwie|trzy|cztery|pięć|sześć|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|on)\b|[一二两三四五六七八九十百千]|(?:дв[ае]|три|четыре|пять|шесть|семь|восемь|девять|десять)/iu,
  },
  /** How long, wide, heavy, old: an amount. */
  measure: {
    asks: /\bhow (?:long|wide|tall|high|deep|heavy|big|large|far|fast|old|hot|cold|thick|often|loud|strong|much does .{0,60}weigh)\b|\bwie (?:lange?|breit|hoch|tief|schwer|gro(?:ß|ss)|weit|schnell|alt|heiß|kalt|dick|oft|laut)\b|\bwie ?viel wiegt\b|\bcombien (?:de temps|pèse)\b|\bhoeveel weegt\b|\bile waży\b|\bquelle est la (?:taille|largeur|hauteur|longueur|durée|température)\b|\bcu[aá]nto (?:mide|pesa|dura|tiempo|tarda)\b|\bquanto (?:pesa|misura|dura|è (?:largo|lungo|alto)|tempo|mede)\b|\bhoe (?:lang|breed|hoog|diep|zwaar|groot|ver|snel|oud|warm|vaak)\b|\bjak (?:długo|daleko|często|szybko|ciężki|wysoki)\b|как (?:долго|далеко|часто)|сколько (?:весит|длится|времени)|多[长长宽高重深远大久]|どのくらい|何(?:度|キロ|メートル|センチ|分|時間)/,
    has: /(?<![\p{L}\p{Nd}-])\p{Nd}|\b(?:half|one|two|three|four|five|six|seven|eight|nine|ten|twelve|daily|weekly|monthly|yearly|annually|once|twice|always|every|hourly|einmal|zweimal|täglich|wöchentlich|monatlich|jährlich|jede[nsmr]?|ein|eine|einen|zwei|drei|vier|fünf|sechs|acht|zehn|zwölf|un|une|deux|trois|quatre|cinq|six|huit|dix|chaque|dos|tres|cuatro|cinco|seis|ocho|diez|cada|due|tre|quattro|cinque|sei|otto|dieci|ogni|dois|duas|três|quatro|oito|dez|een|twee|drie|vier|vijf|zes|acht|tien|elke|dwa|trzy|cztery|pięć|sześć|co|raz)\b|[一二两三四五六七八九十百每半]|毎|дв[ае]|три|четыре|пять|шесть|кажд|раз/iu,
  },
  money: {
    asks: /\bhow much (?:do|does|did|is|are|was|were|will|money|would|must|should|can)\b|\bwhat (?:do|does|did|is|are|was) .{0,60}\bcosts?\b|\b(?:price|fee|cost|salary|rent|deposit|fare|budget|fine|earn|pay|paid) (?:of|for|is)\b|\bearns?\b|\bsalary\b|\bverdien(?:t|st|en|te)\b|\bgagne(?:nt)?\b|\bgana(?:n)?\b|\bguadagn\w{1,4}\b|зарабатыва|\bwas kostet|\bwas kosten|\bwie ?viel kostet|\bwie teuer\b|\bwie hoch ist (?:die|der) (?:miete|preis|gebühr|kaution|beitrag)|\bcombien coûte|\bquel est le prix\b|\bcu[aá]nto (?:cuesta|cuestan|vale|cobra)|\bquanto (?:costa|costano|custa|custam)\b|\bhoeveel kost|\bwat kost|\bile kosztuje|сколько стоит|сколько стоят|\bne kadar(?:dır)?\b.{0,20}\b(?:fiyat|ücret)|多少钱|いくら/,
    has: /[€$£¥₽₺₩₹]|\p{Nd}\s?(?:zł|tl|kr|fr)\b|\b(?:euros?|eur|cents?|pounds?|pence|dollars?|usd|gbp|chf|pln|francs?|franken|crowns?|kronen|kroner|kronor|reais|pesos?|złotych|lir[ae]|yen|rubles?|free|gratis|kostenlos|umsonst|gratuite?|gratuito|gratuita|bezpłatnie|ücretsiz)\b|рубл|бесплатн|евро|元|免费|円|無料|ユーロ|欧元/iu,
  },
  time: {
    asks: /\bwhen\b|\b(?:what|which) (?:time|date|day|year|month)\b|\buntil when\b|\bsince when\b|\bhow (?:old|recent|current|up to date|long ago)\b|\bwann\b|\bum wie ?viel uhr\b|\bwelche[nmrs]? (?:tag|datum|jahr|uhrzeit|monat)\b|\bquand\b|\bà quelle heure\b|\bquelle (?:date|heure|année)\b|\bquel (?:jour|mois)\b|\bcu[aá]ndo\b|\ba qué hora\b|\bqué (?:día|fecha|año)\b|\bquando\b|\ba che ora\b|\bche (?:giorno|anno|data)\b|\ba que horas\b|\bque (?:dia|data|ano)\b|\bwanneer\b|\bhoe laat\b|\bwelke (?:dag|datum)\b|\bkiedy\b|\bo której\b|\bw którym roku\b|когда|во сколько|в каком году|какого числа|\bne zaman\b|\bsaat kaçta\b|\bhangi (?:gün|tarih|yıl)|什么时候|何时|几点|哪一?[天年日]|いつ|何時|何日|何年/,
    has: /\p{Nd}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|dwie|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć|twee|drie|vijf|zes|zeven|negen|tien|twaalf|üç|dört|beş|altı|yedi|sekiz|dokuz|monday|tuesday|wednesday|thursday|friday|saturday|sunday|daily|weekly|always|never|noon|midnight|morning|evening|week(?:s|ly|ends?)?|months?|years?|days?|today|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|täglich|wöchentlich|immer|nie|mittags?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda|terça|quarta|quinta|sexta|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar|poniedziałe?k|wtorek|środ[aę]|czwartek|piątek|sobot[aę]|niedziel[aę])\b|понедельник|вторник|сред[уаы]|четверг|пятниц|суббот|воскресень|周[一二三四五六日末天]|星期|每[天日周月年]|[月火水木金土日]曜|毎[日週月年]/iu,
  },
  person: {
    asks: /\bwho(?:se|m)?\b|\bwer\b|\bwem\b|\bwen\b|\bwessen\b|\bqui (?:est|sont|a|ont|était|dirige|doit|peut)\b|\bquién(?:es)?\b|\bchi\b|\bquem\b|\bwie (?:is|zijn|heeft|was|moet|mag)\b|\bkto\b|\bkim(?:dir|in|ler)?\b|кто|кому|чей|谁|誰/,
    has: /\p{Lu}[\p{L}\p{M}'’.-]+ (?:(?:van|von|de|der|di|da|del|la|le|bin|al|el) ){0,2}\p{Lu}[\p{L}\p{M}'’.-]+|\b(?:by|von|par|por|door|przez|av) \p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+ \(\p{Ll}|\b(?:Mr|Mrs|Ms|Dr|Prof|Herr|Herrn|Frau|Mme|M\.|Sr|Sra|Sig|Signora?|Dhr|Mevr|Pan|Pani|Bay|Bayan|Sir|Aunt|Uncle|Tante|Onkel)\.? \p{Lu}|\b(?:members?|staff|owners?|tenants?|customers?|employees?|everyone|everybody|nobody|all|mieter|vermieter|mitglieder|alle|jeder|niemand|kunde|kunden|tous|personne|locataire|todos|nadie|tutti|nessuno|todos|ninguém|iedereen|niemand|wszyscy|nikt|herkes|kimse)\b|все|никто|кажд|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  },
  email: {
    asks: /\be-?mail(?: address)?\b|\bmail ?adresse\b|\badresse (?:e-?mail|électronique)\b|\bcorreo(?: electrónico)?\b|\bindirizzo e-?mail\b|электронн\S+ почт|邮箱|电子邮件|メールアドレス/,
    has: /[^\s@]+@[^\s@]+\.\p{L}{2,}/u,
  },
  phone: {
    asks: /\b(?:tele)?phone(?: number)?\b|\btelefon(?:nummer)?\b|\b(?:num[ée]ro de )?téléphone\b|\b(?:n[úu]mero de )?teléfono\b|\b(?:numero di )?telefono\b|\b(?:número de )?telefone\b|\btelefoonnummer\b|\bnumer telefonu\b|(?:номер )?телефон\p{L}*|电话|電話/u,
    has: /(?:(?<!\p{Nd}|(?:n°|nº|no\.|nr\.?|#) ?)\+?\p{Nd}[\p{Nd} ()/.-]{5,}\p{Nd}|\b(?:tel|phone|fon)\p{L}{0,8}[.:]{0,2} ?\p{Nd}{3,}|\bext(?:ension|\.)? ?\p{Nd}{2,})/u,
  },
  code: {
    asks: /\b(?:part|article|item|order|reference|serial|account|customer|invoice|room|contract) (?:number|no|nummer|code)\b|\biban\b|\bpassword\b|\bpasswort\b|\b(?:artikel|teile|bestell|konto|kunden|rechnungs)nummer\b|\bto which account\b|\bnuméro de\b|\bnúmero de\b|\bnumero di\b/,
    has: /\p{Nd}/u,
  },
} as const;

export type AnswerType = keyof typeof types;

/** What kinds of things answer a question; none for most questions. */
export const answerTypesOf = (question: string): AnswerType[] => {
  const lower = question.toLowerCase().slice(0, 600);
  const asked = (Object.keys(types) as AnswerType[]).filter((type) => types[type].asks.test(lower));
  // "Who paid for it?" is answered by a name, not by an amount, and "quanto costa" by an amount, not by a count.
  const other = asked.includes("person") ? "money" : asked.includes("money") ? "count" : null;
  return asked.filter((type) => type !== other);
};

/** The words by which a question names the thing that it asks for: "phone number" of "the phone number of the vet". */
export const wordsOfType = (type: AnswerType, question: string): string =>
  type === "phone" || type === "email" ? (types[type].asks.exec(question.toLowerCase().slice(0, 600))?.[0] ?? "") : "";

/** The thing of which an amount is asked ("how much salt"), and those for whom ("the dose for children"). */
const demanded =
  /(?<![\p{L}\p{M}])(?:how (?:much|many)|wie ?viele?|combien de|cu[aá]nt[oa]s?|quant[oaie]s?|hoeveel|ile|сколько|kaç|ne kadar|for|für|pour les|para(?: los| las| os| as)?|per(?: i| gli| le)?|voor|dla|для|combien d(?=['’]))[ '’]([\p{L}\p{M}]{4,40})/gu;

/**
 * Words that a passage must have to answer: without them it tells the amount of another thing, or what holds for others. Words
 * of measures and money are none: "how much time".
 */
export const wordsDemanded = (question: string): string => {
  const found = [...question.toLowerCase().slice(0, 600).matchAll(demanded)].map(([, word]) => word ?? "");
  return found.filter((word) => measuresOf(word).length === 0 && !ofAmounts.test(word)).join(" ");
};

const ofAmounts =
  /^(?:time|zeit|temps|tiempo|tempo|tijd|czasu|времени|zaman|money|geld|argent|dinero|soldi|denaro|dinheiro|pieniędzy|денег|para)$/u;

/** A sentence says what it says in so many characters. */
const maxPassageCharacters = 1_000;

/** Whether a passage has a thing of a kind that the question does not name itself. */
export const hasAnswerOf = (type: AnswerType, passage: string): boolean => {
  const text = passage.slice(0, maxPassageCharacters);
  return types[type].has.test(text) || (type === "time" && namesMonth(text));
};
