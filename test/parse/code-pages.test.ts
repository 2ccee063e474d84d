import { expect, test } from "bun:test";
import iconv from "iconv-lite";
import { decodeText } from "../../src/parse/containers/charset.ts";
import { openZip } from "../../src/parse/containers/zip.ts";
import { makeOutlookMessage, type SampleMessage } from "../../tools/samples/outlook-message.ts";
import { makeZip, unicodePath } from "../../tools/samples/zip-file.ts";
import { parseBytes } from "./test-parser.ts";

const namesOf = (zip: Uint8Array) => openZip(zip, { remainingBytes: 1_000_000 }).names;

test("a zip's names are read as UTF-8 where flagged or valid, else as code page 437", async () => {
  const cp437 = (name: string) => new Uint8Array(iconv.encode(name, "cp437"));
  const utf8 = (name: string) => new TextEncoder().encode(name);
  const zip = makeZip([
    { name: "Żółć.txt", content: "flagged" },
    { name: utf8("東京.txt"), content: "not flagged" },
    { name: cp437("Übersicht für März.txt"), content: "spring" },
    { name: cp437("señal ½.txt"), content: "signal" },
    { name: cp437("plain.txt"), content: "plain" },
  ]);
  expect(namesOf(zip)).toEqual(["Żółć.txt", "東京.txt", "Übersicht für März.txt", "señal ½.txt", "plain.txt"]);
  const { text } = await parseBytes(zip);
  expect(text).toContain("# Übersicht für März.txt\n\nspring");
});

test("a zip's Unicode path field names a file where its checksum is that of the name", () => {
  const stored = new Uint8Array(iconv.encode("?????.txt", "cp437"));
  const zip = makeZip([
    { name: stored, content: "a", extra: unicodePath(stored, "Привет.txt") },
    { name: stored, content: "b", extra: unicodePath(new TextEncoder().encode("renamed"), "stale.txt") },
    { name: "whole.txt", content: "c", extra: Uint8Array.from([0x75, 0x70, 0xff, 0xff, 1]) },
  ]);
  expect(namesOf(zip)).toEqual(["Привет.txt", "?????.txt", "whole.txt"]);
});

const property = {
  subject: 0x0037,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  displayTo: 0x0e04,
  body: 0x1000,
  html: 0x1013,
  sentTime: 0x0039,
  attachmentData: 0x3701,
  attachmentLongName: 0x3707,
  messageCodePage: 0x3ffd,
  internetCodePage: 0x3fde,
};

const ansi = (text: string, charset: string) => ({ ansi: new Uint8Array(iconv.encode(text, charset)) });

/** A message without UTF-16, as Outlook wrote them for code pages. */
const ansiMessage = (codePage: number, charset: string, words: { subject: string; name: string }): SampleMessage => ({
  properties: [
    { id: property.messageCodePage, value: codePage },
    { id: property.subject, value: ansi(words.subject, charset) },
    { id: property.senderName, value: ansi(words.name, charset) },
    { id: property.senderAddress, value: ansi("a@x.example", charset) },
    { id: property.displayTo, value: ansi(words.name, charset) },
    { id: property.sentTime, value: new Date("2024-02-29T10:30:00Z") },
    { id: property.body, value: ansi(`${words.subject}.`, charset) },
  ],
  attachments: [
    [
      { id: property.attachmentLongName, value: ansi(`${words.name}.txt`, charset) },
      { id: property.attachmentData, value: new TextEncoder().encode("attached") },
    ],
  ],
});

