import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { markWarnings } from "../../../src/answers/marks/checked-marks.ts";
import { createCitationFilter } from "../../../src/answers/marks/citation-filter.ts";

const sources = [
  { text: "House rules\nIn winter the reading room opens at nine in the morning and closes at seventeen." },
  { text: "Menu 2021\nCoffee in the garden house costs 250 cents, and tea 180 cents; sugar is free." },
  { text: "Fire drill\nWhen the bell rings, every visitor leaves the building through the northern gate." },
];

const check = (answer: string, over = sources) => {
  const filter = createCitationFilter(over);
  const text = filter.push(answer) + filter.end();
  return { text, ...filter.report };
};

describe("a mark", () => {
  test.each([
    ["after its sentence", "The reading room opens at nine in winter [1]. Coffee costs 250 cents [2]."],
    ["after the full stop", "The reading room opens at nine in winter. [1] Coffee costs 250 cents. [2]"],
    ["within its sentence", "The reading room opens at nine in winter [1], and the coffee costs 250 cents [2]."],
    ["before its statement", "According to [2], the coffee in the garden house costs 250 cents."],
    ["at the beginning", "[2] says that the coffee in the garden house costs 250 cents."],
    ["of a list item", "- **Winter:** the reading room opens at nine [1]\n- garden house coffee costs 250 cents [2]"],
    ["of a table row", "| reading room | winter | opens at nine [1] |\n| coffee | garden house | 250 cents [2] |"],
    ["on a line of its own", "In winter the reading room opens at nine.\n[1]\n"],
    ["after several sentences", "The reading room opens at nine in winter. It is pleasantly warm there then. [1]"],
    [
      "of two sources together",
      "The reading room opens in winter at nine, and garden house coffee costs 250 cents [1][2].",
    ],
    ["of few words", "Yes [3]. At nine [2]."],
    ["in a list of sources", "Sources:\n[1] House rules\n[2] Menu 2021"],
  ])("%s stays where it is right", (_, answer) => {
    expect(check(answer)).toMatchObject({ text: answer, unsupported: 0, moved: 0, numbers: [] });
  });

  test("that another snippet clearly fits is moved there", () => {
    expect(check("In winter the reading room opens at nine in the morning [3]. The end.")).toMatchObject({
      text: "In winter the reading room opens at nine in the morning [1]. The end.",
      moved: 1,
      unsupported: 0,
    });
    expect(check("In winter the reading room opens at nine in the morning [1][3].").text).toBe(
      "In winter the reading room opens at nine in the morning [1].",
    );
  });

  test("that nothing supports is taken out, with its space", () => {
    const right = "The reading room opens at nine in winter [1].";
    const { text, unsupported, cited } = check(
      `${right} Whales are mammals that breathe air through blowholes [2]. Yes.`,
    );
    expect(text).toBe(`${right} Whales are mammals that breathe air through blowholes. Yes.`);
    expect(unsupported).toBe(1);
    expect([...cited]).toEqual([1]);
  });

  test("that nothing supports is left, and told of, as long as nothing was supported", () => {
    const answer =
      "Whales are mammals that breathe air through blowholes [2]. Sharks have gills instead of lungs [1][3].";
    expect(check(answer)).toMatchObject({ text: answer, unsupported: 0, doubtful: 3, moved: 0 });
    expect(
      check(`${answer} The reading room opens at nine in winter [1]. Bats sleep in caves hanging upside down [1].`),
    ).toMatchObject({
      text: `${answer} The reading room opens at nine in winter [1]. Bats sleep in caves hanging upside down.`,
      unsupported: 1,
      doubtful: 3,
    });
  });

  test("in another language than its snippet stays: words cannot tell", () => {
    const answer = "Im Winter öffnet der Lesesaal um neun Uhr morgens und schließt abends [1].";
    expect(check(answer)).toMatchObject({ text: answer, unsupported: 0 });
    const chinese = "冬天阅览室上午九点开门，下午五点关门，欢迎各位读者光临 [1]。";
    expect(check(chinese)).toMatchObject({ text: chinese, unsupported: 0 });
  });

  test("in code is not looked at", () => {
    const answer = "`whales[2] breathe air through blowholes`\n```\nwhales breathe air through blowholes [2]\n```\n";
    expect(check(answer)).toMatchObject({ text: answer, unsupported: 0 });
  });
});

