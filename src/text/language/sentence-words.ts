import { fold } from "./fold.ts";
import { isFunctionWord, isFunctionWordOfAny } from "./function-words.ts";

/**
 * What an abbreviation lets follow decides whether its full stop may end a sentence:
 * - `always`: something always follows ("e.g.", "Mr."): never an end.
 * - `name`: a name or a number follows ("St. Mary"), or it closes a phrase ("5 Mio.", "Main St."): an end only before a
 *   word that begins sentences ("St. The").
 * - `number`: a number follows ("Fig. 3"); many are words of their own too ("no", "art"): an end before a capital word.
 * - `last`: may be the last word of a sentence ("etc.", "a.m."): an end before a capital or a number.
 * - `unit`: behind a number like `last` ("5 min."), else like `always` ("min. Temperatur").
 * None is an end before a lower-case letter.
 */
export type AbbreviationKind = "always" | "name" | "number" | "last" | "unit";

/**
 * Without the last full stop, in small letters. A word of several languages stands once, with the first of them. Single
 * letters are small ones only: capitals are initials. Some entries are in capitals, where only those are meant.
 */
export const abbreviations: Readonly<Record<string, Partial<Record<AbbreviationKind, string>>>> = {
  english: {
    always:
      "mr mrs ms messrs dr drs prof mt vs cf viz e.g eg i.e ie incl excl eds sen gov hon gen col rev capt lt sgt cmdr adm resp n.b",
    name: "st jr ave blvd rd dept approx rep al co p ph.d m.d bros univ max assn v",
    number:
      "no nos fig figs sec secs sect eq eqs vol vols pp temp para paras art arts chap ch cl app ed est tel ext op ver b c d " +
      "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun",
    last: "etc a.m p.m A.M P.M inc corp ltd llc esq",
    unit: "min hr hrs",
  },
  german: {
    always:
      "z.b z.bsp z.t z.zt d.h i.d.r i.d.f i.s.d i.v.m u.u v.a s.o s.u bzw vgl sog evtl ev ggf ggfs ca inkl exkl zzgl " +
      "abzgl einschl bzgl betr geb gest bes dipl ing insb insbes gegr nr hrn a.d mind höchst",
    name: "u.a mio mrd tsd fr mag fam gem tgl pl vorm nachm bd stck",
    number:
      "abs abb abschn anh anl anm aufl bde buchst bl jg kap lfd lit pos rn rz rdnr s str tab ziff " +
      "jän mär mrz okt dez mo di mi do sa so",
    last: "usw usf u.s.w u.v.m uvm o.ä u.ä u.dgl jh jhd jhdt mwst ust e.v stk hrsg hg n.chr v.chr",
    unit: "std hl",
  },
  french: {
    // Messrs in capitals: in small letters they are millimetres.
    always: "mme mmes mlle mlles mgr MM p.ex c.-à-d c.à.d éd bibl",
    name: "av",
    number: "env fasc tél réf janv févr juil déc",
    last: "j.-c",
  },
  spanish: {
    always: "EE sr sra sras srta srtas sres dra dras p.ej ej dña lic arq",
    name: "ud uds vd vds aprox avda dpto depto cía ee.uu",
    number: "pág págs núm núms nro cap caps apdo tfno telf ene abr ago dic lun mié jue vie sáb dom",
    last: "a.c d.c s.l",
  },
  italian: {
    always: "sig sigg sig.ra dott dott.ssa avv geom rag egr spett",
    number: "pag pagg artt par n nn giu lug ott",
    last: "ecc s.p.a s.r.l s.n.c",
  },
  portuguese: { always: "profa exmo exma eng", name: "tb", number: "fl fls fev", last: "ltda" },
  dutch: {
    always: "bijv bv d.w.z dwz o.a m.b.t t.a.v t.n.v m.n dhr mevr mw ds nl zgn",
    name: "mln mld",
    number: "blz hfst mrt",
    last: "enz e.d a.u.b m.m",
  },
  polish: {
    always: "np tj tzn tzw m.in ul hab inż ks św im wg zob",
    name: "os tys ppłk płk",
    number: "ok godz pkt poz rozdz rys zał",
    last: "itd itp n.e p.n.e",
    unit: "r w",
  },
  czech: { always: "např tzv judr mudr nám", name: "mil tis", number: "č odst písm hod čl", last: "atd apod" },
  nordic: { always: "t.ex f.eks bl.a d.v.s dvs esim hhv", number: "kl kr jf", last: "osv mv m.v m.fl" },
  hungarianAndRomanian: { number: "alin", last: "stb" },
  turkish: { always: "örn bkz doç sn yrd", name: "cad sok mah apt", number: "sf yy", last: "vb şti" },
  russian: {
    always: "т.е т.н т.к им ул просп пер пл проф акад св напр см ср г-н г-жа",
    name: "тыс млн млрд",
    number:
      "стр с рис табл гл ст п пп разд прил д кв корп тел руб коп ок т ч мин сек янв февр апр авг сент окт нояб дек",
    last: "т.д т.п др пр н.э",
    unit: "г гг в вв р м",
  },
};

const kinds = new Map<string, AbbreviationKind>();
for (const ofLanguage of Object.values(abbreviations)) {
  for (const [kind, words] of Object.entries(ofLanguage))
    for (const word of words.split(" ")) kinds.set(word, kind as AbbreviationKind);
}

/** In two words, of which the second alone is no abbreviation. */
const phrases: ReadonlyMap<string, AbbreviationKind> = new Map([
  ["per es", "always"],
  ["por ex", "always"],
  ["i in", "last"],
]);

/** German compounds: "Hauptstr. 5", "Kundennr. 7". */
const compound = /^\p{L}{3,}(?:str|nr)$/u;
const capitals = /^\p{Lu}(?:\.\p{Lu})*$/u;

/** @param word as written, without its last full stop @param wordBefore the word before it, if there is one */
export const kindOfAbbreviation = (word: string, wordBefore = ""): AbbreviationKind | undefined => {
  const exact = kinds.get(word);
  // "D.C." and "S." are names, whatever "d.c." and "s." are.
  if (exact !== undefined || capitals.test(word)) return exact;
  const small = word.toLowerCase();
  return (
    kinds.get(small) ??
    phrases.get(`${wordBefore} ${small}`.toLowerCase()) ??
    (compound.test(small) ? "number" : undefined)
  );
};

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