test.each([
  [1251, "cp1251", { subject: "Да", name: "Анна" }],
  [1250, "cp1250", { subject: "Žádost", name: "Řehoř" }],
  [1253, "cp1253", { subject: "Νέα", name: "Άννα" }],
  [932, "cp932", { subject: "会議", name: "山田" }],
  [936, "cp936", { subject: "会议", name: "王芳" }],
  [949, "cp949", { subject: "회의", name: "김" }],
  [28592, "iso-8859-2", { subject: "Łódź", name: "Śliwa" }],
  [20866, "koi8-r", { subject: "Да", name: "Анна" }],
  [65001, "utf-8", { subject: "Grüße", name: "Jürgen" }],
])("a message's texts are read in its code page %p", async (codePage, charset, words) => {
  const { title, text } = await parseBytes(makeOutlookMessage(ansiMessage(codePage, charset, words)));
  expect(title).toBe(words.subject);
  expect(text).toBe(
    `# ${words.subject}\n\nFrom: ${words.name} <a@x.example>\nTo: ${words.name}\nDate: 2024-02-29T10:30:00.000Z\n\n` +
      `${words.subject}.\n\n## Attachment: ${words.name}.txt\n\nattached`,
  );
});

test("a message without a code page, or with an unknown one, is read by what its bytes look like", async () => {
  const { properties } = ansiMessage(99_999, "cp1252", { subject: "Grüße aus Köln", name: "Jürgen" });
  for (const shown of [properties, properties.slice(1)])
    expect((await parseBytes(makeOutlookMessage({ properties: shown }))).title).toBe("Grüße aus Köln");
});

test("a formatted body is read in the message's internet code page, whatever page its texts are in", async () => {
  const properties = [
    { id: property.messageCodePage, value: 1252 },
    { id: property.internetCodePage, value: 20866 },
    { id: property.subject, value: ansi("Grüße", "cp1252") },
    { id: property.html, value: new Uint8Array(iconv.encode("<p>Да</p>", "koi8-r")) },
  ];
  const { text, title } = await parseBytes(makeOutlookMessage({ properties }));
  expect(title).toBe("Grüße");
  expect(text).toEndWith("\n\nДа");
});

test("a message inside another has a code page of its own", async () => {
  const inner = ansiMessage(1251, "cp1251", { subject: "Да", name: "Анна" });
  const outer = ansiMessage(1252, "cp1252", { subject: "Grüße", name: "Jürgen" });
  const { text } = await parseBytes(makeOutlookMessage({ ...outer, attachments: [inner] }));
  expect(text).toContain("# Grüße");
  expect(text).toContain("## Attachment: Да\n\nFrom: Анна <a@x.example>\nTo: Анна\nDate: 2024-02-29T10:30:00.000Z");
});

test("rtf is read in its code page, also one that is no Windows page", async () => {
  const rtf = (codePage: number, bytes: string) => String.raw`{\rtf1\ansi\ansicpg${codePage} ${bytes}\par}`;
  const escaped = (text: string, charset: string) =>
    [...iconv.encode(text, charset)].map((byte) => `\\'${byte.toString(16).padStart(2, "0")}`).join("");
  expect((await parseBytes(rtf(10_000, escaped("Größe", "macintosh")))).text).toBe("Größe");
  expect((await parseBytes(rtf(1251, escaped("Да", "cp1251")))).text).toBe("Да");
  expect((await parseBytes(rtf(65_001, escaped("東京", "utf-8")))).text).toBe("東京");
});

test("short texts of Mac, DOS and Japanese programs, and UTF-16 without a mark, are read by which letters stand where they may", async () => {
  for (const [charset, text] of [
    ["macintosh", "Name;Stadt\rMüller;Köln\rGröße;Düsseldorf\r"],
    ["cp850", "Größe;Länge\r\nMüller;Köln\r\n"],
    ["shift_jis", "名前,年齢\n田中,25\n鈴木,30\n"],
    ["gbk", "姓名,年龄\n张三,25\n李四,30\n"],
    ["big5", "產品,價格\n蘋果,35\n香蕉,20\n"],
    ["euc-kr", "이름,나이\n김철수,25\n이영희,30\n"],
    ["utf-16le", "姓名,年龄\n张三,25\n"],
    ["windows-1252", "“détail” – l’école: 3 € à Évian\n"],
  ] as const)
    expect(decodeText(iconv.encode(text, charset), null)).toMatchObject({ text, isText: true });
  const { text } = await parseBytes(iconv.encode("Name;Stadt\rMüller;Köln\rSöhne;Bonn\r", "macintosh"), {
    name: "a.csv",
  });
  expect(text).toContain("| Müller | Köln |");
});
