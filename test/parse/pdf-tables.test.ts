/** What of a PDF's page is a table, and which text stands in which cell. */
import { expect, test } from "bun:test";
import { buildRows } from "../../src/parse/formats/pdf/rows.ts";
import { withoutFrames } from "../../src/parse/formats/pdf/ruled-tables.ts";
import { regionParts, tableOf } from "../../src/parse/formats/pdf/tables.ts";
import { lines, makePdf, type PlacedText, pdfOf, stream } from "../../tools/samples/pdf-file.ts";
import { parseBytes } from "./test-parser.ts";

const textOf = async (page: readonly PlacedText[]) => (await parseBytes(makePdf([page]))).text;
/** A row of texts at the given places. */
const row = (y: number, starts: readonly number[], texts: readonly string[], size = 10): PlacedText[] =>
  texts.flatMap((text, at) => (text === "" ? [] : [{ text, x: starts[at] ?? 0, y, size }]));

test("a head whose words reach over several columns does not glue their figures", async () => {
  const starts = [50, 200, 245, 290];
  const figures = [1, 2, 3, 4, 5].map((at) =>
    row(680 - at * 14, starts, [`Boat ${at}`, `${at}.5`, `${at}0.1`, `${at}00`]),
  );
  const page = [...row(680, [50, 196, 290], ["Name", "Length in Width in", "Weight"]), ...figures.flat()];
  const text = await textOf(page);
  for (const at of [1, 2, 3, 4, 5]) expect(text).toContain(`| Boat ${at} | ${at}.5 | ${at}0.1 | ${at}00 |`);
});

test("a name over two lines is one with the figures beside or below it", async () => {
  const starts = [50, 250, 320];
  const beside = [
    ...row(700, starts, ["Kind", "2023", "2024"]),
    ...row(680, starts, ["Deaths before the age of", "", ""]),
    ...row(674, starts, ["", "12", "14"]),
    ...row(668, starts, ["seventy years", "", ""]),
    ...row(650, starts, ["Births", "20", "21"]),
    ...row(630, starts, ["Marriages that were", "7", "9"]),
    ...row(618, starts, ["entered abroad", "", ""]),
    ...row(600, starts, ["Moves", "3", "4"]),
  ];
  expect(await textOf(beside)).toBe(
    "| Kind | 2023 | 2024 |\n| --- | --- | --- |\n| Deaths before the age of seventy years | 12 | 14 |\n" +
      "| Births | 20 | 21 |\n| Marriages that were entered abroad | 7 | 9 |\n| Moves | 3 | 4 |",
  );
});

test("the axes of a chart are no table", async () => {
  const years = row(525, [100, 145, 190, 235, 280, 325, 370], ["2006", "2007", "2008", "2009", "2010", "2011", "2012"]);
  const scale = [450, 400, 350, 300, 250].flatMap((value, at) =>
    row(650 - at * 25, [60, 420], [`${value}`, `${value / 5}`]),
  );
  expect(await textOf([...scale, ...years])).not.toMatch(/^\|.*450/m);
});

test("a justified line whose blanks are as wide as gaps between columns is one line", async () => {
  const full = [
    "The ferry that leaves from the old pier is older than",
    "it lands beside the house of the harbour master again",
  ];
  const wide = [
    ...row(
      688,
      [50, 70.8, 110.6, 153.7, 202.3, 240.9, 268.4],
      ["it", "lands", "where", "nobody", "waits", "for", "it"],
    ),
    ...row(676, [50, 76.6, 107.6, 148.7, 185.2, 211.8, 244.0], ["but", "who", "knows", "when", "the", "boat", "comes"]),
  ];
  const page = [{ text: full[0] ?? "", x: 50, y: 700 }, ...wide, { text: full[1] ?? "", x: 50, y: 664 }];
  const text = await textOf(page);
  expect(text).not.toContain("|");
  expect(text).toContain("it lands where nobody waits for it but who knows when the boat comes");
});