test.each([
  ["Chinese", ["夏天阅览室上午八点开门。", "花园里的咖啡每杯卖两块五。", "铃响时所有人从北门离开大楼。"]],
  ["Thai", ["ห้องสมุดเปิดเวลาแปดโมงเช้าทุกวันในฤดูร้อน", "กาแฟในสวนราคาแก้วละห้าสิบบาท", "เมื่อระฆังดังทุกคนต้องออกทางประตูทิศเหนือ"]],
  [
    "Arabic",
    [
      "تفتح قاعة القراءة أبوابها في الثامنة صباحا صيفا.",
      "ثمن القهوة في بيت الحديقة خمسون درهما.",
      "عند رنين الجرس يغادر الزوار المبنى من البوابة الشمالية.",
    ],
  ],
  [
    "Hebrew",
    [
      "אולם הקריאה נפתח בשעה שמונה בבוקר בקיץ.",
      "הקפה בבית הגן עולה חמישה שקלים.",
      "כשהפעמון מצלצל כל המבקרים יוצאים דרך השער הצפוני.",
    ],
  ],
  [
    "Hindi",
    [
      "गर्मियों में वाचनालय सुबह आठ बजे खुलता है।",
      "बगीचे के घर में कॉफी पचास रुपये की है।",
      "घंटी बजने पर सभी लोग उत्तरी द्वार से निकलते हैं।",
    ],
  ],
])("%s: right marks stay, exchanged ones do not", (_, texts) => {
  const over = texts.map((text) => ({ text }));
  const answer = (order: readonly number[]) => texts.map((text, index) => `${text} [${order[index]}]`).join(" ");
  expect(check(answer([1, 2, 3]), over)).toMatchObject({ text: answer([1, 2, 3]), unsupported: 0, moved: 0 });
  const { unsupported, moved } = check(answer([2, 3, 1]), over);
  expect(unsupported + moved).toBe(3);
});

describe("numbers", () => {
  test("that the marked snippets do not contain are named, and the mark stays", () => {
    const answer = "Coffee in the garden house costs 275 cents, and tea 180 cents [2].";
    expect(check(answer)).toMatchObject({ text: answer, numbers: ["275 [2]"], unsupported: 0 });
  });

  test.each([
    ["1,250 of 07 and 3.50", "It was 1250, then 7 and 3,5 and 3,50."],
    ["12.500 people", "About 12 500 people came, 12,500 exactly."],
    ["२०२४ में", "In 2024."],
    ["5 000 1 000", "They had 5000 and 1000."],
    ["on 2024-05-17", "On 17 May 2024."],
    ["three of twelve", "It was 3 of 12."],
    ["a town", "1. It is 7 km away: see https://example.com/2024/99."],
  ])("%s", (source, statement) => {
    const over = [{ text: source }];
    expect(check(`${statement} [1]`, over).numbers).toEqual(statement.includes("3,5 ") ? ["3,5 [1]"] : []);
  });

  test("belong to the statement before their mark", () => {
    const answer = "The reading room opens at nine [1] and garden house coffee costs 250 cents [2].";
    expect(check(answer).numbers).toEqual([]);
  });
});

