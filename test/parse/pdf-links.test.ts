/** Links of PDFs: boxes over a page that know nothing of the text below them. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { lines, makePdf, type PlacedLink, type PlacedText } from "../../tools/samples/pdf-file.ts";
import { parseBytes } from "./test-parser.ts";

/** Every letter of Courier is six tenths of its height wide. */
const letterWidth = 6;
const font = "Courier";
const uri = (address: string) => `/A << /S /URI /URI (${address}) >>`;

/** A link over the `nth` time that words stand in a line. */
const linkOver = (line: PlacedText, words: string, action: string, nth = 0): PlacedLink => {
  let at = line.text.indexOf(words);
  for (let count = 0; count < nth; count++) at = line.text.indexOf(words, at + 1);
  const left = line.x + at * letterWidth;
  return { box: [left, line.y - 2, left + words.length * letterWidth, line.y + 8], action };
};

const textOf = async (page: readonly PlacedText[], links: readonly PlacedLink[], options: { baseUrl?: string } = {}) =>
  (await parseBytes(makePdf([page], "", { font, links }), options)).text;

test("a link is written on just the words it covers; what leads nowhere outside is left out", async () => {
  const [first, second] = lines(
    ["Read the rules of the harbour before you come,", "write to the desk, or look at the harbour map now."],
    50,
    700,
  ) as [PlacedText, PlacedText];
  const links = [
    linkOver(first, "rules of the harbour", uri("https://harbour.example/rules")),
    linkOver(first, "before", "/Dest [4 0 R /Fit]"),
    linkOver(first, "you", "/A << /S /GoTo /D [4 0 R /Fit] >>"),
    linkOver(first, "come", uri("javascript:alert\\(1\\)")),
    linkOver(second, "write", uri("file:///etc/passwd")),
    linkOver(second, "the desk,", uri("mailto:desk@harbour.example")),
    linkOver(second, "harbour", uri("https://harbour.example/map")),
  ];
  expect(await textOf([first, second], links)).toBe(
    "Read the [rules of the harbour](https://harbour.example/rules) before you come, write to " +
      "[the desk](mailto:desk@harbour.example), or look at the [harbour](https://harbour.example/map) map now.",
  );
});

test("over the end of a line a link stays one, and a broken word or address is whole", async () => {
  const text = lines(
    [
      "The boats are told of in the book about har-",
      "bours and piers, which you find with more at",
      "https://harbour.example/books/all-of-",
      "them/part-one.html whenever you wish.",
    ],
    50,
    700,
  ) as [PlacedText, PlacedText, PlacedText, PlacedText];
  const book = uri("https://harbour.example/book");
  const all = uri("https://harbour.example/books/all-of-them/part-one.html");
  const links = [
    linkOver(text[0], "about har-", book),
    linkOver(text[1], "bours and piers", book),
    linkOver(text[2], "https://harbour.example/books/all-of-", all),
    linkOver(text[3], "them/part-one.html", all),
  ];
  expect(await textOf(text, links)).toBe(
    "The boats are told of in the book [about harbours and piers](https://harbour.example/book), which you find with " +
      "more at https://harbour.example/books/all-of-them/part-one.html whenever you wish.",
  );
});

test("of equal words each has its own link or none, in sentences, lists and tables", async () => {
  const sentence = { text: "One is here, two is here, three is here.", x: 50, y: 740 };
  const items = lines(["- Download", "- Download"], 50, 700) as [PlacedText, PlacedText];
  const rows = ["Mooring", "Fishing", "Landing", "Leaving"].map((form, row) =>
    [form, "Download", "12 kB"].map((text, column) => ({ text, x: 50 + column * 120, y: 640 - row * 14 })),
  );
  const cell = (row: number) => rows[row]?.[1] as PlacedText;
  const links = [
    linkOver(sentence, "here", uri("https://harbour.example/2"), 1),
    linkOver(items[1], "Download", uri("https://harbour.example/item")),
    linkOver(cell(1), "Download", uri("https://harbour.example/fishing.pdf")),
    linkOver(cell(3), "Download", uri("https://harbour.example/leaving.pdf")),
  ];
  expect(await textOf([sentence, ...items, ...rows.flat()], links)).toBe(
    "One is here, two is [here](https://harbour.example/2), three is here.\n\n" +
      "- Download\n- [Download](https://harbour.example/item)\n\n" +
      "| Mooring | Download | 12 kB |\n| --- | --- | --- |\n" +
      "| Fishing | [Download](https://harbour.example/fishing.pdf) | 12 kB |\n" +
      "| Landing | Download | 12 kB |\n| Leaving | [Download](https://harbour.example/leaving.pdf) | 12 kB |",
  );
});