test("running text beside the labels of a chart is read by itself", async () => {
  const prose = [
    "The number of boats that leave the harbour has grown",
    "since the pier was built, and with it the income of",
    "the town, which has paid for the school and for the",
    "road that leads to it. Whoever came by boat in the",
    "years before had to wait for the tide, and often did",
    "so for a whole day, while the fish that they brought",
    "went bad in the sun. Today nobody has to wait, for",
    "the pier reaches into deep water, and a crane lifts",
    "what is heavy. Two more are planned, but the council",
    "has not said when, and the money is not there yet",
    "for them, as the mayor has told the newspaper again.",
  ];
  const labels = prose.map((_, at) => ({ text: `${900 - at * 50}`, x: 50, y: 700 - at * 12 }));
  const text = await textOf([...labels, ...lines(prose, 120, 700)]);
  expect(text).toContain("and with it the income of the town, which has paid for the school");
});

test("dots that lead from a name to its figures are no part of a cell", async () => {
  const starts = [50, 230, 300];
  const rows = [1, 2, 3].map((at) => row(700 - at * 14, starts, [`Part ${at} ..............`, `${at}4`, `${at}5`]));
  const text = await textOf([...row(700, starts, ["Name", "2023", "2024"]), ...rows.flat()]);
  for (const at of [1, 2, 3]) expect(text).toContain(`| Part ${at} | ${at}4 | ${at}5 |`);
});

test("a line of larger type is between two tables, and so is the gap below a block of names and values", async () => {
  const days = [50, 150, 220];
  const bus = [
    ...row(700, days, ["Harbour", "06:10", "06:40"]),
    ...row(682, days, ["Airport", "06:45", "07:12"]),
    ...row(650, [50], ["Bus line 7 on Saturday"], 14),
    ...row(628, [120, 200, 260], ["Harbour", "08:10", "10:10"]),
    ...row(610, [120, 200, 260], ["Airport", "08:45", "10:45"]),
  ];
  expect(await textOf(bus)).toBe(
    "| Harbour | 06:10 | 06:40 |\n| --- | --- | --- |\n| Airport | 06:45 | 07:12 |\n\n# Bus line 7 on Saturday\n\n" +
      "| Harbour | 08:10 | 10:10 |\n| --- | --- | --- |\n| Airport | 08:45 | 10:45 |",
  );
  const names = [50, 150];
  const parts = [50, 180, 230, 290];
  const slip = [
    ...row(700, names, ["Employee", "Mira Holt"]),
    ...row(687, names, ["Tax code", "1257L"]),
    ...row(674, names, ["Pay date", "31/03/2026"]),
    ...row(650, parts, ["Payments", "Hours", "Rate", "Amount"]),
    ...row(636, parts, ["Basic pay", "152.00", "14.20", "2,158.40"]),
    ...row(622, parts, ["At night", "64.00", "2.10", "134.40"]),
  ];
  const text = await textOf(slip);
  expect(text).toContain("Employee: Mira Holt\n\nTax code: 1257L\n\nPay date: 31/03/2026\n\n| Payments");
  expect(text).toContain("| Payments | Hours | Rate | Amount |\n| --- | --- | --- | --- |\n| Basic pay |");
});

/** A page of texts and drawn lines `x0 y0 x1 y1`. */
const ruledPdf = (texts: readonly PlacedText[], rules: readonly (readonly number[])[]): Uint8Array => {
  const drawn = rules.map(([x0, y0, x1, y1]) => `${x0} ${y0} m ${x1} ${y1} l S`);
  const written = texts.map(({ text, x, y }) => `BT /F1 10 Tf ${x} ${y} Td (${text}) Tj ET`);
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
    stream("", [...drawn, ...written].join("\n")),
  ]);
};

test("the name in a cell that is merged over rows is in each of them", async () => {
  const uprights = [50, 150, 250, 350].map((x) => [x, 600, x, 720]);
  const levels = [600, 630, 660, 690, 720].map((y) => [y === 630 || y === 660 ? 150 : 50, y, 350, y]);
  const texts = [
    ...row(701, [55, 155, 255], ["Place", "Plan", "Members"]),
    ...row(671, [155, 255], ["Blue", "164"]),
    ...row(641, [55, 155, 255], ["Leith", "Green", "126"]),
    ...row(611, [155, 255], ["Red", "74"]),
  ];
  expect((await parseBytes(ruledPdf(texts, [...uprights, ...levels]))).text).toBe(
    "| Place | Plan | Members |\n| --- | --- | --- |\n| Leith | Blue | 164 |\n| Leith | Green | 126 |\n| Leith | Red | 74 |",
  );
});

