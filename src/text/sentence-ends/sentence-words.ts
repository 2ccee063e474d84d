import { fold } from "../analysis/fold.ts";
import { isFunctionWord, isFunctionWordOfAny } from "../analysis/language.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words besides function words that begin many sentences and are rarely names. */
const openers = setOf(
  "before since only both each every other others however please see note there here now today later " +
    "danach dann dort hier jetzt heute daher deshalb dazu bitte jeder jede jedes alle beide zudem " +
    "ensuite puis ainsi cela il elle ces après avant selon cependant después luego además esto ese esa ahora hoy " +
    "poi dopo inoltre oggi depois hoje daarna dit deze potem następnie dlatego затем потом после также здесь поэтому",
);
/** Whether a capital word begins a sentence rather than goes on with a name. A word with an apostrophe counts by its head. */
export const beginsSentences = (word: string): boolean => {
  const [head = "", rest] = word.toLowerCase().split(/['’]/);
  // D'Angelo, L'Amour, O'Neill.
  if (rest !== undefined && /^[dlo]$/.test(head)) return false;
  const folded = fold(head);
  return openers.has(head) || isFunctionWordOfAny(folded) || isFunctionWord(folded, []);
};

/** Function words that are parts of names too: "M. Le Pen", "E. Nagy", "U.S. War Department". */
const nameWords = setOf(
  "van von vom zu zum de del della dell di da dal du des do dos das la le les lo los der den al el il nagy kim ben ali man war",
);

export const isPartOfNames = (word: string): boolean => nameWords.has(fold(word.toLowerCase()));

/** What a single capital letter distinguishes: "Group B". Behind these it is no initial. */
const lettered = setOf(
  "group groups gruppe groupe grupo gruppo groep grupa grubu группа группы vitamin vitamine vitamina witamina witaminy " +
    "витамин витамина hepatitis hépatite hepatite epatite type typ tipo тип class classe clase klasse klasa класс plan " +
    "option options opción opção opzione optie opcja вариант section sección seção sezione sectie sekcja appendix annex anhang " +
    "anlage annexe anexo allegato bijlage załącznik приложение part teil partie deel część часть building gebäude haus " +
    "bâtiment edificio edifício gebouw budynek корпус block bloc bloque blocco hall halle room zimmer zone zona strefa gate " +
    "terminal level line linie ligne linia point punkt exhibit schedule category kategorie catégorie categoría categoria " +
    "kategoria model modell modèle modelo modello variant variante grade generation phase factor column spalte row letter",
);
export const takesLetter = (word: string): boolean => lettered.has(word.toLowerCase());

/** What an ordinal number counts; month names first. Small letters matter behind years only: "2024. január". */
const counted = setOf(
  "januar jänner februar feber märz april mai juni juli august september oktober november dezember jan feb mär apr jun jul " +
    "aug sep sept okt nov dez january february june july october december " +
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık " +
    "január február március április május június július augusztus szeptember október december gada évi " +
    "jahrhundert jahrhunderts jahrtausend weltkrieg weltkriegs stock stockwerk etage obergeschoss untergeschoss platz rang " +
    "klasse liga bundesliga auflage ausgabe quartal quartals halbjahr semester trimester runde spieltag tag tage tages " +
    "woche monat monats jahr jahrestag geburtstag lebensjahr kapitel abschnitt absatz satz teil band lesung wahlperiode " +
    "instanz generation sinfonie symphonie person mal advent stufe bezirk mann og ug",
);
export const isCounted = (word: string): boolean => counted.has(word.toLowerCase());

/** German words before an ordinal number. In no other language of capital nouns do ordinals have a full stop. */
const ordinalMarkers = setOf(
  "der die das den dem des am im vom zum zur beim ins ein eine einen einem einer eines jeder jede jedes jeden jedem kein " +
    "keine ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner unser unsere unseren mein meine meinen dieser diese dieses",
);
export const marksOrdinal = (word: string): boolean => ordinalMarkers.has(word.toLowerCase());
