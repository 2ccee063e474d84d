/** Chinese, Japanese and Korean text whose font is not in the PDF: what its codes mean stands in predefined CMaps. */
import { expect, test } from "bun:test";
import iconv from "iconv-lite";
import { type CodedText, makeCidFontPdf } from "../../tools/samples/pdf-file.ts";
import { failureOf, never, parseBytes, testParser } from "./test-parser.ts";

const ferry = {
  simplified: "渡轮每天早上九点从北码头出发，星期日除外。",
  traditional: "渡輪每天早上九點從北碼頭出發，星期日除外。",
  japanese: "フェリーは、毎朝九時に北桟橋を出ます（日曜を除く）。",
  korean: "여객선은 매일 아침 아홉 시에 북쪽 부두에서 떠납니다.",
};
const coded = (text: string, charset: string, encoding: string, collection: string): CodedText => ({
  codes: new Uint8Array(iconv.encode(text, charset)),
  encoding,
  collection,
  x: 50,
  y: 700,
});

test.each([
  ["UniGB-UCS2-H", "GB1", "utf16-be", ferry.simplified],
  ["UniGB-UTF16-H", "GB1", "utf16-be", ferry.simplified],
  ["GBK-EUC-H", "GB1", "gbk", ferry.simplified],
  ["GBK2K-H", "GB1", "gb18030", ferry.simplified],
  ["UniCNS-UTF16-H", "CNS1", "utf16-be", ferry.traditional],
  ["ETen-B5-H", "CNS1", "big5", ferry.traditional],
  ["UniJIS-UTF16-H", "Japan1", "utf16-be", ferry.japanese],
  ["90ms-RKSJ-H", "Japan1", "shift_jis", ferry.japanese],
  ["EUC-H", "Japan1", "euc-jp", ferry.japanese],
  ["UniKS-UTF16-H", "Korea1", "utf16-be", ferry.korean],
  ["KSCms-UHC-H", "Korea1", "cp949", ferry.korean],
])("%s", async (encoding, collection, charset, text) => {
  const { text: read, warnings } = await parseBytes(makeCidFontPdf([coded(text, charset, encoding, collection)]));
  expect(read).toBe(text);
  expect(warnings).toEqual([]);
});

/** Glyphs by their numbers in Adobe's character collections. */
test.each([
  ["Japan1", [34, 842, 843, 1125], "Aぁあ亜"],
  ["GB1", [34, 4559], "A中"],
  ["CNS1", [34, 595, 596], "A一乙"],
  ["Korea1", [34, 1086, 1087], "A가각"],
] as const)("Identity-H of Adobe-%s", async (collection, glyphs, text) => {
  const codes = new Uint8Array(glyphs.flatMap((glyph) => [glyph >> 8, glyph & 255]));
  const pdf = makeCidFontPdf([{ codes, encoding: "Identity-H", collection, x: 50, y: 700 }]);
  expect((await parseBytes(pdf)).text).toBe(text);
});

test("text written from above to below is read line by line from the right, its punctuation as elsewhere", async () => {
  const lines = [
    "港の事務所は古い灯台の隣に",
    "あり、「北桟橋」と呼ばれる",
    "停留所から歩いて五分です。",
    "夏は七時に開きます。",
  ];
  const vertical = lines.map((line, index) => ({
    ...coded(line, "shift_jis", "90ms-RKSJ-V", "Japan1"),
    x: 500 - index * 18,
  }));
  const page = { ...coded("12", "shift_jis", "90ms-RKSJ-H", "Japan1"), x: 290, y: 30 };
  // In the file the left line stands first.
  const { text } = await parseBytes(makeCidFontPdf([page, ...vertical.toReversed()]));
  expect(text).toBe(`${lines.join("")}\n\n12`);
});

test("text written both ways comes whole", async () => {
  const title = { ...coded("渡船のご案内", "shift_jis", "90ms-RKSJ-H", "Japan1"), size: 20, y: 740 };
  const body = { ...coded(ferry.japanese, "utf16-be", "UniJIS-UTF16-V", "Japan1"), x: 400 };
  expect((await parseBytes(makeCidFontPdf([body, title]))).text).toBe(`# 渡船のご案内\n\n${ferry.japanese}`);
});

test("text in an encoding nobody knows is left out; a PDF of nothing else says that it cannot be read", async () => {
  const unknown = { ...coded("フェリー", "shift_jis", "Nowhere-H", "Japan1"), y: 600 };
  const known = coded(ferry.japanese, "shift_jis", "90ms-RKSJ-H", "Japan1");
  expect((await parseBytes(makeCidFontPdf([unknown, known]))).text).toBe(ferry.japanese);
  const failure = await failureOf(parseBytes(makeCidFontPdf([unknown])));
  expect(failure).toMatchObject({ code: "no_text", status: 422 });
  expect(failure.detail).toStartWith("The PDF holds no text that can be read (1 page)");
});

test("the parsing process finds the maps as well, several in one file", async () => {
  const parser = testParser();
  try {
    const bytes = makeCidFontPdf([
      coded(ferry.korean, "cp949", "KSCms-UHC-H", "Korea1"),
      { ...coded(ferry.traditional, "big5", "ETen-B5-H", "CNS1"), y: 640 },
    ]);
    const { text } = await parser.parse({ bytes, name: "ferry.pdf", mimeType: null }, never);
    expect(text).toBe(`${ferry.korean}\n\n${ferry.traditional}`);
  } finally {
    await parser.close();
  }
});