test("rows that no line parts, but white space does, are rows", async () => {
  const uprights = [50, 200, 420].map((x) => [x, 600, x, 720]);
  const levels = [600, 720].map((y) => [50, y, 420, y]);
  const texts = [
    ...row(705, [55, 205], ["Program", "What it costs"]),
    ...row(678, [55, 205], ["Site of the", "1.1 million in the first year, and"]),
    ...row(666, [55, 205], ["town", "less after it"]),
    ...row(639, [55, 205], ["Ferry", "0.4 million"]),
    ...row(612, [55, 205], ["School", "0.9 million"]),
  ];
  const { text } = await parseBytes(ruledPdf(texts, [...uprights, ...levels]));
  expect(text).toContain("| Site of the town | 1.1 million in the first year, and less after it |");
  expect(text).toContain("| Ferry | 0.4 million |\n| School | 0.9 million |");
});

test("a table below a block of addresses and numbers keeps its own columns", async () => {
  const block = [
    ["Sold to", "Invoice number:", "INV-0093"],
    ["Hartmann", "Invoice date:", "12 May 2026"],
    ["Seestrasse 9", "Due date:", "11 June 2026"],
  ];
  const goods = [
    ["Description", "Qty", "Unit price", "Amount"],
    ["Oak boards", "12", "25.00", "300.00"],
    ["Screws", "4", "8.50", "34.00"],
  ];
  const page = [
    ...block.flatMap((row, down) => row.map((text, at) => ({ text, x: [50, 330, 470][at] ?? 0, y: 780 - down * 14 }))),
    ...goods.flatMap((row, down) =>
      row.map((text, at) => ({ text, x: [50, 340, 385, 500][at] ?? 0, y: 700 - down * 14 })),
    ),
  ];
  const { text } = await parseBytes(makePdf([page]));
  expect(text).toEndWith(
    "| Description | Qty | Unit price | Amount |\n| --- | --- | --- | --- |\n| Oak boards | 12 | 25.00 | 300.00 |\n| Screws | 4 | 8.50 | 34.00 |",
  );
});

test("names above the headings of several tables are the head of each", async () => {
  const starts = [50, 300, 360, 420];
  const at = (y: number, texts: string[]) => row(y, starts, texts);
  const page = [
    ...at(720, ["", "Small", "Usual", "Large"]),
    ...row(696, [50], ["Bouquets"], 14),
    ...at(680, ["Field flowers", "14.00", "19.00", "26.00"]),
    ...at(664, ["Tulips", "9.50", "13.50", "18.00"]),
    ...row(640, [50], ["Pots"], 14),
    ...at(624, ["Herbs", "6.00", "8.50", "12.00"]),
    ...at(608, ["Lavender", "7.50", "11.00", "15.50"]),
  ];
  const head = "|  | Small | Usual | Large |\n| --- | --- | --- | --- |\n";
  expect(await textOf(page)).toBe(
    `# Bouquets\n\n${head}| Field flowers | 14.00 | 19.00 | 26.00 |\n| Tulips | 9.50 | 13.50 | 18.00 |\n\n# Pots\n\n${head}| Herbs | 6.00 | 8.50 | 12.00 |\n| Lavender | 7.50 | 11.00 | 15.50 |`,
  );
});

test("questions with a letter before and marks behind them are items of a list", async () => {
  const page = [
    ...row(700, [50, 75, 500], ["(a)", "Find the mean speed in m/s.", "[2]"]),
    ...row(684, [50, 75, 500], ["(b)", "Explain why it was not the same.", "[1]"]),
  ];
  expect(await textOf(page)).toBe("(a) Find the mean speed in m/s. [2]\n(b) Explain why it was not the same. [1]");
});

