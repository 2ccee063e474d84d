import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyze, analyzeQuery, denseShare } from "../../../src/text/analysis/analyze.ts";
import { markedForm } from "../../../src/text/language/vietnamese.ts";

const queryTerms = (text: string): string[] => analyzeQuery(text).terms.map(({ term }) => term);

/** True where a question of these words would find a document of that text, by every one of its words. */
const finds = (query: string, document: string): boolean => {
  const held = new Set(analyze(document));
  const words = new Map<number, boolean>();
  for (const { term, word } of analyzeQuery(query).terms) words.set(word, (words.get(word) ?? false) || held.has(term));
  return words.size > 0 && [...words.values()].every((found) => found);
};

describe("terms of a document", () => {
  test("identifiers stand whole and in parts", () => {
    const terms = analyze("call getUserName of crate::executors::DiffExecutor with snake_case_name in node.js");
    expect(terms).toEqual(expect.arrayContaining(["getusername", "get", "user", "name"]));
    expect(terms).toEqual(expect.arrayContaining(["crate::executors::diffexecutor", "diffexecutor", "diff"]));
    expect(terms).toEqual(expect.arrayContaining(["snake_case_name", "snake", "case", "node.js", "node"]));
  });

  test("codes, versions and language names stand as they are written", () => {
    expect(analyze("part AB-1204/7 of v1.2.3 in C++ and C#")).toEqual(
      expect.arrayContaining(["ab-1204/7", "ab", "1204", "v1.2.3", "c++", "c#"]),
    );
  });

  test("numbers are the same however their thousands are set apart", () => {
    expect(analyze("1,234.5")).toEqual(analyze("1.234,5"));
    expect(analyze("12,000")).toEqual(["12000"]);
  });

  test("each word stands as itself and as its stem", () => {
    expect(analyze("the running houses")).toEqual(["the", "running", "run", "houses", "hous"]);
  });

  test("scripts without spaces stand in pairs of characters", () => {
    expect(analyze("東京タワー")).toEqual(expect.arrayContaining(["東京", "京タ", "タワ", "ワー"]));
    expect(analyze("ภาษาไทย")).toContain("ภา");
  });

  test("the vowel marks of Hindi stay", () => {
    expect(analyze("किताबें")).toEqual(["किताबें", "किताब"]);
  });

  test("a term fits the index: no white space, at most 40 bytes, and long ones stay apart", () => {
    const first = "x".repeat(70);
    const [a] = analyze(first);
    const [b] = analyze(`${first}y`);
    expect(Buffer.byteLength(a ?? "")).toBeLessThanOrEqual(40);
    expect(a).not.toBe(b);
    expect(analyze("ﷺ достопримечательностями")).not.toContain("");
  });
});

test("a pair of Vietnamese syllables weighs less in a question than either of them", () => {
  const { terms } = analyzeQuery("Lịch đơn giản cho máy tính");
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const [first, second] = ["máy", "tính"].map(markedForm);
  expect([first, second, `${first}_${second}`].map((term) => weights.get(term ?? ""))).toEqual([1, 1, 0.5]);
});

