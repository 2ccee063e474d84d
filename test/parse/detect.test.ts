import { expect, test } from "bun:test";
import iconv from "iconv-lite";
import { decodeText } from "../../src/parse/containers/charset.ts";
import { detectTextKind } from "../../src/parse/detect/text-kind.ts";
import { makeZip } from "../../tools/samples/zip-file.ts";
import { failureOf, parseBytes } from "./test-parser.ts";

const sentence: Record<string, string> = {
  "windows-1252": "Größe und Länge: 45,90 € für drei Stühle im Büro, très chaud cette année.",
  "windows-1251": "Съешь же ещё этих мягких французских булок, да выпей чаю. Это обычный русский текст.",
  Shift_JIS: "これは日本語の文章です。東京タワーは高さ三百三十三メートルです。",
  "EUC-KR": "할인점은 온라인몰도 포함되며 임대매장은 제외됩니다. 적립 혜택은 매출전표 접수 시점 기준입니다.",
  GB18030: "这是一个中文文档。文件的字符集应当被正确识别出来。",
  Big5: "這是一個中文文件。字元集應當被正確識別出來，謝謝您的閱讀。",
  "utf-8": "Naïve café — 東京 😀",
};

test.each(Object.keys(sentence))("%s is recognized without a declaration", (charset) => {
  const text = sentence[charset] as string;
  expect(decodeText(new Uint8Array(iconv.encode(text, charset)), null).text).toBe(text);
});

/** Files of one or two lines, as people drop them in. */
const shortFiles: [charset: string, ...texts: string[]][] = [
  ["windows-1252", "Name;Ort;Größe\nJürgen;Köln;1,80\n", "Preis: 45 €, Lieferung übermorgen", "café", "Grüße"],
  ["windows-1252", "L’été à Besançon, «très» agréable", "Año;Nombre\n2024;Muñoz\n", "Rødgrød med fløde på bordet"],
  ["windows-1250", "Imię;Miasto\nŁukasz;Łódź\nMałgorzata;Kraków\n", "Dobrý den, děkuji za účast"],
  ["windows-1250", "Név;Város\nGyőző;Győr\nJános;Székesfehérvár\n", "Nume;Oraş\nŞtefan;Iaşi\n"],
  ["iso-8859-2", "Příliš žluťoučký kůň", "Imię;Miasto\nŁukasz;Łódź\n"],
  ["windows-1251", "Имя;Город\nИван;Москва\nОльга;Тверь\n", "Да, конечно", "Добър ден, къде е пощата?"],
  ["koi8-r", "Счёт на оплату от 12 марта 2024 г.", "Привет, мир"],
  ["windows-1253", "Όνομα;Πόλη\nΓιώργος;Αθήνα\n"],
  ["windows-1254", "Ad;Şehir\nAyşe;İzmir\nÇağrı;Muğla\n"],
  ["windows-1255", "שם;עיר\nדוד;חיפה\n"],
  ["windows-1256", "الاسم;المدينة\nأحمد;القاهرة\n"],
  ["Shift_JIS", "名前,年齢,都市\n田中,34,東京\n佐藤,28,大阪\n", "これはテストです。", "会議の議事録"],
  ["EUC-JP", "名前,年齢,都市\n田中,34,東京\n", "商品名,価格\nりんご,120\n"],
  ["GB18030", "姓名,年龄,城市\n王芳,34,北京\n李伟,28,上海\n", "你好，世界", "合同编号"],
  ["Big5", "姓名,年齡,城市\n王芳,34,臺北\n", "會議紀錄"],
  ["EUC-KR", "이름,나이,도시\n김철수,34,서울\n", "회의록"],
];

test.each(shortFiles)("a short file in %s is recognized", (charset, ...texts) => {
  const read = texts.map((text) => decodeText(new Uint8Array(iconv.encode(text, charset)), null));
  expect(read.map(({ text }) => text)).toEqual(texts);
  expect(read.every(({ isText }) => isText)).toBe(true);
});