test("the name of a sum that stands between two columns is not below the figures of the left one", async () => {
  const starts = [50, 340, 415, 520];
  const rows = [
    ["Description", "Qty", "Price", "Total"],
    ["Garden bench", "2", "189.00", "378.00"],
    ["Planter", "5", "44.50", "222.50"],
    ["Gravel", "12", "16.95", "203.40"],
  ];
  const page = [
    ...rows.flatMap((cells, at) => row(700 - at * 20, starts, cells)),
    ...row(610, [352, 520], ["Subtotal", "803.90"]),
  ];
  expect(await textOf(page)).toContain("| Gravel | 12 | 16.95 | 203.40 |\n|  |  | Subtotal | 803.90 |");
});

test("names with an amount of money each are lines, not a table whose head is the first pair", async () => {
  const pairs = [
    ["Subtotal", "1,100.00"],
    ["VAT 19 %", "209.00"],
    ["Total", "1,309.00"],
  ];
  const text = await textOf(pairs.flatMap((pair, at) => row(700 - at * 16, [50, 300], pair)));
  expect(text).toBe("Subtotal: 1,100.00\n\nVAT 19 %: 209.00\n\nTotal: 1,309.00");
});

test("what a frame holds beside other text stands apart from it; a frame between paragraphs or around the page does not", () => {
  const line = (text: string, x0: number, y: number) => ({ text, x0, x1: x0 + 100, y, size: 10, font: "" });
  const frame = (x0: number, y0: number, x1: number, y1: number) => [
    { x0, y0, x1, y1: y0 + 1 },
    { x0, y0: y1 - 1, x1, y1 },
    { x0, y0, x1: x0 + 1, y1 },
    { x0: x1 - 1, y0, x1, y1 },
  ];
  const text = [100, 112, 124, 136, 148].map((y) => line("running text", 50, y));
  const aside = [line("Opening hours", 300, 103), line("Mon–Fri", 300, 118)];
  const all = [...text, ...aside];
  expect(withoutFrames(all, frame(290, 90, 410, 130))).toEqual({ rest: text, framed: [aside] });
  for (const rules of [frame(290, 90, 410, 130).slice(1), frame(20, 80, 500, 200), frame(40, 105, 160, 140)])
    expect(withoutFrames(rules[0]?.x0 === 40 ? text : all, rules).framed).toEqual([]);
  // Boxes of a tree that lines join, and the same as cells that touch.
  const people = [50, 250, 450].map((x0) => [line("Ellen Ferrars", x0, 103), line("1893 – 1977", x0, 118)]);
  const boxes = (right: number) => [45, 245, 445].flatMap((x0) => frame(x0, 90, x0 + right, 130));
  const joined = [...boxes(120), { x0: 165, x1: 245, y0: 110, y1: 110.5 }];
  expect(withoutFrames(people.flat(), joined)).toEqual({ rest: [], framed: people });
  expect(withoutFrames(people.flat(), boxes(200)).framed).toEqual([]);
});

/** Names of groups, of their columns, and figures; in a PDF with lines around the cells, below the names of groups, or with none. */
const grouped = (lines: number[][], groups: readonly number[]) => {
  const starts = [55, 155, 205, 255, 305];
  const texts = [
    ...row(706, groups, ["Winter", "Summer"]),
    ...row(691, starts, ["Station", "Mean", "Most", lines.length > 0 ? "Usual" : "Mean", "Highest"]),
    ...row(676, starts, ["Inner", "14", "31", "9", "22"]),
    ...row(661, starts, ["Mouth", "2", "4", "1", "5"]),
  ];
  return ruledPdf(texts, lines);
};