test("an item's mark is no part of its link, and a box over a whole page is none", async () => {
  const item = { text: "- Fishing rules", x: 50, y: 700 };
  expect(await textOf([item], [linkOver(item, "- Fishing rules", uri("https://harbour.example/rules"))])).toBe(
    "- [Fishing rules](https://harbour.example/rules)",
  );
  const words = "The water stands in the streets for a week or two, and then it goes";
  const page = lines(
    Array.from({ length: 20 }, () => words),
    50,
    700,
  );
  const whole = { box: [0, 0, 600, 800] as const, action: uri("https://harbour.example/") };
  expect(await textOf(page, [whole])).toBe(await textOf(page, []));
});

test("a heading's link is no part of the title", async () => {
  const heading = { text: "The harbour", x: 50, y: 740, size: 20 };
  const link = { box: [98, 735, 200, 760] as const, action: uri("https://harbour.example/home") };
  const page = [heading, ...lines(["Some words about it follow here, and then some more.", "They end."], 50, 700)];
  const { text, title } = await parseBytes(makePdf([page], "", { font, links: [link] }));
  expect(title).toBe("The harbour");
  expect(text).toStartWith("# The [harbour](https://harbour.example/home)\n\nSome words");
});

test("an address that stands there is not said twice; one within a site is resolved against where the file is from", async () => {
  const line = { text: "See https://harbour.example. Or the timetable.", x: 50, y: 700 };
  const links = [
    linkOver(line, "https://harbour.example.", uri("https://harbour.example/")),
    linkOver(line, "timetable", uri("../times.pdf")),
  ];
  expect(await textOf([line], links)).toBe(line.text);
  expect(await textOf([line], links, { baseUrl: "https://harbour.example/files/guide.pdf" })).toBe(
    "See https://harbour.example. Or the [timetable](https://harbour.example/times.pdf).",
  );
});

test("on a page that stands turned, and on one of many", async () => {
  const line = { text: "Read the rules first.", x: 50, y: 700 };
  const links = [linkOver(line, "rules", uri("https://harbour.example/rules"))];
  const linked = "Read the [rules](https://harbour.example/rules) first.";
  const shifted = makePdf([[line]], "", { font, links, page: "/CropBox [20 30 580 790]" });
  expect((await parseBytes(shifted)).text).toBe(linked);
  // The text runs upwards on a page that is turned clockwise: the word begins nine letters above the text's start.
  const [from, to] = [9, 14].map((letters) => 400 + letters * letterWidth) as [number, number];
  const upwards = [{ box: [92, from, 102, to] as const, action: uri("https://harbour.example/rules") }];
  const placed = { ...line, x: 100, y: 400, upwards: true };
  const sideways = makePdf([[placed]], "", { font, links: upwards, page: "/Rotate 90" });
  expect((await parseBytes(sideways)).text).toBe(linked);
  expect((await parseBytes(makePdf([[line], [line]], "", { font, links }))).text).toBe(`${linked}\n\n${linked}`);
});

test("links add nothing but themselves, wherever they lie", async () => {
  const word = fc.stringMatching(/^[A-Za-z,.-]{1,9}$/);
  const line = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(" "));
  const box = fc.record({ x: fc.integer({ min: 0, max: 300 }), row: fc.nat(8), width: fc.nat(200), rows: fc.nat(2) });
  let withLinks = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.array(box, { minLength: 1, maxLength: 5 }),
      async (texts, boxes) => {
        const page = lines(texts, 50, 700);
        const links = boxes.map(({ x, row, width, rows }, index) => ({
          box: [50 + x, 698 - 12 * (row + rows), 50 + x + width, 708 - 12 * row] as const,
          action: uri(`https://harbour.example/${index}`),
        }));
        const linked = await textOf(page, links);
        if (linked.includes("](")) withLinks++;
        expect(linked.replace(/\[([^\]]*)\]\(https:\/\/harbour\.example\/\d\)/g, "$1")).toBe(await textOf(page, []));
      },
    ),
    { numRuns: 30 },
  );
  expect(withLinks).toBeGreaterThan(5);
});
