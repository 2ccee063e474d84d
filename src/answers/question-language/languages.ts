/** What tells a language from others of its script: the letters beyond the script's common ones, and words that ask. */
export interface TellingSigns {
  script: "Latin" | "Cyrillic" | "Arabic" | "Devanagari";
  /** In Latin, those outside a–z; in other scripts, all. A word with another letter is of another language, or a name. */
  letters: string;
  /** Of words that the table of common words lacks. */
  endings?: string;
  /** wordfreq has no list of it, so `asks` and `endings` tell alone. */
  isUnlisted?: boolean;
  /** Question words, and verbs and pronouns that questions begin with; `_` joins two words. They weigh more than others. */
  asks: string;
}

/**
 * Languages that share a script with others, those with the most speakers first within it: of two that fit alike the first
 * counts. The order and the names are also those of the word table (`tools/word-frequency/question-words.ts`).
 */
export const sharedScriptLanguages = {
  english: {
    script: "Latin",
    letters: "",
    endings: "ing ed tion ness ment ly",
    asks: "what who whom whose where when which why how is are was were do does did can could may will would should must has have there much many long often i my me we you",
  },
  spanish: {
    script: "Latin",
    letters: "áéíóúüñ",
    endings: "ción ciones dad ando iendo aron ieron amiento",
    asks: "qué quién quiénes dónde cuándo cuánto cuánta cuántos cuántas cuál cuáles cómo puedo puede podemos hay tengo tiene necesito debo es está quiero",
  },
  portuguese: {
    script: "Latin",
    letters: "áâãàçéêíóôõú",
    endings: "ção ções ões dade ando endo aram eram amento",
    asks: "quem onde quando quanto quanta quantos quantas qual quais como posso pode podemos há tem tenho preciso devo é está quero faço fica custa meu minha",
  },
  french: {
    script: "Latin",
    letters: "àâæçéèêëîïôœùûü",
    endings: "eux euse ement ation ations erie aient eur",
    asks: "qui que quoi quel quelle quels quelles où quand combien comment pourquoi puis peut peux est je mon ma il y dois faut",
  },
  german: {
    script: "Latin",
    letters: "äöüß",
    endings: "ung ungen keit heit lich ische zeit zeiten nummer",
    asks: "was wer wem wen wessen wo wohin woher wann warum wieso weshalb wie welche welcher welches darf kann muss soll gibt ist sind hat ich mein meine wir",
  },
  italian: {
    script: "Latin",
    letters: "àèéìíîòóù",
    endings: "zione zioni mente tà ando ato ati ata ante are ere ire",
    asks: "chi che dove dov quando quanto quanta quanti quante quale quali come perché posso può possiamo devo ha ho è mio mia cosa",
  },
  indonesian: {
    script: "Latin",
    letters: "",
    endings: "kan nya annya lah",
    asks: "apa apakah siapa siapakah di mana dimana kemana kapan berapa mengapa kenapa bagaimana gimana bolehkah bisakah adakah bisa saya yang ada cara",
  },
  turkish: {
    script: "Latin",
    letters: "çğıöşüâîû",
    endings: "lar ler ları leri lık lik yor dır dir mek mak ebilir abilir ecek acak",
    asks: "ne kim kimin nerede nereye nereden nerde hangi kaç kaçta nasıl neden niçin niye mı mi mu mü mıyım miyim muyum müyüm var nedir kadar",
  },
  vietnamese: {
    script: "Latin",
    letters: "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    asks: "ai gì đâu nào khi bao nhiêu mấy sao tại vì làm thế có không được tôi là ở phải",
  },
  polish: {
    script: "Latin",
    letters: "ąćęłńóśźż",
    endings: "ów ego ych owa ości ować ami cie",
    asks: "kto co gdzie kiedy dlaczego jak jaki jaka jakie który która które ile ilu czy czyj mogę można muszę jest mój moja",
  },
  dutch: {
    script: "Latin",
    letters: "éëïóöüèê",
    endings: "heid ing ingen tje lijk lijke dag",
    asks: "wat wie waar wanneer waarom hoe hoeveel hoelang welke welk wiens mag kan moet kunnen mogen is zijn heeft ik mijn het er",
  },
  filipino: {
    script: "Latin",
    letters: "ñ",
    asks: "ano sino saan kailan bakit paano magkano ilan ilang alin kanino gaano nasaan pwede puwede maaari ba ko",
  },
  romanian: {
    script: "Latin",
    letters: "ăâîșțşţ",
    endings: "ul ului lui elor ilor ea rea ție ții",
    asks: "ce cine unde când cum cât câtă câți câte care cui pot poate putem este există am are trebuie meu mea",
  },
  hungarian: {
    script: "Latin",
    letters: "áéíóöőúüű",
    endings:
      "ban ben nak nek ból ből ról ről hoz hez val vel hatom hetem hatok hetek mat met ság ség ása ése kat ket ért",
    asks: "ki kik mit hol hová honnan mikor miért hogyan hogy mennyi mennyibe meddig hány melyik milyen lehet szabad tudok kell",
  },
  swedish: {
    script: "Latin",
    letters: "åäöé",
    endings: "arna tider erna orna ade ningen het era ster",
    asks: "vad vem vems var vart när varför hur vilken vilket vilka får kan måste finns är har jag min mitt",
  },
  czech: {
    script: "Latin",
    letters: "áčďéěíňóřšťúůýž",
    endings: "ost ní ých ého ování",
    asks: "kdo co kde kam kdy proč jak jaký jaká jaké který která které kolik čí můžu mohu může musím je jsou mám",
  },
  catalan: {
    script: "Latin",
    letters: "àçèéíïòóúü·",
    endings: "ció cions tat ment ats enya anya",
    asks: "qui què on quan quant quanta quants quantes quin quina quins quines com puc pot hi ha té és meu",
  },
  croatian: {
    script: "Latin",
    letters: "čćđšž",
    endings: "nje nja ski ijem ovati",
    asks: "tko ko što šta gdje gde kamo kada kad zašto kako koliko koji koja koje čiji mogu može moram smijem li ima je",
  },
  danish: {
    script: "Latin",
    letters: "æøåé",
    endings: "ede erne tider ning ninger hed elser dage erede",
    asks: "hvad hvem hvis hvor hvornår hvorfor hvordan hvilken hvilket hvilke må kan skal findes er har jeg min mit",
  },
  norwegian: {
    script: "Latin",
    letters: "æøåéò",
    endings: "ene tider ning ninger het else sjon dager erte",
    asks: "hva hvem hvor når hvorfor hvordan hvilken hvilket hvilke kan må skal finnes er har jeg min mitt",
  },
  finnish: {
    script: "Latin",
    letters: "äöåšž",
    endings: "ssa ssä sta stä lla llä lta ltä lle ksi tko tkö nko nkö inen iset jen",
    asks: "mikä mitä mitkä kuka kenen ketkä missä mistä mihin minne milloin koska miksi miten kuinka paljonko kauanko montako saanko voinko voiko onko pitääkö moni",
  },
  slovak: {
    script: "Latin",
    letters: "áäčďéíĺľňóôŕšťúýž",
    endings: "osť isko šia šie nie ých ého ovanie",
    asks: "kto čo kde kam kedy prečo ako aký aká aké ktorý ktorá ktoré koľko čí môžem môže musím je sú mám",
  },
  slovene: {
    script: "Latin",
    letters: "čšž",
    asks: "kdo kaj kje kam kdaj zakaj kako koliko kateri katera katero čigav ali lahko moram smem je imate",
  },
  lithuanian: {
    script: "Latin",
    letters: "ąčęėįšųūž",
    endings: "imas ymas iai ius ų",
    asks: "kas ką kur kada kodėl kaip kiek koks kokia kokie kuris kuri kieno ar galiu galima reikia yra turi",
  },
  latvian: {
    script: "Latin",
    letters: "āčēģīķļņšūž",
    endings: "šana ību iem ām",
    asks: "kas ko kur kad kāpēc kā cik kāds kāda kādi kurš kura vai varu var jābūt ir man",
  },
  russian: {
    script: "Cyrillic",
    letters: "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    endings: "ние ния ости ой ого ов ть",
    asks: "что кто где куда откуда когда почему зачем как какой какая какое какие сколько чей можно могу ли есть нужно мне",
  },
  ukrainian: {
    script: "Cyrillic",
    letters: "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    endings: "ння ості ої ого ів",
    asks: "що хто де куди звідки коли чому навіщо як який яка яке які скільки чий чи можна можу є потрібно мені",
  },
  bulgarian: {
    script: "Cyrillic",
    letters: "абвгдежзийклмнопрстуфхцчшщъьюяѝ",
    endings: "ата ята ане ът ите то ция",
    asks: "какво кой коя кое кои къде кога защо как какъв каква колко чий мога може има_ли има имате трябва",
  },
  serbian: {
    script: "Cyrillic",
    letters: "абвгдђежзијклљмнњопрстћуфхцчџш",
    endings: "ње ња ост ом им имо",
    asks: "шта што ко где гдје када кад зашто како колико који која које чији могу може морам да_ли има је",
  },
  macedonian: {
    script: "Cyrillic",
    letters: "абвгдѓежзѕијклљмнњопрстќуфхцчџшѐѝ",
    endings: "ње ата ите от",
    asks: "што кој која кое кои каде кога зошто како колку чиј можам може дали има мора",
  },
  arabic: {
    script: "Arabic",
    letters: "ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئةى",
    asks: "ما ماذا من أين متى كيف كم لماذا هل أي هو هي يمكنني",
  },
  persian: {
    script: "Arabic",
    letters: "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیءآأؤئيك",
    asks: "چه چی چیست کی کیست کجا کجاست چرا چگونه چطور چند چقدر کدام آیا است دارد",
  },
  urdu: {
    script: "Arabic",
    letters: "ابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوؤہۃھءیئےۓآ",
    asks: "کیا کون کس کہاں کب کیوں کیسے کتنا کتنی کتنے کونسا ہے ہیں",
  },
  hindi: {
    script: "Devanagari",
    letters: "",
    endings: "ियाँ ियों ों ना ने",
    asks: "क्या कौन किस किसने किसका कहाँ कहां कब क्यों कैसे कितना कितनी कितने कौनसा है हैं मैं",
  },
  marathi: {
    script: "Devanagari",
    isUnlisted: true,
    letters: "",
    endings: "ाचा ाची ाचे ाच्या ीचा ीची ामध्ये ांमध्ये ायचे ायची ायचा ासाठी ांना ाला",
    asks: "काय कोण कोणी कोणता कोणती कोणते कुठे कधी कसे कसा कशी किती आहे आहेत मी माझी माझा मला केला केली केले होते नाही लागेल लागते करायचे मध्ये साठी या हे आणि",
  },
} as const satisfies Record<string, TellingSigns>;

export type SharedScriptLanguage = keyof typeof sharedScriptLanguages;

export const listedLanguages = Object.keys(sharedScriptLanguages) as SharedScriptLanguage[];