test("names of groups of columns are in the names of their columns: cells with lines, lines below them, names that come again", async () => {
  const read = (third: string) =>
    `| Station | Winter Mean | Winter Most | Summer ${third} | Summer Highest |\n| --- | --- | --- | --- | --- |\n| Inner | 14 | 31 | 9 | 22 |\n| Mouth | 2 | 4 | 1 | 5 |`;
  const levels = [657, 672, 687, 702, 717].map((y) => [50, y, 350, y]);
  const uprights = [50, 150, 250, 350].map((x) => [x, 657, x, 717]);
  const cells = [...levels, ...uprights, [200, 657, 200, 702], [300, 657, 300, 702]];
  expect((await parseBytes(grouped(cells, [185, 285]))).text).toBe(read("Usual"));
  const below = [
    [152, 703, 240, 703],
    [252, 703, 340, 703],
  ];
  expect((await parseBytes(grouped(below, [175, 275]))).text).toBe(read("Usual"));
  // No line is drawn; the names stand left of the figures of their columns.
  expect((await parseBytes(grouped([], [156, 256]))).text).toBe(read("Mean"));
});

test("two tables side by side are two where they name a column the same or end apart; so are two lists", async () => {
  const rowsOf = (starts: readonly number[], texts: readonly string[][]) =>
    texts.flatMap((cells, at) => row(700 - at * 15, starts, cells));
  const left = [
    ["Earnings", "Hours", "Amount"],
    ["Regular", "80.00", "720.00"],
    ["Overtime", "4.50", "145.13"],
    ["Holidays", "8.00", "72.00"],
  ];
  const right = [
    ["Deductions", "Amount"],
    ["Income tax", "201.44"],
    ["Health plan", "118.24"],
    ["Pension", "20.00"],
  ];
  const read = (rows: readonly string[][]) => rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const tables = (one: readonly string[][], other: readonly string[][]) =>
    [one, other]
      .map(([head = [], ...body]) => [read([head, head.map(() => "---")]), read(body)].join("\n"))
      .join("\n\n");
  const both = [...rowsOf([50, 130, 190], left), ...rowsOf([290, 400], right)];
  expect(await textOf(both)).toBe(tables(left, right));
  const longer = [["Deductions", "This month"], ...right.slice(1), ["Union", "9.00"]];
  expect(await textOf([...rowsOf([50, 130, 190], left), ...rowsOf([290, 400], longer)])).toBe(tables(left, longer));
  // One table, whose names stand for all of a row.
  const one = [
    ["Item", "Price", "Maker", "Share"],
    ["Oars", "12.50", "Fife", "20.00"],
    ["Sail", "80.00", "Leith", "30.00"],
  ];
  expect(await textOf(rowsOf([50, 130, 190, 290], one))).toContain(read(one.slice(1)));
  const lists = rowsOf(
    [50, 300],
    [
      ["\u0095 Oil: 2,400", "\u0095 Power: 1,350"],
      ["\u0095 Sweep: 90", "\u0095 Service: 140"],
    ],
  );
  const nested = ["\u0095 Oil", "", "\u0095 Power", ""].flatMap((text, at) =>
    row(700 - at * 15, [50, 80], [text, text === "" ? "\u0095 A year" : ""]),
  );
  expect(await textOf(nested)).toBe("- Oil\n  - A year\n- Power\n  - A year");
  expect(await textOf(lists)).toBe("- Oil: 2,400\n- Sweep: 90\n- Power: 1,350\n- Service: 140");
});

test("lines that describe an item below its name belong to its row, however many they are", async () => {
  const starts = [50, 90, 130, 400, 480];
  const item = (y: number, number: string) => [
    ...row(y, starts, [number, "1", `Hosting plan ${number}`, "5.39", "5.39"]),
    ...["Fee for a month", `Service: box-${number}`, "01.05.2026 to 31.05.2026", "paid in advance"].flatMap(
      (text, at) => row(y - 20 * (at + 1), starts, ["", "", text]),
    ),
  ];
  const head = row(700, starts, ["Pos.", "Qty", "Description", "Price", "Amount"]);
  const text = await textOf([...head, ...item(680, "1"), ...item(580, "2"), ...item(480, "3")]);
  for (const number of ["1", "2", "3"])
    expect(text).toContain(
      `| ${number} | 1 | Hosting plan ${number} Fee for a month Service: box-${number} 01.05.2026 to 31.05.2026 paid in advance | 5.39 | 5.39 |`,
    );
});

