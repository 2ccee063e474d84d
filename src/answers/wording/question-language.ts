import { detectAll } from "tinyld";

export type HanLanguage = "chinese" | "chineseTraditional" | "japanese";

/** Chinese words of questions, most of which no Japanese text without kana has. */
const chineseWord =
  /[的是在哪嗎吗什麼么誰谁我你您他她這这那幾几了呢吧啊和與与沒没請请把被給给還还怎嘛個个們们]|多少|多久|如何|為何|为何|何時|何时/u;
/** Japanese words of characters that are Chinese ones too. */
const japaneseWord =
  /駐車|料金|返品|返金|手続|申込|受付|予約|割引|定休|休館|領収|取扱|切符|会社|営業|荷物|書類|残業|部署|勤務|社員|給料|給与|住所|番号|名称|弁当|電車|病院|税込|納期|担当|場所|期限|保証|仕様|株式|価格|店舗|連絡先|解約|退会|変更|検索|送料|年末/u;

/** Characters that are written in one of the two ways of Chinese alone; Japanese shares some with the older one. */
const simplified =
  /[万与业东两个为么乡书买争产亲亿从们价优会传儿关写农准几凤划则办务动势区医华单卖卫厂厅历厕县参发号后吗听员团园国图场坏声处备奖妇孙学实宠对导层岁岛师带帮库应开张录总战护报择损换据数无时机权条来柜标档楼气汤测湿点热爱猪猫环现电码种税类系红约级纸线组细织经给统维绿网联胜节苹药获营蓝装见观规览计订让议记设证试话详语说请读课谁谢负财责败费赁赛车软载辆输边达迁过运还这进远连适选递邮里钟钥钱铁银销锁镇长门问间队际顾预领题额飞饭饮馆马验鱼鸟鸡黄龙]/u;
const traditional =
  /[來個們備傳價億優兒兩則劃動務勝勢區參員問單嗎國園圖團報場壞婦孫學實寫寵對導層島師帶幫幾庫廁廠廳張後從愛應戰換損擇據敗數時書會東條業樓標機檔櫃權歲歷氣測湯準濕為無熱營爭獎獲現環產發碼稅種節約紅紙級細組給統經綠維網線縣總織繫聯聲聽與華萬藍藥蘋處號衛裝裡見規親覽觀訂計記設試話詳語說誰課請謝證議護讀讓豬貓負財責買費賃賣賽車軟載輛輸辦農這連進運過達遞遠適遷選還邊郵鄉醫銀銷錄錢鎖鎮鐘鐵鑰長門開間關隊際雞電預領題額類顧飛飯飲館馬驗魚鳥鳳麼黃點龍]/u;

/** The languages that a text in Chinese characters without kana can be in, the likeliest first. */
export const languagesOfHan = (text: string): HanLanguage[] => {
  if (simplified.test(text)) return ["chinese"];
  if (!chineseWord.test(text) && japaneseWord.test(text)) return ["japanese"];
  if (traditional.test(text)) return ["chineseTraditional"];
  return chineseWord.test(text) ? ["chinese", "chineseTraditional"] : ["chinese", "chineseTraditional", "japanese"];
};

/** Scripts that one language of ours has. */
const singleScripts = {
  greek: /\p{Script=Greek}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  thai: /\p{Script=Thai}/gu,
  korean: /\p{Script=Hangul}/gu,
  bengali: /\p{Script=Bengali}/gu,
  tamil: /\p{Script=Tamil}/gu,
  telugu: /\p{Script=Telugu}/gu,
  hindi: /\p{Script=Devanagari}/gu,
} as const;

/** Languages that share a script with others, by the codes of `tinyld`; the first has the most readers. */
const sharedScripts = {
  Latin: {
    en: "english",
    es: "spanish",
    pt: "portuguese",
    fr: "french",
    de: "german",
    it: "italian",
    nl: "dutch",
    pl: "polish",
    tr: "turkish",
    vi: "vietnamese",
    id: "indonesian",
    sv: "swedish",
    no: "norwegian",
    da: "danish",
    fi: "finnish",
    cs: "czech",
    ro: "romanian",
    hu: "hungarian",
  },
  Cyrillic: { ru: "russian", uk: "ukrainian", bg: "bulgarian" },
  Arabic: { ar: "arabic", fa: "persian", ur: "urdu" },
} as const;
type SharedScript = keyof typeof sharedScripts;
type LanguageOf<Script> = Script extends SharedScript
  ? (typeof sharedScripts)[Script][keyof (typeof sharedScripts)[Script]]
  : never;

