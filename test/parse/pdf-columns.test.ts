/** Tables beside and above columns of running text. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { besideOneAnother } from "../../src/parse/formats/pdf/beside.ts";
import { pageRegions } from "../../src/parse/formats/pdf/layout.ts";
import { buildRows } from "../../src/parse/formats/pdf/rows.ts";
import { lines, makePdf, type PlacedText } from "../../tools/samples/pdf-file.ts";
import { parseBytes } from "./test-parser.ts";

const left = [
  "The harbour office lies beside the old light-",
  "house. It opens at nine on every day but one,",
  "and whoever has lost a glove on the ferry may",
  "ask for it there. Most of them are never seen",
  "again, for the wind takes what nobody holds.",
];
const right = [
  "The ferry itself is older than the pier where",
  "it lands. It was built for a lake, and it has",
  "a flat bottom, so that it rolls when the wind",
  "comes from the west. Children like it, but it",
  "is no pleasure for those who have just eaten.",
];
const [leftText, rightText] = [
  "The harbour office lies beside the old lighthouse. It opens at nine on every day but one, and whoever has lost a " +
    "glove on the ferry may ask for it there. Most of them are never seen again, for the wind takes what nobody holds.",
  "The ferry itself is older than the pier where it lands. It was built for a lake, and it has a flat bottom, so that " +
    "it rolls when the wind comes from the west. Children like it, but it is no pleasure for those who have just eaten.",
];
const columns = (y: number) => [...lines(left, 50, y), ...lines(right, 320, y)];

const cells = [
  ["Ticket", "Price", "Valid"],
  ["Single", "4", "a day"],
  ["Return", "7", "a week"],
  ["Ten", "30", "a year"],
];
const tableText =
  "| Ticket | Price | Valid |\n| --- | --- | --- |\n| Single | 4 | a day |\n| Return | 7 | a week |\n| Ten | 30 | a year |";
const table = (rows: readonly (readonly string[])[], starts: readonly number[], y: number): PlacedText[] =>
  rows.flatMap((row, index) => row.map((text, column) => ({ text, x: starts[column] ?? 0, y: y - index * 14 })));
const textOf = async (page: readonly PlacedText[]) => (await parseBytes(makePdf([page]))).text;

test.each([
  ["none of its cells across the gutter", [50, 200, 450]],
  ["a column of it across the gutter", [60, 308, 500]],
  ["two thirds of it over the right column", [50, 330, 450]],
])("a table over both columns stays whole: %s", async (_, starts) => {
  expect(await textOf([...table(cells, starts, 700), ...columns(630)])).toBe(
    `${tableText}\n\n${leftText}\n\n${rightText}`,
  );
  expect(await textOf([...columns(700), ...table(cells, starts, 620)])).toBe(
    `${leftText}\n\n${rightText}\n\n${tableText}`,
  );
});

test("text above a table is read before it, column by column, with the title and the caption in their places", async () => {
  const page = [
    { text: "On the ferry", x: 230, y: 750, size: 18 },
    ...columns(700),
    { text: "What it costs to cross, by the kind of ticket and how long it is valid", x: 120, y: 620 },
    ...table(cells, [50, 200, 450], 600),
    ...columns(530),
  ];
  expect(await textOf(page)).toBe(
    `# On the ferry\n\n${leftText}\n\n${rightText}\n\n` +
      "What it costs to cross, by the kind of ticket and how long it is valid\n\n" +
      `${tableText}\n\n${leftText}\n\n${rightText}`,
  );
});

test("a table of one column is read with that column", async () => {
  const short = cells.map((row) => row.slice(0, 2));
  const shortText = "| Ticket | Price |\n| --- | --- |\n| Single | 4 |\n| Return | 7 |\n| Ten | 30 |";
  expect(await textOf([...table(short, [50, 160], 700), ...columns(630)])).toBe(
    `${shortText}\n\n${leftText}\n\n${rightText}`,
  );
  expect(await textOf([...table(short, [330, 440], 700), ...columns(630)])).toBe(
    `${leftText}\n\n${shortText}\n\n${rightText}`,
  );
});

test("two tables side by side, one of each column, are two", async () => {
  const page = [...table(cells, [50, 130, 210], 700), ...table(cells, [320, 400, 480], 700), ...columns(630)];
  expect(await textOf(page)).toBe(`${tableText}\n\n${leftText}\n\n${tableText}\n\n${rightText}`);
});

test("a table whose lower rows hold sentences stays one table: they stand no further from it than its rows", async () => {
  const rows = [
    ["Sign", "Meaning"],
    ["Red", "Stay ashore"],
    ["Blue", "Come aboard"],
    ["Green", "Go ashore"],
    ["Black", "No ferry"],
    ["Two red", "Ferry full"],
    ["A red lamp under a white", "The ferry carries no cars today"],
    ["A white lamp on the mast", "The ferry leaves in five minutes"],
    ["A yellow flag at the bow", "Nobody may go ashore before it is down"],
    ["A long note of the horn", "The ferry turns round to the left"],
  ];
  const text = rows.map((row) => `| ${row.join(" | ")} |`);
  expect(await textOf(table(rows, [50, 320], 700))).toBe([text[0], "| --- | --- |", ...text.slice(1)].join("\n"));
});

test("whatever stands on a page, each piece of it is in one region", () => {
  const place = fc.record({
    text: fc.constantFrom("7", "•", "Single", "Chair and table", ...left, ...right),
    x0: fc.constantFrom(50, 60, 160, 200, 308, 320, 330, 450),
    line: fc.integer({ min: 0, max: 30 }),
    font: fc.constantFrom("a", "b"),
    size: fc.constantFrom(8, 10, 18),
  });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 80 }), (places) => {
      const segments = places.map(({ line, ...rest }) => {
        return { ...rest, x1: rest.x0 + 0.5 * rest.size * rest.text.length, y: 60 + line * 13 };
      });
      const read = pageRegions(segments, 800).flat();
      expect(read.length).toBe(segments.length);
      expect(segments.every((segment) => read.includes(segment))).toBe(true);
    }),
  );
});

test("one line that reaches into the gutter does not join two columns", () => {
  const column = (texts: readonly string[], x0: number) =>
    [...texts, ...texts, ...texts, ...texts].map((text, index) => ({
      text,
      x0: index === 5 ? x0 - 3 : x0,
      x1: x0 + 205,
      y: 100 + 12 * index,
      size: 10,
      font: "",
    }));
  const [first, second] = [column(left, 50), column(right, 265)];
  expect(pageRegions([...first, ...second], 800)).toEqual([first, second]);
});

test("two pages side by side on one are read one after the other where their numbers count up", async () => {
  const half = (x: number, name: string) =>
    [0, 1, 2, 3].flatMap((row) => [
      { text: `${name} ${row}`, x, y: 700 - 30 * row },
      { text: `${row}00`, x: x + 120, y: 700 - 30 * row },
    ]);
  const spread = (last: string) => [
    ...half(50, "Income"),
    ...half(330, "Equity"),
    { text: "62 Annual report", x: 50, y: 30 },
    { text: `Annual report ${last}`, x: 450, y: 30 },
  ];
  const rows = (name: string) => `| ${name} 0 | 000 |\n| --- | --- |\n| ${name} 1 | 100 |`;
  expect(await textOf(spread("63"))).toContain(rows("Income"));
  expect(await textOf(spread("63"))).toContain(rows("Equity"));
  expect(await textOf(spread("70"))).not.toContain(rows("Income"));
});

test("authors side by side above columns are read with the title, and head nothing", async () => {
  const page = [
    { text: "On the ferry", x: 245, y: 760, size: 18 },
    { text: "A. Tveit", x: 220, y: 735, size: 12 },
    { text: "M. Holm", x: 330, y: 735, size: 12 },
    ...columns(690),
  ];
  expect(await textOf(page)).toBe(`# On the ferry\n\nA. Tveit M. Holm\n\n${leftText}\n\n${rightText}`);
});

test("a panel beside a table is read by itself though some of its lines are level with rows, and what begins a little left of it is its own", async () => {
  const at = (x: number, y: number, text: string) => ({ text, x, y, size: 10 });
  const panel = [
    "Statement date",
    "28 Feb 2026",
    "Card ending in",
    "4410 of Leith",
    "New balance",
    "655.31 pounds",
    "Payment due",
    "21 Mar 2026",
  ];
  const rows = [
    "Greengrocer",
    "Fuel at Salem",
    "Bistro Alouette",
    "Payment, thank you",
    "Harbour Books",
    "Ferry to Arran",
    "Mending a sail",
  ];
  const page = [
    at(397, 712, "Summary"),
    ...panel.map((text, index) => at(400, 694 - index * 13, text)),
    ...rows.flatMap((text, index) => [at(50, 700 - index * 19, text), at(320, 700 - index * 19, `${index + 1}2.40`)]),
  ];
  const { text } = await parseBytes(makePdf([page]));
  expect(text).toContain("Greengrocer: 12.40\n\nFuel at Salem: 22.40\n\nBistro Alouette: 32.40");
  expect(text.replace(/\s+/g, " ")).toContain(`Summary ${panel.join(" ")}`);
});

test("blocks side by side with headings at several heights are read one after the other, though all lines are level", async () => {
  const block = (x: number, y: number, heading: string, lines: readonly string[]): PlacedText[] => [
    { text: heading, x, y, size: 13 },
    ...lines.map((text, at) => ({ text, x, y: y - 16 - at * 12, size: 10 })),
  ];
  const page = [
    ...block(50, 700, "Display", ["Size 14 inch", "Bright and matt"]),
    ...block(50, 640, "Memory", ["Capacity 32 GB", "Soldered on"]),
    ...block(300, 700, "Battery", ["Lasts ten hours", "Charged by USB"]),
    ...block(300, 640, "Body", ["Weighs 1.3 kg", "Magnesium alloy"]),
    { text: "Data may change.", x: 50, y: 560, size: 10 },
  ];
  const { text } = await parseBytes(makePdf([page]));
  const found = ["Display", "Soldered on", "Battery", "Magnesium alloy", "Data may change."].map((part) =>
    text.indexOf(part),
  );
  expect(found).not.toContain(-1);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(text).not.toContain("|");
});

test("lists side by side are two, though some of their lines are broken or stand further left", async () => {
  const page = [
    { text: "- Lease", x: 50, y: 700 },
    { text: "- no money up front", x: 70, y: 680 },
    { text: "- service included", x: 70, y: 660 },
    { text: "- five years bound", x: 70, y: 640 },
    { text: "- Buy", x: 300, y: 700 },
    { text: "- cheaper after year", x: 320, y: 680 },
    { text: "six", x: 332, y: 660 },
    { text: "- own workshop needed", x: 320, y: 640 },
  ];
  expect(await textOf(page)).toMatch(/five years bound[\s\S]+Buy[\s\S]+- cheaper after year six\n/);
});

test("short columns of whole sentences below headings are no table", () => {
  const column = (x0: number, texts: readonly string[]) =>
    texts.map((text, at) => ({ text, x0, x1: x0 + text.length * 4.4, y: 371 + at * 11, size: 9.5, font: "a" }));
  const rows = buildRows([
    ...column(49, ["Direct Debit", "The easiest way. Call 0345 555", "0199 or set it up in your online", "account."]),
    ...column(222, ["Online", "Go to vale.example/pay with your", "account number and a bank card", "at hand."]),
  ]);
  expect(besideOneAnother(rows)?.map(([first]) => first?.text)).toEqual(["Direct Debit", "Online"]);
});

test("the short last line of a text beside a table is no cell of it", async () => {
  const page = [
    ...table(cells, [60, 130, 190], 700),
    ...lines([...left, ...left], 50, 620),
    ...lines(["It also depends on mud, which dams upstream may", "keep back."], 320, 712, 14),
    ...lines([...right, ...right], 320, 620),
  ];
  const text = await textOf(page);
  expect(text).toContain(tableText);
  expect(text).toContain("dams upstream may keep back.");
});
