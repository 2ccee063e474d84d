export type HanLanguage = "chinese" | "chineseTraditional" | "japanese";

/** Chinese words of questions, most of which no Japanese text without kana has. */
const chineseWord =
  /[的是在哪嗎吗什麼么誰谁我你您他她這这那幾几了呢吧啊和與与沒没請请把被給给還还怎嘛個个們们]|多少|多久|如何|為何|为何|何時|何时/u;
/** Japanese words of characters that are Chinese ones too. */
const japaneseWord =
  /駐車|料金|返品|返金|手続|申込|受付|予約|割引|定休|休館|領収|取扱|切符|会社|営業|荷物|書類|残業|部署|勤務|社員|給料|給与|住所|番号|名称|弁当|電車|病院|税込|納期|担当|場所|期限|保証|仕様|株式|価格|店舗|連絡先|解約|退会|変更|検索|送料|年末/u;

/** A national character set: rows and cells are the first and the second byte of its Chinese characters. */
interface CharacterSet {
  charset: "gbk" | "big5" | "shift_jis";
  rows: readonly [first: number, last: number];
  firstCell: number;
}

/** The part of GBK that GB 2312 has, which holds the simplified characters and those that were never simplified. */
const gb2312: CharacterSet = { charset: "gbk", rows: [0xb0, 0xf7], firstCell: 0xa1 };
const big5: CharacterSet = { charset: "big5", rows: [0xa4, 0xf9], firstCell: 0x40 };
const shiftJis: CharacterSet = { charset: "shift_jis", rows: [0x88, 0xea], firstCell: 0x40 };

const charactersOf = ({ charset, rows, firstCell }: CharacterSet): ReadonlySet<string> => {
  const bytes: number[] = [];
  const [first, last] = rows;
  // A space after each keeps a pair that is no character from taking a byte of the next.
  for (let row = first; row <= last; row++)
    for (let cell = firstCell; cell <= 0xfe; cell++) bytes.push(row, cell, 0x20);
  return new Set(new TextDecoder(charset).decode(new Uint8Array(bytes)).match(/\p{Script=Han}/gu));
};

let sets: Readonly<Record<HanLanguage, ReadonlySet<string>>> | null = null;
/** Made with the first question that needs them, in 8 ms. */
const loadedSets = (): Readonly<Record<HanLanguage, ReadonlySet<string>>> => {
  sets ??= {
    chinese: charactersOf(gb2312),
    chineseTraditional: charactersOf(big5),
    japanese: charactersOf(shiftJis),
  };
  return sets;
};

/**
 * The languages that a text in Chinese characters without kana can be in, the likeliest first. The national character sets
 * tell which characters a language writes.
 */
export const languagesOfHan = (text: string): HanLanguage[] => {
  const characters = text.match(/\p{Script=Han}/gu) ?? [];
  const languages: HanLanguage[] = ["chinese", "chineseTraditional"];
  if (!chineseWord.test(text)) languages.push("japanese");
  const lacking = languages.map((language) => characters.filter((one) => !loadedSets()[language].has(one)).length);
  const fewest = Math.min(...lacking);
  const fitting = languages.filter((_, index) => lacking[index] === fewest);
  return fitting.includes("japanese") && japaneseWord.test(text) ? ["japanese"] : fitting;
};