export type QuestionLanguage = LanguageOf<SharedScript> | keyof typeof singleScripts | HanLanguage;

const scripts = {
  ...singleScripts,
  Latin: /\p{Script=Latin}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  han: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
} as const;
type ScriptName = keyof typeof scripts;
const scriptNames = Object.keys(scripts) as ScriptName[];

/** What a text tells of the language that its writer speaks. */
export interface LanguageGuess {
  /** Those it may be in, the likeliest first; empty where nothing tells. */
  likely: readonly QuestionLanguage[];
  /** The one to take where nothing else decides; null where the text is a name, a code or a word of many languages. */
  best: QuestionLanguage | null;
}

/** A question says its language in its first words; a pasted text need not be read whole. */
const maxCharacters = 300;
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]+/gu;
/** One word or two may be of any language. */
const leastWords = 3;
/** Languages with this share of the best one's points are likely too. */
const nearness = 0.5;
/** Fewer points say little: of English too, in which questions have names of every language. */
const fewPoints = 0.1;
/** A character of these stands for a syllable or a word. */
const dense: ReadonlySet<ScriptName> = new Set(["han", "korean"]);
/** Names in Latin letters are written so in questions of every script. */
const latinName = /(?<!\p{L})\p{Lu}[\p{L}\p{M}\p{N}]*/gu;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

export const guessLanguage = (text: string): LanguageGuess => {
  const read = text.slice(0, maxCharacters);
  const script = mainScript(read);
  if (script === null) return { likely: [], best: null };
  if (script === "han") {
    const likely: HanLanguage[] = kana.test(read) ? ["japanese"] : languagesOfHan(read);
    return { likely, best: likely[0] ?? null };
  }
  if (script === "Latin" || script === "Cyrillic" || script === "Arabic") return ofSharedScript(read, script);
  return { likely: [script], best: script };
};

const pointsIn = (
  text: string,
  names: Readonly<Record<string, LanguageOf<SharedScript>>>,
): { language: LanguageOf<SharedScript>; accuracy: number }[] =>
  detectAll(text, { only: Object.keys(names) }).flatMap(({ lang, accuracy }) => {
    const language = names[lang];
    return language === undefined ? [] : [{ language, accuracy }];
  });

const ofSharedScript = (text: string, script: SharedScript): LanguageGuess => {
  const names: Readonly<Record<string, LanguageOf<SharedScript>>> = sharedScripts[script];
  const found = pointsIn(text, names);
  const [first] = found;
  const all = found.map(({ language }) => language);
  if ((text.match(word)?.length ?? 0) < leastWords) {
    if (script === "Latin") return { likely: all, best: null };
    const [mostRead] = Object.values(names);
    return { likely: all, best: mostRead !== undefined && all.includes(mostRead) ? mostRead : (all[0] ?? null) };
  }
  if (first === undefined) return { likely: [], best: null };
  // English writes few marks: a word with one is a name, or a dish.
  const plain = text.match(word)?.filter((each) => /^[a-z]+$/i.test(each)) ?? [];
  if (plain.length >= leastWords && pointsIn(plain.join(" "), names)[0]?.language === "english")
    return { likely: ["english"], best: "english" };
  const isUnsure = first.accuracy < fewPoints;
  const likely = found
    .filter(({ language, accuracy }) => accuracy >= nearness * first.accuracy || (isUnsure && language === "english"))
    .map(({ language }) => language);
  return { likely, best: first.language };
};

/** The script of most of a text; null where it has no letters of a known one. */
const mainScript = (text: string): ScriptName | null => {
  let main: ScriptName | null = null;
  let most = 0;
  for (const name of scriptNames) {
    const letters = (name === "Latin" ? text.replace(latinName, "A") : text).match(scripts[name])?.length ?? 0;
    const weighed = dense.has(name) ? 2 * letters : letters;
    if (weighed <= most) continue;
    main = name;
    most = weighed;
  }
  return main;
};