describe("Vietnamese marks are letters", () => {
  const pairsOf = (text: string): string[] => {
    const words = text.split(" ").map(markedForm);
    return words.slice(1).map((word, at) => `${words[at]}_${word}`);
  };

  test("words that differ by a mark stay apart", () => {
    const held = new Set(analyze("Cái bàn này ở trong nhà của họ, được bán rồi."));
    expect(queryTerms("bàn được").every((term) => held.has(term) || term.includes("_"))).toBe(true);
    expect(queryTerms("bạn được").every((term) => held.has(term) || term.includes("_"))).toBe(false);
  });

  test("a word without marks is not one that lost them", () => {
    expect(analyze("Hàng hóa được trọng tải lớn")).not.toContain("trong");
    expect(queryTerms("ở trong nhà được")).toContain("trong");
    expect(queryTerms("ở trong nhà được")).not.toContain("~trong");
  });

  test("its short words are not taken for function words of other languages", () => {
    expect(queryTerms("Chèn các ô")).toEqual(["cheǹ".normalize("NFC"), "ô", ...pairsOf("chèn các ô")]);
    expect(queryTerms("cột và hàng của bảng này")).toContain("hang̀".normalize("NFC"));
  });

  test("words of two syllables are also found as one", () => {
    expect(queryTerms("hợp đồng thuê nhà")).toEqual(expect.arrayContaining(pairsOf("hợp đồng thuê nhà")));
    expect(analyze("Hợp đồng này")).toEqual(expect.arrayContaining(pairsOf("hợp đồng này")));
  });

  test("a text in French is not taken for it", () => {
    expect(finds("reglement", "Là où le règlement est affiché à la mairie, il fait foi.")).toBe(true);
    expect(analyze("à la fin du mois").every((term) => !term.startsWith("~"))).toBe(true);
  });
});

describe("other forms of a question's words", () => {
  const inflectionsOf = (text: string): string[] =>
    analyzeQuery(text)
      .terms.filter(({ isInflection }) => isInflection)
      .map(({ term }) => term);

  test("find documents in which the word is inflected otherwise", () => {
    expect(finds("Wann starb der Kapitän?", "Der Kapitän ist 1902 gestorben.")).toBe(true);
    expect(finds("Wer schrieb das Buch?", "Das Buch hat Anna geschrieben.")).toBe(true);
    expect(finds("Wer schrieb das Buch?", "Das Buch hat Anna gelesen.")).toBe(false);
  });

  test("belong to the word, after its own terms, at most four", () => {
    const { terms } = analyzeQuery("Wann starb der Kapitän?");
    const [died] = terms.filter(({ isInflection }) => isInflection);
    const own = terms.filter(({ word }) => word === died?.word);
    expect(own[0]).toEqual({ term: "starb", weight: 1, word: died?.word ?? -1 });
    expect(own.slice(1).map(({ isInflection }) => isInflection)).toEqual([true, true, true, true]);
  });

  test("are left out where another word of the question has the term itself", () => {
    const { terms } = analyzeQuery("Wer schrieb, was wurde geschrieben?");
    const of = (wanted: string) => terms.filter(({ term }) => term === wanted);
    expect(of("geschrieb")).toEqual([{ term: "geschrieb", weight: 1, word: 1 }]);
    expect(of("schrieb")).toEqual([{ term: "schrieb", weight: 1, word: 0 }]);
  });

  test("are those of the question's language; where it is not told, there are none", () => {
    expect(inflectionsOf("starb")).toEqual([]);
    expect(inflectionsOf("What did he do when the ship sank?")).not.toContain("gesunk");
  });
});

test("Latin words in a Chinese question get the forms of English alone", () => {
  expect(queryTerms("安全 Shell")).toEqual(["安全", "shell"]);
});

test("a long question in a script without spaces keeps its end", () => {
  const numerals = "零一二三四五六七八九十百千万億兆京垓秭穣溝澗正載極甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥";
  const end = "海山川空雲雨雪風花鳥月星春夏秋冬";
  expect(queryTerms(`${numerals}${end}`)).toContain("秋冬");
});