describe("what is held back", () => {
  const filterOver = () => createCitationFilter(sources);

  test("is nothing while marks are right", () => {
    const filter = filterOver();
    expect(filter.push("In winter the reading room opens at nine [1] and")).toBe(
      "In winter the reading room opens at nine [1] and",
    );
  });

  test("is the rest of the sentence where its beginning does not support the mark", () => {
    const filter = filterOver();
    expect(filter.push("As the wonderful manager proudly said [2] the garden")).toBe(
      "As the wonderful manager proudly said",
    );
    expect(filter.push(" house coffee costs 250 cents, sugar is free.")).toBe("");
    expect(filter.push(" Yes")).toBe(" [2] the garden house coffee costs 250 cents, sugar is free. Yes");
  });

  test("has a bound", () => {
    const filter = filterOver();
    filter.push("As the wonderful manager proudly said [2]");
    let sent = "";
    for (let piece = 0; piece < 60 && sent === ""; piece++) sent = filter.push(" and so on and on");
    expect(sent).not.toBe("");
  });
});

test("pieces of any size give the same answer, which is the model's but for its marks", () => {
  const parts = fc.constantFrom(
    "In winter the reading room opens at nine",
    "garden house coffee costs 250 cents",
    "whales breathe air through blowholes",
    " [1]",
    "[2]",
    " [3]",
    " [1, 2]",
    " [9]",
    ". ",
    "\n",
    "```\n",
    "`a[1]`",
    "。",
    "😀",
  );
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 25 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (tokens, sizes) => {
        const answer = tokens.join("");
        const whole = filterText([answer]);
        const pieces: string[] = [];
        for (let at = 0; at < answer.length; ) {
          const size = sizes.next().value ?? 1;
          pieces.push(answer.slice(at, at + size));
          at += size;
        }
        expect(filterText(pieces)).toBe(whole);
        const bare = (text: string) => text.replace(/ ?\[[\d, ]+\]/g, "").replace(/\s/g, "");
        expect(bare(whole)).toBe(bare(answer));
      },
    ),
    { numRuns: 300 },
  );
});

const filterText = (pieces: readonly string[]): string => {
  const filter = createCitationFilter(sources);
  return pieces.map((piece) => filter.push(piece)).join("") + filter.end();
};

test("hostile answers take time linear in their length", () => {
  for (const unit of [
    "[1]",
    "a [2] ",
    "whales breathe air through blowholes [2] and ",
    "[1-3]",
    ". [3]",
    "\n[1]",
    "` [1] ",
  ]) {
    const filter = createCitationFilter(Array.from({ length: 50 }, () => sources[0] ?? { text: "" }));
    const answer = unit.repeat(Math.ceil(20_000 / unit.length));
    for (let at = 0; at < answer.length; at += 2_000) filter.push(answer.slice(at, at + 2_000));
    filter.end();
  }
}, 60_000);

test("the receipt says what was done", () => {
  const report = { dropped: 0, unsupported: 0, doubtful: 0, moved: 0, numbers: [] as string[], cited: new Set([1]) };
  expect(markWarnings(report, true)).toEqual([]);
  expect(markWarnings({ ...report, unsupported: 1, moved: 2 }, true)).toEqual([
    "1 mark in the answer pointed to a snippet that does not support the statement and was taken out.",
    "2 marks in the answer were moved to the snippet that supports the statement.",
  ]);
  expect(markWarnings({ ...report, doubtful: 1 }, true)).toEqual([
    "1 mark in the answer may not be supported by the snippet: the snippet contains hardly a word of the statement. Check it.",
  ]);
  expect(markWarnings({ ...report, numbers: ["1998 [2]"] }, true)).toEqual([
    "Numbers in the answer that the marked snippets do not contain: 1998 [2].",
  ]);
  const many = Array.from({ length: 9 }, (_, index) => `${index + 20} [1]`);
  expect(markWarnings({ ...report, numbers: many }, true)[0]).toEndWith("24 [1] and 4 more.");
  expect(markWarnings({ ...report, cited: new Set() }, true)).toHaveLength(1);
  expect(markWarnings({ ...report, cited: new Set(), unsupported: 1 }, true)).toHaveLength(1);
});