test("UTF-8 with a broken byte is still UTF-8", () => {
  const bytes = new TextEncoder().encode("Größe, Länge und Höhe für drei Stühle, très chaud, à côté, même là, déjà vu");
  bytes[40] = 0xe9;
  expect(decodeText(bytes, null)).toMatchObject({ charset: "utf-8", isText: true });
});

test.each(["utf-16le", "utf-16be", "utf-32le"])("%s is recognized by its mark", (charset) => {
  expect(decodeText(new Uint8Array(iconv.encode("Größe 東京", charset, { addBOM: true })), null).text).toBe(
    "Größe 東京",
  );
});

test("UTF-16 without a mark is recognized by its zeros", () => {
  expect(decodeText(new Uint8Array(iconv.encode("plain text", "utf-16le")), null).text).toBe("plain text");
  expect(decodeText(new Uint8Array(iconv.encode("plain text", "utf-16be")), null).text).toBe("plain text");
});

test("a declared charset decides where the bytes cannot tell, and only there", () => {
  const cyrillic = new Uint8Array(iconv.encode("Да", "koi8-r"));
  expect(decodeText(cyrillic, "koi8-r").text).toBe("Да");
  const utf8 = new TextEncoder().encode("Größe");
  expect(decodeText(utf8, "windows-1252").text).toBe("Größe");
  const page = iconv.encode('<meta charset="iso-8859-2"><p>Žluťoučký kůň</p>', "iso-8859-2");
  expect(decodeText(new Uint8Array(page), null).text).toContain("Žluťoučký kůň");
  expect(decodeText(cyrillic, "no-such-charset").isText).toBe(true);
});