describe("a question finds what is written otherwise", () => {
  const pairs: [name: string, query: string, document: string][] = [
    ["English endings", "Which policies were changed?", "We change the policy every year."],
    ["German umlauts left out", "Ubergange", "Die Übergänge sind gesperrt."],
    ["German endings", "Welche Verträge?", "Der Vertrag gilt für alle Mitarbeiter und die Firma."],
    ["French accents left out", "reglement interieur", "Le règlement intérieur de la société est affiché."],
    ["Spanish plural", "canciones", "La canción que se escucha en la radio es de ella."],
    ["Polish cases", "rachunkami", "Wszystkie rachunki są w archiwum."],
    ["Greek endings", "τα έγγραφα", "Η διαχείριση των εγγράφων και οι κανόνες."],
    ["Greek capitals without accents", "ΕΓΓΡΑΦΟ", "το έγγραφο"],
    ["Hindi endings", "किताबों", "पुस्तकालय में बहुत किताबें हैं"],
    ["Vietnamese", "hợp đồng thuê nhà", "Hợp đồng thuê nhà có thời hạn một năm."],
    ["Vietnamese typed without marks", "hop dong thue nha", "Hợp đồng thuê nhà có thời hạn một năm."],
    ["Vietnamese with few marks", "Chèn hàng", "Chèn hàng mới vào bảng, rồi lưu tài liệu lại."],
    ["a tone over the other vowel", "hoà bình thủy lợi", "Công ty Hòa Bình Thuỷ Lợi ở miền Trung."],
    ["Vietnamese in decomposed letters", "hợp đồng".normalize("NFD"), "Hợp đồng có hiệu lực."],
    ["a Vietnamese name in English", "Nguyễn", "The contract was signed by Mr. Nguyễn in the office."],
    ["a Vietnamese name typed without marks", "Nguyen", "The contract was signed by Mr. Nguyễn in the office."],
    ["an English word in Vietnamese", "templates", "Bạn có thể lưu template này để dùng lại trong tài liệu khác."],
    ["Russian cases", "Сколько очков уступила защита?", "Защита уступила всего 308 очков."],
    ["ё written as е", "елки", "На площади стоят ёлки."],
    ["Chinese", "防守丢了多少分", "黑豹队的防守丢了 308 分"],
    ["a single ideograph", "茶", "他每天喝绿茶。"],
    ["Thai", "ประเทศไทย", "เมืองหลวงของประเทศไทยคือกรุงเทพ"],
    ["Hindi", "किताबें", "पुस्तकालय में बहुत किताबें हैं"],
    ["Korean with particles", "물", "아이가 물을 마신다"],
    ["Turkish capitals", "ISPARTA", "ısparta"],
    ["full-width letters", "ABC123", "型番はＡＢＣ１２３です"],
    ["digits of another script", "2024", "عام ٢٠٢٤"],
    ["the soft hyphen", "Donaudampfschiff", "Das Donau\u00addampf\u00adschiff ist da."],
    ["a ligature", "office", "the oﬃce is closed"],
    ["an identifier by its parts", "user name", "fn getUserName() {}"],
    ["an identifier typed small", "getusername", "fn getUserName() {}"],
    [
      "a short query without function words",
      "Kündigungsfristen",
      "Die Kündigungsfrist beträgt drei Monate und ist für alle gleich.",
    ],
  ];
  test.each(pairs)("%s", (_name, query, document) => {
    expect(finds(query, document)).toBe(true);
  });
});