test("figures at the right of an invoice's items stay beside them, though there is an address above each side", async () => {
  const lines = (x: number, from: number, texts: readonly string[]) =>
    texts.flatMap((text, at) => row(from - at * 13, [x], [text]));
  const starts = [50, 370, 440, 510];
  const page = [
    ...lines(50, 760, ["Sammy Maystone", "12 Quay Street", "Galway", "Phone 091 555 018", "VAT number 44120"]),
    ...lines(370, 754, ["INVOICE 88", "Date: Jan 1, 2022", "Terms: 30 days", "Due: Jan 31, 2022", "Order 4471"]),
    ...row(640, starts, ["Item", "Quantity", "Rate", "Amount"]),
    ...row(620, starts, ["Service A", "12", "$10.00", "$120.00"]),
    ...lines(50, 605, ["Repair of the pump", "Part: capacitor"]),
    ...row(570, starts, ["Service B", "5", "$1.50", "$7.50"]),
    ...lines(50, 555, ["Cleaning of the case"]),
    ...row(520, starts, ["", "", "Total", "$127.50"]),
  ];
  const text = await textOf(page);
  expect(text).toContain("| Service A | 12 | $10.00 | $120.00 |");
  expect(text).toContain("| Service B | 5 | $1.50 | $7.50 |");
});

test("sums below one row of figures do not make a chart of the table", async () => {
  const starts = [50, 200, 250, 310, 370, 430];
  const page = [
    ...row(700, starts, ["Article", "Count", "Price", "Reduction", "Amount", "VAT"]),
    ...row(680, starts, ["Monitor", "1", "156.20", "0.00", "156.20", "21%"]),
    ...["Subtotal", "VAT", "Paid", "Open"].flatMap((name, at) =>
      row(660 - at * 15, starts, ["", "", name, "", `${at}6.20`]),
    ),
  ];
  const text = await textOf(page);
  expect(text).toContain("| Monitor | 1 | 156.20 | 0.00 | 156.20 | 21% |");
  expect(text).toMatch(/\| Subtotal \|\s+\| 06.20 \|/);
});

test("a heading as large as the row above it, set apart and larger than what follows, is between two tables", async () => {
  const starts = [50, 200, 300, 400];
  const page = [
    ...row(700, starts, ["Account", "Date", "Due", "By"], 8),
    ...row(684, starts, ["4417", "17 April", "187.46", "8 May"], 13),
    ...row(640, starts, ["How we worked it out"], 14),
    ...row(615, starts, ["Charge", "Quantity", "Rate", "Cost"], 9),
    ...row(601, starts, ["Water", "46", "1.8920", "87.03"], 9),
    ...row(587, starts, ["Waste", "43", "1.5210", "66.47"], 9),
  ];
  const text = await textOf(page);
  expect(text).toContain("# How we worked it out");
  expect(text).toContain("| Charge | Quantity | Rate | Cost |\n| --- |");
});

test("names over two lines, in a font of their own, are one head; figures of a second row beside a long head are its rows", () => {
  const cell = (text: string, x0: number, y: number, font: string) => ({
    text,
    x0,
    x1: x0 + text.length * 5,
    y,
    size: 9,
    font,
  });
  const line = (y: number, font: string, texts: readonly string[]) =>
    texts.flatMap((text, at) => (text === "" ? [] : [cell(text, 50 + at * 90, y, font)]));
  const rows = buildRows([
    ...line(100, "bold", ["", "", "Shipment", "Unit Price"]),
    ...line(110, "bold", ["No.", "Description", "Date", "excl. VAT"]),
    ...line(130, "plain", ["1908", "Chair", "02/17/26", "191.00"]),
    ...line(145, "plain", ["1909", "Lamp", "02/18/26", "15.00"]),
  ]);
  expect(tableOf(rows)).toEqual([
    ["No.", "Description", "Shipment Date", "Unit Price excl. VAT"],
    ["1908", "Chair", "02/17/26", "191.00"],
    ["1909", "Lamp", "02/18/26", "15.00"],
  ]);
  const apart = buildRows([
    ...line(100, "plain", ["Article", "Count", "Price", "Discount", "VAT"]),
    ...line(110, "plain", ["", "", "gross", "net", ""]),
    ...line(135, "plain", ["Pallet", "-1", "6.39", "5.15", "24%"]),
    ...line(150, "plain", ["", "", "", "Total", "-5.15"]),
  ]);
  const parts = regionParts(
    apart.flatMap(({ cells }) => cells),
    (before, after) => `${before} ${after}`,
  );
  expect(parts).toHaveLength(1);
});