test("binary bytes are not text", () => {
  const noise = Uint8Array.from({ length: 2000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256);
  expect(decodeText(noise, null).isText).toBe(false);
});

const mail =
  "From: a@example.com\r\nTo: b@example.com\r\nSubject: Hi\r\nMessage-ID: <1@x>\r\nMIME-Version: 1.0\r\n\r\nHello";

test.each([
  // Content decides over name and type.
  ["<!doctype html><p>x", "text/plain", "a.txt", "html"],
  ['<?xml version="1.0"?><a/>', "text/plain", "a.txt", "xml"],
  ['<?xml version="1.0"?><!DOCTYPE html><html></html>', null, "a.xml", "html"],
  ['{"a": 1}', "text/plain", "a.txt", "json"],
  ['{"a": 1}\n{"a": 2}\n', null, "a.txt", "jsonl"],
  [mail, "text/plain", "a.txt", "email"],
  ["{\\rtf1 x}", "text/plain", "a.txt", "rtf"],
  // Content cannot tell: the type decides over the name.
  ["a,b\n1,2\n", "text/csv", "a.txt", "csv"],
  ["a\tb\n", "text/csv", "a.tsv", "csv"],
  ["# Title\n", "text/markdown", "a.txt", "markdown"],
  ["key: value\n", "application/yaml", "a.txt", "yaml"],
  ["a\tb\n", null, "a.tsv", "tsv"],
  ["key: value\n", null, "a.yml", "yaml"],
  ["# Title\n", null, "a.md", "markdown"],
  ['<div align="center">\n\n# Readme\n', null, "README.md", "markdown"],
  // A type that only says that it is text is no claim against the name; without a type a table is told by its rows.
  ["a,b\n1,2\n", "text/plain", "a.csv", "csv"],
  ["# Title\n", "text/plain", "a.md", "markdown"],
  ["name,age\nAnn,3\nBo,4\n", null, null, "csv"],
  ["name,age\nAnn,3\nBo,4\n", "text/plain", null, "text"],
  ["name\tage\nAnn\t3\nBo\t4\n", null, "people.txt", "tsv"],
  ["name;age\nAnn;3\nBo;4\n", null, "people", "csv"],
  ["# Title\n", "text/plain", "a.txt", "text"],
  ["f(a,b)\ng(c,d)\nh(e,f)\n", "text/plain", null, "text"],
  ["Yes, indeed.\nNo, never.\nWell, perhaps.\n", "text/plain", "a.txt", "text"],
  ["1,2,3\n4,5,6\n7,8,9\n", "text/plain", "a.log", "text"],
  // A claim that the content denies is not believed.
  ["just words", "text/html", "a.html", "text"],
  ["just words", null, "a.rtf", "text"],
  ["just words", null, "a.eml", "text"],
  ["just words", "application/xml", "a.md", "markdown"],
  // Nothing is declared.
  ["a,b,c\n1,2,3\n4,5,6\n", null, null, "csv"],
  ["a;b;c\n1;2;3\n4;5;6\n", null, "data", "csv"],
  ["a\tb\tc\n1\t2\t3\n4\t5\t6\n", null, null, "tsv"],
  ["name,age\nAnn,3\nBo,4\n", null, null, "csv"],
  ["id;name;city\n1;Ann;Bonn\n", null, null, "csv"],
  ["# Title\n\nwords", null, null, "markdown"],
  ["Words, and more words.\nA second line, with a comma.\nAnd a third, too.", null, null, "text"],
  ["<p>Hello</p>", null, null, "html"],
  ["<note><to>Ann</to></note>", null, null, "xml"],
  ["To: Ann\nFrom: Bob\nDate: today\nSubject: memo\n\nplain memo", null, "memo.txt", "text"],
] as const)("%j as %p, %p is %s", (text, mimeType, name, kind) => {
  expect(detectTextKind(text, mimeType, name)).toBe(kind);
});

test("the declared type's charset and name are used where they help", async () => {
  const file = await parseBytes(new Uint8Array(iconv.encode("Да", "koi8-r")), {
    mimeType: "text/plain; charset=koi8-r",
  });
  expect(file).toMatchObject({ text: "Да", mimeType: "text/plain" });
  expect((await parseBytes("x", { mimeType: "text/x-rst" })).mimeType).toBe("text/x-rst");
});

test("binary kinds are known by content whatever they are called", async () => {
  const png = Uint8Array.from([
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1,
  ]);
  expect(await failureOf(parseBytes(png, { name: "a.txt", mimeType: "text/plain" }))).toMatchObject({
    code: "unsupported_file_type",
    status: 415,
  });
  const odd = makeZip([{ name: "note.txt", content: "inside" }]);
  expect((await parseBytes(odd, { name: "a.docx" })).mimeType).toBe("application/zip");
});

test("an old Office file that cannot be opened is refused as what it is called, any other as broken", async () => {
  const broken = new Uint8Array(600);
  broken.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const called = [{ name: "a.DOC" }, { name: "b.xls" }, { name: "c.ppt" }, { mimeType: "application/msword" }];
  for (const file of called) {
    const failure = await failureOf(parseBytes(broken, file));
    expect(failure).toMatchObject({ code: "unsupported_file_type", status: 415 });
    expect(failure.detail).toContain("Unstructured");
  }
  expect(await failureOf(parseBytes(broken, { name: "a.msg" }))).toMatchObject({
    code: "unreadable_file",
    status: 422,
  });
});

test("garbage is a 415, an archive cut off or locked a 422", async () => {
  const noise = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7919 + (index >> 2) * 13) % 256);
  expect(await failureOf(parseBytes(noise, { name: "a.pdf" }))).toMatchObject({ code: "unsupported_file_type" });
  const zip = makeZip([{ name: "a.txt", content: "x".repeat(1000) }]);
  expect(await failureOf(parseBytes(zip.subarray(0, 60)))).toMatchObject({ code: "unreadable_file", status: 422 });
  const locked = makeZip([{ name: "a.txt", content: "x", flags: 1 }]);
  const failure = await failureOf(parseBytes(locked));
  expect(failure.status).toBe(422);
  expect(failure.detail).toContain("locked");
});