describe("terms of a question", () => {
  test("function words are left out, in its own language", () => {
    expect(queryTerms("What is the refund policy for a customer?")).toEqual(
      expect.arrayContaining(["refund", "policy"]),
    );
    for (const word of ["what", "the", "for"]) expect(queryTerms("What is the refund policy?")).not.toContain(word);
    expect(queryTerms("Wie viele Punkte gab die Verteidigung ab?")).not.toContain("die");
    expect(queryTerms("Сколько очков было у команды?")).not.toContain("сколько");
    expect(queryTerms("黑豹队丢了多少分？")).not.toContain("多少");
  });

  test("a question of nothing but function words keeps them", () => {
    expect(queryTerms("who is it")).toEqual(expect.arrayContaining(["who", "it"]));
    expect(queryTerms("什么")).toEqual(["什么"]);
  });

  test.each([
    ["Tell me about zebras", "zebras"],
    ["Can you please explain to me the return policy?", "return policy"],
    ["What do you know about cats?", "cats"],
    ["Erzähle mir etwas über Zebras", "zebras"],
    ["Háblame de las cebras", "cebras"],
    ["Расскажи мне о зебрах", "зебрах"],
  ])("what only asks is left out: %s", (question, rest) => {
    const asked = analyzeQuery(question).terms.map(({ term }) => term);
    for (const word of rest.split(" ")) expect(asked).toContain(word);
    for (const asking of ["tell", "explain", "know", "erzahl", "hablam", "расскаж"])
      expect(asked).not.toContain(asking);
  });

  test("a word that may be the matter itself stays, and a question of nothing else too", () => {
    expect(analyzeQuery("explain analyze in PostgreSQL").terms.map(({ term }) => term)).toContain("explain");
    expect(analyzeQuery("Tell me").terms.map(({ term }) => term)).toContain("tell");
  });

  test("forms of one word share its number", () => {
    const { terms } = analyzeQuery("policies");
    expect(new Set(terms.map(({ word }) => word)).size).toBe(1);
    expect(terms.map(({ term }) => term)).toEqual(expect.arrayContaining(["policies", "polici"]));
  });

  test("a pair of letters counts as often as it is asked; other pairs and words once", () => {
    const weightOf = (question: string, wanted: string): number | undefined =>
      analyzeQuery(question).terms.find(({ term }) => term === wanted)?.weight;
    expect(weightOf("การตั้งค่าและการพิมพ์", "กา")).toBe(2);
    expect(weightOf("การตั้งค่าและการพิมพ์", "พิ")).toBe(1);
    expect(weightOf("데이터베이스와 데이터 파일", "데이")).toBe(1);
    expect(weightOf("数据库和数据文件", "数据")).toBe(1);
    expect(weightOf("policy, policy and policy", "policy")).toBe(1);
  });

  test("quoted passages and codes are to be found exactly", () => {
    expect(analyzeQuery('is "net revenue" in AB-1204/7 or „Umsatz je Aktie“?').exact).toEqual([
      "net revenue",
      "Umsatz je Aktie",
      "AB-1204/7",
    ]);
    expect(analyzeQuery("what happened in 2024 and on the 1st of may, don't you know?").exact).toEqual([]);
  });

  test("the part of dense terms is told", () => {
    expect(denseShare(analyzeQuery("防守 defense").terms)).toBeGreaterThan(0);
    expect(denseShare(analyzeQuery("defense").terms)).toBe(0);
  });

  test("a very long question has a bounded number of words", () => {
    const text = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(" ");
    expect(new Set(analyzeQuery(text).terms.map(({ word }) => word)).size).toBeLessThanOrEqual(64);
    const ideographs = Array.from({ length: 1500 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    expect(analyzeQuery(ideographs).terms.length).toBeLessThanOrEqual(128);
  });
});

test("any text gives clean terms, for document and question, and whatever is written is found again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const terms = analyze(text);
      for (const term of [...terms, ...queryTerms(text)]) {
        expect(term).toMatch(/^\S+$/u);
        expect(Buffer.byteLength(term)).toBeLessThanOrEqual(40);
      }
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
      for (const term of analyze(text)) expect(term).toMatch(/^\S+$/u);
    }),
  );
});

test("a character that folds to nothing gives no term", () => {
  expect(analyze("\ufc5e")).toEqual([]);
  expect(queryTerms("\ufc5e")).toEqual([]);
});

test("hostile runs are bounded", () => {
  for (const unit of ["a", "é", "a-", "'a", "aB", "\ud800", "1,", "漢", "e\u0301", "::", "C++"]) {
    const text = unit.repeat(200_000);
    expect(analyze(text).length).toBeLessThanOrEqual(2 * text.length);
    expect(analyzeQuery(text.slice(0, 8000)).terms.length).toBeLessThan(1000);
  }
});

test("contractions without their sign say nothing in an English question", () => {
  expect(analyzeQuery("whats the total of this invoice").words.map(({ written }) => written)).toEqual([
    "total",
    "invoice",
  ]);
});