test("where lines are drawn between rows, what stands between two is one row, however its cells are aligned", () => {
  const cell = (text: string, x0: number, y: number) => ({ text, x0, x1: x0 + text.length * 4, y, size: 9, font: "a" });
  const at = [30, 130, 180, 470];
  const line = (y: number, texts: readonly string[]) =>
    texts.flatMap((text, index) => (text === "" ? [] : [cell(text, at[index] ?? 0, y)]));
  const pieces = [141, 185, 207, 251].flatMap((y) =>
    [28, 126, 178, 470].map((x0, index, all) => ({ x0, x1: all[index + 1] ?? 567, y0: y, y1: y })),
  );
  const rows = buildRows([
    ...line(133, ["Subject", "Grade", "Comment", "Teacher"]),
    ...line(155, ["", "", "Jonah reads widely. He should check his"]),
    ...line(166, ["English", "B+", "", "Ms Ferry"]),
    ...line(177, ["", "", "spelling before he hands work in."]),
    ...line(199, ["Mathematics", "A", "Excellent.", "Mr Oduya"]),
    ...line(221, ["", "", "Homework was late four times this"]),
    ...line(232, ["Geography", "C", "term.", "Mrs Lund"]),
  ]);
  expect(tableOf(rows, (before, after) => `${before} ${after}`, pieces)?.slice(1)).toEqual([
    ["English", "B+", "Jonah reads widely. He should check his spelling before he hands work in.", "Ms Ferry"],
    ["Mathematics", "A", "Excellent.", "Mr Oduya"],
    ["Geography", "C", "Homework was late four times this term.", "Mrs Lund"],
  ]);
  const wide = ["Room Charges", "Grand Total", "Paid"].map((name, index) => [
    ...line(300 + index * 50, [name, "", "1 night", `Rs ${index}939`]),
  ]);
  const between = [325, 375].map((y) => ({ x0: 28, x1: 567, y0: y, y1: y }));
  const join = (before: string, after: string) => `${before} ${after}`;
  expect(regionParts(wide.flat(), join, between)).toMatchObject([{ kind: "table" }]);
  expect(regionParts(wide.flat(), join)).toMatchObject([{ kind: "lines" }]);
});

test("names with their values above a table are no head of it", async () => {
  const starts = [50, 180, 300, 420];
  const page = [
    ...row(720, [50, 300], ["Pupil: Jonah Abara", "Form: 8C"]),
    ...row(695, starts, ["Subject", "Grade", "Comment", "Teacher"]),
    ...row(680, starts, ["English", "B", "Reads well", "Ms Ferry"]),
    ...row(665, starts, ["Music", "A", "Sings", "Mr Pell"]),
  ];
  expect(await textOf(page)).toContain("| Subject | Grade | Comment | Teacher |\n| --- |");
  const days = [...row(735, [50, 420], ["Arrival 12.05.", "Departure 14.05."]), ...page.filter(({ y }) => y < 700)];
  expect(await textOf(days)).toContain("| Subject | Grade | Comment | Teacher |\n| --- |");
});

test("names and values beside an empty row of the left table are a row of their own, not the rest of the one above", async () => {
  const starts = [50, 130, 300, 380];
  const page = [
    ["Insured", "Gabriel Diaz", "Year", "2022"],
    ["Claim", "SF-1008", "Make", "Jeep"],
    ["Email", "gabriel@contoso.com", "VIN", "1C4RJFBG2NC"],
    ["", "", "Color", "White"],
    ["", "", "Odometer", "9,800"],
  ].flatMap((texts, at) => row(700 - at * 15, starts, texts));
  const text = await textOf(page);
  expect(text).toContain("| VIN | 1C4RJFBG2NC |\n|  |  | Color | White |\n|  |  | Odometer | 9,800 |");
});
