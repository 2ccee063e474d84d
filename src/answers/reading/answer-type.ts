import { analyzeQuery } from "../../text/analysis/analyze.ts";
import { namesMonth } from "../../text/dates.ts";
import { measuresOf } from "../../text/measures.ts";

/**
 * What kind of thing answers a question, and whether a passage has one. Words of the question may all stand in a sentence that
 * has no amount, no time, no name: then it is near the answer, and not the answer.
 */

const types = {
  /** How many of something: a number beside that thing. */
  count: {
    asks: /(?<!\p{L})how many(?!\p{L})|(?<!\p{L})number of(?!\p{L})|(?<!\p{L})wie ?viele(?!\p{L})|(?<!\p{L})anzahl(?!\p{L})|(?<!\p{L})combien d[e']|(?<!\p{L})nombre de(?!\p{L})|(?<!\p{L})cu[aá]nt[oa]s(?!\p{L})|(?<!\p{L})quant[ie](?!\p{L})|(?<!\p{L})quant[oa]s(?!\p{L})|(?<!\p{L})hoeveel(?!\p{L})|(?<!\p{L})ilu?(?!\p{L})|(?<!\p{L})liczba(?!\p{L})|сколько|(?<!\p{L})(?:hur många|hvor mange|antal|kuinka monta|montako)(?!\p{L})|(?<!\p{L})kaç(?!\p{L})|几个|几位|多少[个人名位本种]|いくつ|何人|何[個件本台枚]/u,
    has: /\p{Nd}|(?<!\p{L})(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|none|both|kein|keine|ein|eine|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dois|duas|três|quatro|oito|dez|twee|drie|vijf|zes|zeven|negen|tien|dwa|dwie|trzy|cztery|pięć|sześć|två|fyra|fem|sju|åtta|nio|tio|fire|syv|otte|ni|ti|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|on)(?!\p{L})|[一二两三四五六七八九十百千]|(?:дв[ае]|три|четыре|пять|шесть|семь|восемь|девять|десять)/iu,
  },
  /** How long, wide, heavy, old: an amount. */
  measure: {
    asks: /(?<!\p{L})how (?:long|wide|tall|high|deep|heavy|big|large|far|fast|old|hot|cold|thick|often|loud|strong|much .{1,60}weigh)(?!\p{L})|(?<!\p{L})wie (?:lange?|breit|hoch|tief|schwer|gro(?:ß|ss)|weit|schnell|alt|heiß|kalt|dick|oft|laut)(?!\p{L})|(?<!\p{L})wie ?viel .{0,60}(?:wiegt|wiegen)(?!\p{L})|(?<!\p{L})combien (?:de temps|pèse)(?!\p{L})|(?<!\p{L})hoeveel weegt(?!\p{L})|(?<!\p{L})ile waży(?!\p{L})|(?<!\p{L})quelle est la (?:taille|largeur|hauteur|longueur|durée|température)(?!\p{L})|(?<!\p{L})cu[aá]nto (?:mide|pesa|dura|tiempo|tarda)(?!\p{L})|(?<!\p{L})quanto (?:pesa|misura|dura|è (?:largo|lungo|alto)|tempo|mede)(?!\p{L})|(?<!\p{L})hoe (?:lang|breed|hoog|diep|zwaar|groot|ver|snel|oud|warm|vaak)(?!\p{L})|(?<!\p{L})jak (?:długo|daleko|często|szybko|ciężki|wysoki)(?!\p{L})|(?<!\p{L})(?:hur|hvor) (?:länge|lång[at]?|bred|hög|djup|tung|stor|gammal|ofta|snabb|varm|mycket väger|længe|langt|høj|høy|dyb|gammel|ofte|hurtig|lenge|meget vejer|mye veier)(?!\p{L})|(?<!\p{L})kuinka (?:kauan|pitkä|korkea|painava|iso|usein|vanha)(?!\p{L})|как (?:долго|далеко|часто)|сколько (?:\S+ ){0,4}(?:вес|длится|времени)|多[长长宽高重深远大久]|どのくらい|何(?:度|キロ|メートル|センチ|分|時間)/u,
    has: /(?<![\p{L}\p{Nd}-])\p{Nd}|(?<!\p{L})(?:half|one|two|three|four|five|six|seven|eight|nine|ten|twelve|daily|weekly|monthly|yearly|annually|once|twice|always|every|hourly|einmal|zweimal|täglich|wöchentlich|monatlich|jährlich|jede[nsmr]?|ein|eine|einen|zwei|drei|vier|fünf|sechs|acht|zehn|zwölf|un|une|deux|trois|quatre|cinq|six|huit|dix|chaque|dos|tres|cuatro|cinco|seis|ocho|diez|cada|due|tre|quattro|cinque|sei|otto|dieci|ogni|dois|duas|três|quatro|oito|dez|een|twee|drie|vier|vijf|zes|acht|tien|elke|två|tre|fyra|fem|sju|åtta|nio|tio|fire|syv|otte|varje|hver|dwa|trzy|cztery|pięć|sześć|co|raz)(?!\p{L})|[一二两三四五六七八九十百每半]|毎|дв[ае]|три|четыре|пять|шесть|кажд|раз/iu,
  },
  money: {
    asks: /(?<!\p{L})how much (?:do|does|did|is|are|was|were|will|money|would|must|should|can)(?!\p{L})|(?<!\p{L})what (?:do|does|did|is|are|was) .{0,60}(?<!\p{L})costs?(?!\p{L})|(?<!\p{L})(?:(?:le|du) montant|(?:der|den) betrag|(?:el|del) importe|(?:l'|dell')importo|het bedrag|kwota|сумма)(?!\p{L})|(?<!\p{L})(?:price|fee|cost|salary|rent|deposit|fare|budget|fine|earn|pay|paid) (?:of|for|is)(?!\p{L})|(?<!\p{L})earns?(?!\p{L})|(?<!\p{L})salary(?!\p{L})|(?<!\p{L})verdien(?:t|st|en|te)(?!\p{L})|(?<!\p{L})gagne(?:nt)?(?!\p{L})|(?<!\p{L})gana(?:n)?(?!\p{L})|(?<!\p{L})guadagn\w{1,4}(?!\p{L})|зарабатыва|(?<!\p{L})was kostet|(?<!\p{L})was kosten|(?<!\p{L})wie ?viel kostet|(?<!\p{L})wie teuer(?!\p{L})|(?<!\p{L})wie hoch ist (?:die|der) (?:miete|preis|gebühr|kaution|beitrag)|(?<!\p{L})combien coûte|(?<!\p{L})quel est le prix(?!\p{L})|(?<!\p{L})cu[aá]nto (?:cuesta|cuestan|vale|cobra)|(?<!\p{L})quanto (?:costa|costano|custa|custam)(?!\p{L})|(?<!\p{L})hoeveel kost|(?<!\p{L})wat kost|(?<!\p{L})ile kosztuje|(?<!\p{L})(?:vad|hvad|hva|hur mycket|hvor meget|hvor mye) kost(?:ar|er)(?!\p{L})|(?<!\p{L})(?:paljonko|mitä)(?: \S+)? maksaa|сколько (?:\S+ )?сто[ия]т|(?<!\p{L})ne kadar(?:dır)?(?!\p{L}).{0,20}(?<!\p{L})(?:fiyat|ücret)|多少钱|いくら/u,
    has: /[€$£¥₽₺₩₹]|\p{Nd}\s?(?:zł|tl|kr|fr)(?!\p{L})|(?<!\p{L})(?:euros?|eur|cents?|pounds?|pence|dollars?|usd|gbp|chf|pln|francs?|franken|crowns?|kronen|kroner|kronor|reais|pesos?|złotych|lir[ae]|yen|rubles?|free|gratis|kostenlos|umsonst|gratuite?|gratuito|gratuita|bezpłatnie|ücretsiz)(?!\p{L})|рубл|бесплатн|евро|元|免费|円|無料|ユーロ|欧元/iu,
  },
  time: {
    asks: /(?<!\p{L})when(?!\p{L})|(?<!\p{L})(?:what|which) (?:time|date|day|year|month)(?!\p{L})|(?<!\p{L})until when(?!\p{L})|(?<!\p{L})since when(?!\p{L})|(?<!\p{L})how (?:old|recent|current|up to date|long ago)(?!\p{L})|(?<!\p{L})wann(?!\p{L})|(?<!\p{L})um wie ?viel uhr(?!\p{L})|(?<!\p{L})welche[nmrs]? (?:tag|datum|jahr|uhrzeit|monat)(?!\p{L})|(?<!\p{L})quand(?!\p{L})|(?<!\p{L})à quelle heure(?!\p{L})|(?<!\p{L})quelle (?:date|heure|année)(?!\p{L})|(?<!\p{L})quel (?:jour|mois)(?!\p{L})|(?<!\p{L})cu[aá]ndo(?!\p{L})|(?<!\p{L})a qué hora(?!\p{L})|(?<!\p{L})qué (?:día|fecha|año)(?!\p{L})|(?<!\p{L})quando(?!\p{L})|(?<!\p{L})a che ora(?!\p{L})|(?<!\p{L})che (?:giorno|anno|data)(?!\p{L})|(?<!\p{L})a que horas(?!\p{L})|(?<!\p{L})que (?:dia|data|ano)(?!\p{L})|(?<!\p{L})wanneer(?!\p{L})|(?<!\p{L})hoe laat(?!\p{L})|(?<!\p{L})welke (?:dag|datum)(?!\p{L})|(?<!\p{L})kiedy(?!\p{L})|(?<!\p{L})o której(?!\p{L})|(?<!\p{L})w którym roku(?!\p{L})|(?<!\p{L})(?:när|vilken (?:dag|tid|månad)|hur dags|hvornår|hvilken (?:dag|dato)|hva(?:d)? tid|milloin)(?!\p{L})|когда|во сколько|в каком году|какого числа|(?<!\p{L})ne zaman(?!\p{L})|(?<!\p{L})saat kaçta(?!\p{L})|(?<!\p{L})hangi (?:gün|tarih|yıl)|什么时候|何时|几点|哪一?[天年日]|いつ|何時|何日|何年/u,
    has: /\p{Nd}|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|dwie|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć|två|fyra|fem|sju|åtta|nio|tio|fire|syv|otte|(?:m[åa]n|ti[rs]s?|ons|tors|fre|l[öø]r|s[öø]n)dag(?:ar|er)?|twee|drie|vijf|zes|zeven|negen|tien|twaalf|üç|dört|beş|altı|yedi|sekiz|dokuz|monday|tuesday|wednesday|thursday|friday|saturday|sunday|daily|weekly|always|never|noon|midnight|morning|evening|week(?:s|ly|ends?)?|months?|years?|days?|today|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|täglich|wöchentlich|immer|nie|mittags?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda|terça|quarta|quinta|sexta|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar|poniedziałe?k|wtorek|środ[aę]|czwartek|piątek|sobot[aę]|niedziel[aę])(?!\p{L})|понедельник|вторник|сред[уаы]|четверг|пятниц|суббот|воскресень|周[一二三四五六日末天]|星期|每[天日周月年]|[月火水木金土日]曜|毎[日週月年]/iu,
  },
  person: {
    asks: /(?<!\p{L})(?:what(?:'s|’s| is| are) the names? of|wie hei(?:ß|ss)(?:t|en)|comment s['’]appelle(?:nt)?|cómo se llaman?|come si chiama(?:no)?|como se chamam?|hoe he(?:et|ten)|vad heter|hvad hedder|hva heter|как зовут)(?!\p{L})|叫什么|(?<!\p{L})who(?:se|m)?(?!\p{L})|(?<!\p{L})wer(?!\p{L})|(?<!\p{L})wem(?!\p{L})|(?<!\p{L})wen(?!\p{L})|(?<!\p{L})wessen(?!\p{L})|(?<!\p{L})qui (?:est|sont|a|ont|était|dirige|doit|peut)(?!\p{L})|(?<!\p{L})quién(?:es)?(?!\p{L})|(?<!\p{L})chi(?!\p{L})|(?<!\p{L})quem(?!\p{L})|(?<!\p{L})wie (?:is|zijn|heeft|was|moet|mag)(?!\p{L})|(?<!\p{L})kto(?!\p{L})|(?<!\p{L})kim(?:dir|in|ler)?(?!\p{L})|(?<!\p{L})(?:vem|vems|hvem|kuka|ketkä|kenen)(?!\p{L})|кто|кому|чей|谁|誰/u,
    has: /(?:\p{Lu}\.|\p{Lu}[\p{L}\p{M}'’-]+) (?:(?:van|von|de|der|di|da|del|la|le|bin|al|el) ){0,2}\p{Lu}[\p{L}\p{M}'’.-]+|(?<!\p{L})(?:by|von|par|por|door|przez|av) \p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+ \(\p{Ll}|[;|\t] ?\p{Lu}\p{Ll}+ ?(?=[;|\t])|(?<!\p{L})(?:Mr|Mrs|Ms|Dr|Prof|Herr|Herrn|Frau|Mme|M\.|Sr|Sra|Sig|Signora?|Dhr|Mevr|Pan|Pani|Bay|Bayan|Sir|Aunt|Uncle|Tante|Onkel)\.? \p{Lu}|(?<!\p{L})(?:members?|staff|owners?|tenants?|customers?|employees?|everyone|everybody|nobody|all|mieter|vermieter|mitglieder|alle|jeder|niemand|kunde|kunden|tous|personne|locataire|todos|nadie|tutti|nessuno|todos|ninguém|iedereen|niemand|wszyscy|nikt|herkes|kimse)(?!\p{L})|все|никто|кажд|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  },
  email: {
    asks: /(?<!\p{L})e-?mail(?: address)?(?!\p{L})|(?<!\p{L})mail ?adresse(?!\p{L})|(?<!\p{L})adresse (?:e-?mail|électronique)(?!\p{L})|(?<!\p{L})correo(?: electrónico)?(?!\p{L})|(?<!\p{L})indirizzo e-?mail(?!\p{L})|электронн\S+ почт|邮箱|电子邮件|メールアドレス/u,
    has: /[^\s@]+@[^\s@]+\.\p{L}{2,}/u,
  },
  phone: {
    asks: /(?<!\p{L})(?:tele)?phone(?: number)?(?!\p{L})|(?<!\p{L})telefon(?:nummer)?(?!\p{L})|(?<!\p{L})(?:num[ée]ro de )?téléphone(?!\p{L})|(?<!\p{L})(?:n[úu]mero de )?teléfono(?!\p{L})|(?<!\p{L})(?:numero di )?telefono(?!\p{L})|(?<!\p{L})(?:número de )?telefone(?!\p{L})|(?<!\p{L})telefoonnummer(?!\p{L})|(?<!\p{L})numer telefonu(?!\p{L})|(?:номер )?телефон\p{L}*|电话|電話/u,
    has: /(?:(?<!\p{Nd}|(?:n°|nº|no\.|nr\.?|#) ?)\+?\p{Nd}[\p{Nd} ()/.-]{5,}\p{Nd}|(?<!\p{L})(?:tel|phone|fon)\p{L}{0,8}[.:]{0,2} ?\p{Nd}{3,}|(?<!\p{L})ext(?:ension|\.)? ?\p{Nd}{2,})/u,
  },
  code: {
    asks: /(?<!\p{L})(?:part|article|item|order|reference|serial|account|customer|invoice|room|contract) (?:number|no|nummer|code)(?!\p{L})|(?<!\p{L})iban(?!\p{L})|(?<!\p{L})password(?!\p{L})|(?<!\p{L})passwort(?!\p{L})|(?<!\p{L})(?:artikel|teile|bestell|konto|kunden|rechnungs)nummer(?!\p{L})|(?<!\p{L})to which account(?!\p{L})|(?<!\p{L})numéro de(?!\p{L})|(?<!\p{L})número de(?!\p{L})|(?<!\p{L})numero di(?<!\p{L})/u,
    has: /\p{Nd}/u,
  },
} as const;

export type AnswerType = keyof typeof types;

/** What kinds of things answer a question; none for most questions. */
export const answerTypesOf = (question: string): AnswerType[] => {
  const lower = question.toLowerCase().slice(0, 600);
  const asked = (Object.keys(types) as AnswerType[]).filter((type) => types[type].asks.test(lower));
  // "Who paid for it?" is answered by a name, not by an amount, and "quanto costa" by an amount, not by a count.
  const other = asked.includes("person") ? "money" : asked.some((type) => isOfAmounts(type)) ? "count" : null;
  return asked.filter((type) => type !== other);
};

/** "Сколько весит" asks for a weight, not for a count. */
const isOfAmounts = (type: AnswerType): boolean => type === "money" || type === "measure";

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
  /^(?:time|zeit|temps|tiempo|tempo|tijd|czasu|времени|zaman|money|geld|argent|dinero|soldi|denaro|dinheiro|pieniędzy|денег|para|favore?)$/u;

/** What is to be told, or whether there is one: "which colour", "what is the capacity of", "is there a sauna". */
const thing =
  /(?<!\p{L})(?:which|what(?= \p{L}{1,40} (?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would)(?!\p{L}))|what(?:'s|’s| is| are| was) (?:the|his|her|their|its)|is there (?:an?|any)|welche[mnrs]?|was (?:ist|sind|war) (?:der|die|das)|wie (?:ist|lautet|heißt) (?:der|die|das)|gibt es (?:eine?n?)|quel(?:le)?s?(?: est| sont)?(?: la| le| les)?|y a[- ]t[- ]il (?:une?|des)|cuál(?:es)? (?:es|son) (?:el|la|los|las)|hay (?:una?)|qual(?:e|i)? (?:è|sono|é|são) (?:il|la|lo|i|le|gli|o|a|os|as)|c'è (?:una?)|há (?:uma?)|welke?|wat (?:is|zijn) (?:de|het)|is er (?:een)|vilk(?:en|et|a)|vad är|finns det (?:en|ett|någon|något)|hvilke[nt]?|hvad er|er der (?:en|et)|jak(?:i|a|ie) (?:jest|są)|czy jest|как(?:ой|ая|ое|ие|ов|ова)|есть ли) (?:l['’])?([\p{L}\p{M}]{3,40})/gu;

/** "How much is a monthly ticket": one for a week is another. */
const priced =
  /(?<!\p{L})(?:how much (?:is|are|does|do|was)|what (?:does|do|did)|(?:was|wie ?viel) koste[nt]|combien coûte(?:nt)?|cu[aá]nto cuestan?|quanto cost(?:a|ano)|quanto custam?|(?:hoeveel|wat) kosten?|vad kostar|hva?d? koster|сколько сто[ия]т) (?:(?:an?|the|eine?|der|die|das|une?|le|la|les|un|una|el|los|las|il|lo|i|gli|um|uma|o|a|een|de|het|en|ett|et) |l['’])([\p{L}\p{M}]{3,40})/gu;

/** "What is the name of the vicar": another one's is none. */
const called =
  /(?<!\p{L})(?:names? of|hei(?:ß|ss)(?:t|en)|s['’]appelle(?:nt)?|se llaman?|si chiama(?:no)?|se chamam?|he(?:et|ten)|heter|hedder|зовут) (?:(?:the|der|die|das|le|la|les|el|los|las|il|lo|i|gli|o|a|os|as|de|het) |l['’])?([\p{L}\p{M}]{3,40})/gu;

/**
 * Words for the one thing that a question asks for, where its kind is none of ours, or whose price or name it asks for: a passage
 * without them tells another.
 */
export const thingAsked = (question: string): string => {
  const types = answerTypesOf(question);
  if (types.some((type) => type !== "money" && type !== "person")) return "";
  const pattern = types.includes("person") ? called : types.includes("money") ? priced : thing;
  return [...question.toLowerCase().slice(0, 600).matchAll(pattern)]
    .map(([, word]) => word ?? "")
    .filter(
      (word) =>
        !/^(?:(?:amount|kind|sort|type|thing|name|montant)s?|betrag|importe|importo|bedrag|kwota|сумма)$/.test(word),
    )
    .join(" ");
};

const whole =
  /(?<!\p{L})(?:(?:of|in|for|at) (?:the|our|my|this)|des|der|vom|im|in der|(?:van|in) (?:de|het)|du|de la|de l['’]|dans l[ea]|del|de los|en (?:el|la)|della|dell['’]|dei|nell?a?|do|da|dos|das|na|no) ?([\p{L}\p{M}]{3,40})/gu;

/** What the thing that is asked for is a part of: "flat" of "the rent of the flat". */
export const ofWhat = (question: string): string =>
  [...question.toLowerCase().slice(0, 600).matchAll(whole)].map(([, word]) => word ?? "").join(" ");

const name = /(?<!\p{L})\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+/gu;

/** The names of people and things in a question: words in capitals that follow each other, but for the first one. */
export const namesIn = (question: string): string => (question.slice(1, 600).match(name) ?? []).join(" ");

/** The same of names that are typed in small letters: those that texts write in capitals, one word after another. */
export const namesAsWritten = (question: string, texts: readonly string[]): string => {
  const lower = question.toLowerCase().slice(0, 600);
  const names = texts.flatMap((text) => text.slice(0, maxPassageCharacters).match(name) ?? []);
  return (
    [...new Set(names)]
      .filter((each) => lower.includes(each.toLowerCase()))
      // German writes all nouns so, and each sentence begins with a capital: "Der Selbstbehalt".
      .filter((each) => each.split(" ").every((word) => !analyzeQuery(word).isOfFunctionWords))
      .join(" ")
  );
};

/** A sentence says what it says in so many characters. */
const maxPassageCharacters = 1_000;

/** Whether a passage has a thing of a kind that the question does not name itself. */
export const hasAnswerOf = (type: AnswerType, passage: string): boolean => {
  const text = passage.slice(0, maxPassageCharacters);
  return types[type].has.test(text) || (type === "time" && namesMonth(text)) || (type === "person" && hasOneName(text));
};

/** "The keys are with Joaquim": a word in capitals in a text that has hardly another one, which German has in each sentence. */
const hasOneName = (text: string): boolean => {
  const capitals = text.match(/(?<=\p{Ll},? )\p{Lu}\p{Ll}+/gu)?.filter((word) => !hasAnswerOf("time", word)) ?? [];
  return capitals.length > 0 && capitals.length * 6 <= (text.match(/\p{L}+/gu)?.length ?? 0);
};
