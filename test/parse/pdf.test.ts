import { expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { ApiError } from "../../src/domain/errors.ts";
import { lines, makePdf, makePicturePdf, pdfOf, stream } from "../../tools/samples/pdf-file.ts";
import { failureOf, parseBytes } from "./test-parser.ts";

const left = [
  "The first column tells of rivers and of the",
  "towns that grew beside them. People came by",
  "boat, and they built bridges of stone where",
  "the water was shallow. Later came the rail-",
  "ways, which made the boats nearly forgotten",
  "and the harbours small. What was left of it",
];
const right = [
  "all can be seen in the museum near the gate",
  "of the old town, which opens at nine daily.",
  "The second column has much to say about the",
  "mountains. They are high and covered by ice",
  "for most of the year, and few people live on",
  "their northern slopes, where winds are cold.",
];

test("columns are read one after the other, broken words and paragraphs made whole", async () => {
  const page = [
    { text: "A title over both columns", x: 150, y: 740, size: 18 },
    ...lines(left, 50, 700),
    ...lines(right, 320, 700),
  ];
  // The file's own order runs across the columns.
  const { text, title, pages } = await parseBytes(makePdf([page.sort((a, b) => b.y - a.y)]));
  expect(title).toBe("A title over both columns");
  expect(pages).toEqual([{ page: 1, start: 0 }]);
  expect(text).toBe(
    "# A title over both columns\n\nThe first column tells of rivers and of the towns that grew beside them. People " +
      "came by boat, and they built bridges of stone where the water was shallow. Later came the railways, which made " +
      "the boats nearly forgotten and the harbours small. What was left of it all can be seen in the museum near the " +
      "gate of the old town, which opens at nine daily. The second column has much to say about the mountains. They are " +
      "high and covered by ice for most of the year, and few people live on their northern slopes, where winds are cold.",
  );
});

test("a table comes as rows; cells that go on below are joined", async () => {
  const cells = [
    ["Item", "Price", "Stock"],
    ["Chair", "45", "3"],
    ["Table", "120", "none"],
    ["Lamp", "18", "12"],
  ];
  const page = [
    ...lines(["Here is what we sell at present in the shop."], 50, 700),
    ...cells.flatMap((row, index) => row.map((text, column) => ({ text, x: 50 + column * 120, y: 660 - index * 14 }))),
    { text: "until May", x: 290, y: 660 - 3 * 14 - 12 },
  ];
  expect((await parseBytes(makePdf([page]))).text).toBe(
    "Here is what we sell at present in the shop.\n\n| Item | Price | Stock |\n| --- | --- | --- |\n" +
      "| Chair | 45 | 3 |\n| Table | 120 | none |\n| Lamp | 18 | 12 until May |",
  );
});

test("headers and footers that repeat stand once, page numbers are left out, and both is said", async () => {
  const page = (number: number, words: string[]) => [
    { text: "Annual report", x: 50, y: 780 },
    ...lines(words, 50, 700),
    { text: `Page ${number} of 4`, x: 280, y: 20 },
  ];
  const { text, pages, warnings } = await parseBytes(
    makePdf([
      page(1, ["Rivers rise in spring."]),
      page(2, ["Mountains stay where they are."]),
      page(3, ["Valleys too."]),
      page(4, ["The end."]),
    ]),
  );
  expect(text).toBe(
    "Annual report\n\nRivers rise in spring.\n\nMountains stay where they are.\n\nValleys too.\n\nThe end.",
  );
  expect(pages.map(({ page: number, start }) => [number, text.slice(start, start + 5)])).toEqual([
    [1, "Annua"],
    [2, "Mount"],
    [3, "Valle"],
    [4, "The e"],
  ]);
  expect(warnings).toEqual(["7 lines that repeat on pages (headers, footers, page numbers) left out."]);
});

test("a listing with numbers before its lines is code, its signs set somewhat apart are not, though it is longer than the text", async () => {
  const at = (font: string, size: number, x: number, y: number, text: string) =>
    `BT /${font} ${size} Tf ${x} ${y} Td (${text.replace(/([()])/g, "\\$1")}) Tj ET`;
  const code = ["void sort(int a) {", "    int gap = a;", "    move(gap, m);", "    swim(gap, m);", "}"];
  const content = [
    at("F1", 10, 50, 700, "The sort of Listing 1 needs no memory of its own, and it is fast enough."),
    ...code.flatMap((line, index) => {
      const y = 680 - index * 10;
      // Each sign with a gap after it, as TeX sets them, and blanks stated between.
      const signs = [...line].map((sign, place) => at("F2", 8, 70 + place * 5.8, y, sign));
      return [at("F1", 5, 60, y, `${index + 1}`), ...signs];
    }),
    at("F1", 10, 50, 610, "It was published in 1959."),
  ].join("\n");
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const pdf = pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
    stream("", content),
    font("Helvetica"),
    font("Courier"),
  ]);
  expect((await parseBytes(pdf)).text).toBe(
    `The sort of Listing 1 needs no memory of its own, and it is fast enough.\n\n\`\`\`\n${code.map((line, index) => `${index + 1} ${line}`).join("\n")}\n\`\`\`\n\nIt was published in 1959.`,
  );
});

test("what repeats below the title of the page that it is told on stands below that title", async () => {
  const page = (number: number) => [
    { text: "Savings bank", x: 50, y: 790, size: 16 },
    { text: "Statement 3", x: 50, y: 770 },
    ...lines([`Paid in week ${number}: nothing.`], 50, 600),
  ];
  const { text } = await parseBytes(makePdf([page(1), page(2)]));
  expect(text).toBe(
    "# Savings bank\n\nStatement 3\n\nPaid in week 1: nothing.\n\n# Savings bank\n\nPaid in week 2: nothing.",
  );
});

test("what is a record's own in a margin stays on each page, the same or not", async () => {
  const page = (index: number, net: string) => [
    { text: "Pay slip", x: 50, y: 800, size: 16 },
    { text: "Month", x: 50, y: 780 },
    { text: `${index + 1}/2026`, x: 250, y: 780 },
    { text: "No.", x: 50, y: 760 },
    { text: `${7 + index}`, x: 250, y: 760 },
    ...lines(["Worked as agreed in the contract."], 50, 500),
    { text: "Net pay", x: 50, y: 60 },
    { text: net, x: 250, y: 60 },
    { text: "Confidential", x: 50, y: 20 },
  ];
  const years = (name: string, value: number) => [
    { text: "Budget of the harbour", x: 50, y: 815 },
    ...[2024, 2025, 2026].map((year, column) => ({ text: `${year}`, x: 200 + column * 80, y: 780 })),
    ...["Boats", "Nets"].flatMap((row, down) => [
      { text: `${row} ${name}`, x: 50, y: 760 - down * 15 },
      ...[0, 1, 2].map((column) => ({ text: `${value + down + column}`, x: 200 + column * 80, y: 760 - down * 15 })),
    ]),
  ];
  const slips = ["2,310.40", "2,310.40", "2,355.10", "2,310.40"];
  const { text, warnings } = await parseBytes(makePdf(slips.map((net, index) => page(index, net))));
  const rest = (index: number) => `# Pay slip

Month ${index + 1}/2026

No. ${7 + index}

Worked as agreed in the contract.

Net pay ${slips[index]}`;
  expect(text.split("\n\nConfidential").join("")).toBe(slips.map((_, index) => rest(index)).join("\n\n"));
  expect(warnings).toEqual(["3 lines that repeat on pages (headers, footers, page numbers) left out."]);
  const tables = await parseBytes(makePdf([years("north", 100), years("south", 200), years("west", 300)]));
  expect(tables.text.split("|  | 2024 | 2025 | 2026 |")).toHaveLength(4);
  expect(tables.text.split("Budget of the harbour")).toHaveLength(2);
});

test("a table over several pages loses nothing at their ends, where the header and the page number go", async () => {
  const stock = ["in stock", "none"];
  const units = ["each", "a pair", "a dozen"];
  const rows = Array.from({ length: 120 }, (_, index) => [`Item ${index}`, `${index}.50`, stock[index % 2] ?? ""]);
  const page = (number: number) => [
    { text: "Price list", x: 50, y: 785 },
    { text: "for members", x: 400, y: 785 },
    ...rows
      .slice(number * 40, number * 40 + 40)
      .flatMap((row, index) => row.map((text, column) => ({ text, x: 50 + column * 175, y: 750 - index * 18 }))),
    // The second cell of one row goes on below it.
    { text: units[number] ?? "", x: 225, y: 750 - 18 - 9, size: 8 },
    { text: `${number + 1}`, x: 300, y: 15 },
  ];
  const { text } = await parseBytes(makePdf([0, 1, 2].map(page)));
  const expected = rows.map(([item, price, state], index) =>
    index % 40 === 1
      ? `| ${item} | ${price} ${units[(index - 1) / 40]} | ${state} |`
      : `| ${item} | ${price} | ${state} |`,
  );
  expect(text.split("\n").filter((line) => line !== "" && !/^\|[ |-]+\|$/.test(line))).toEqual([
    "Price list for members",
    ...expected,
  ]);
});

test("lists, numbered sections and intended line breaks are kept", async () => {
  const page = lines(
    [
      "Our shop needs the following things at once, said the owner to us:",
      "- chairs that do not break when somebody sits down on them for a",
      "  while",
      "- tables",
      "1. Call the carpenter",
      "2. Ask for a price",
    ],
    50,
    700,
  );
  expect((await parseBytes(makePdf([page]))).text).toBe(
    "Our shop needs the following things at once, said the owner to us:\n\n- chairs that do not break when somebody " +
      "sits down on them for a while\n- tables\n1. Call the carpenter\n2. Ask for a price",
  );
});

test("a list below a table is none of its rows, and knows what lies under what", async () => {
  const cells = [
    ["Season", "Opens", "Closes"],
    ["May", "09:00", "18:00"],
    ["July", "08:00", "21:00"],
  ];
  const item = (mark: string, text: string, x: number, y: number) => [
    { text: mark, x, y },
    { text, x: x + 20, y },
  ];
  const page = [
    ...cells.flatMap((row, index) => row.map((text, column) => ({ text, x: 50 + column * 120, y: 700 - index * 14 }))),
    { text: "Before you leave:", x: 50, y: 650 },
    ...item("\u2022", "sign the list", 60, 630),
    ...item("\u2022", "take a jacket", 60, 616),
    ...item("-", "children: orange", 84, 602),
    ...item("\u2022", "leave your number", 60, 588),
  ].map((placed) => ({ ...placed, text: placed.text.replace("\u2022", "\u0095") }));
  expect((await parseBytes(makePdf([page]))).text).toBe(
    "| Season | Opens | Closes |\n| --- | --- | --- |\n| May | 09:00 | 18:00 |\n| July | 08:00 | 21:00 |\n\n" +
      "Before you leave:\n\n- sign the list\n- take a jacket\n  - children: orange\n- leave your number",
  );
});

test("the stated title wins where it is one", async () => {
  const page = lines(["Some words."], 50, 700);
  expect((await parseBytes(makePdf([page], "Tides of the North Sea"))).title).toBe("Tides of the North Sea");
  expect((await parseBytes(makePdf([page], "scan-2024_final.pdf"))).title).toBeNull();
});

test("a broken PDF is a 422, one without text says that it needs OCR", async () => {
  const whole = makePdf([lines(["Some words."], 50, 700)]);
  const garbage = new TextEncoder().encode("%PDF-1.7\nnothing that makes sense follows");
  expect(await failureOf(parseBytes(garbage))).toMatchObject({ code: "unreadable_file", status: 422 });
  expect((await failureOf(parseBytes(whole.subarray(0, 200)))).status).toBe(422);
  const empty = await failureOf(parseBytes(makePdf([[], []])));
  expect(empty).toMatchObject({ code: "no_text", status: 422 });
  expect(empty.detail).toContain("OCR");
});

test("a PDF of more pages than allowed is a 413 before a page is read", async () => {
  const failure = await failureOf(parseBytes(makePdf([[], [], []]), {}, { maxPages: 2 }));
  expect(failure).toMatchObject({ code: "document_too_large", status: 413 });
  expect(failure.detail).toContain("parser.maxPages");
});

test("pages of pictures are read where there is OCR, and said to be", async () => {
  const file = await Bun.file(`${import.meta.dir}/../fixtures/documents/loremipsum-flat.pdf`).bytes();
  const seen: string[] = [];
  const ocr = {
    read: async (picture: Uint8Array) => {
      seen.push(new TextDecoder("latin1").decode(picture.subarray(0, 2)));
      return "Read by a ma-\nchine.\n\nSecond part.\n";
    },
  };
  const { text, warnings } = await parseBytes(file, {}, { ocr });
  expect(seen).toEqual(["P5"]);
  expect(text).toBe("Read by a machine.\n\nSecond part.");
  expect(warnings).toEqual(["Page 1: read by OCR."]);
  const failing = { read: () => Promise.reject(new ApiError("parser_timeout", "Reading a picture took too long.")) };
  expect(await failureOf(parseBytes(file, {}, { ocr: failing }))).toMatchObject({ code: "parser_timeout" });
});

test("scans in black and white are read, also as stencils; a broken picture is told of", async () => {
  // 104 pixels a row: the left half of every row is black.
  const rows = new Uint8Array(13 * 40).map((_, at) => (at % 13 < 6 ? 0 : 255));
  const size = "/Width 104 /Height 40 /BitsPerComponent 1";
  const pictures: Uint8Array[] = [];
  const ocr = {
    read: async (picture: Uint8Array) => {
      pictures.push(picture);
      return "said";
    },
  };
  const kinds = [`${size} /ColorSpace /DeviceGray`, `${size} /ImageMask true`];
  for (const kind of kinds) expect((await parseBytes(makePicturePdf(kind, rows), {}, { ocr })).text).toBe("said");
  const head = "P5\n1250 1667\n255\n";
  for (const picture of pictures) {
    expect(new TextDecoder("latin1").decode(picture.subarray(0, head.length))).toBe(head);
    // The page as it is shown: black on the left, white on the right.
    expect([picture[head.length + 100], picture[head.length + 1_200]]).toEqual([0, 255]);
  }
  const broken = makePicturePdf(`${size} /ColorSpace /DeviceGray /Filter /JBIG2Decode`, rows);
  const failure = await failureOf(parseBytes(broken, {}, { ocr }));
  expect(failure).toMatchObject({ code: "no_text", status: 422 });
  expect(failure.detail).toContain("cannot be decoded");
});

test("who signed a PDF is said, not who vouches for the signer; what is broken or only states a time is left out", async () => {
  // Made by a key of "Änn Lee", with her certificate and that of "Test Authority".
  const made = await Bun.file(`${import.meta.dir}/../fixtures/signatures/two-certificates.p7s`).bytes();
  const signature = (contents: Uint8Array, filter: string) =>
    `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${filter} /ByteRange [0 1 2 3] /M (D:20240301101500+01'00') ` +
    `/Reason (I agree) /Contents <${Buffer.from(contents).toString("hex")}${"00".repeat(40)}> >>`;
  const signed = (...signatures: string[]) =>
    pdfOf([
      `<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [${signatures.map((_, at) => `${6 + 2 * at} 0 R`).join(" ")}] >> >>`,
      "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
      stream("", "BT /F1 12 Tf 50 700 Td (Contract) Tj ET"),
      ...signatures.flatMap((one, at) => [`<< /FT /Sig /T (Signature${at}) /V ${7 + 2 * at} 0 R >>`, one]),
    ]);
  const own = signature(made, "adbe.pkcs7.detached");
  const line = "Signed by: Änn Lee, 2024-03-01 10:15, reason: I agree";
  expect((await parseBytes(signed(own, signature(made, "ETSI.RFC3161")))).text).toBe(`Contract\n\n${line}`);
  for (let length = 0; length < made.length - 100; length += 97) {
    const { text } = await parseBytes(signed(signature(made.subarray(0, length), "adbe.pkcs7.detached"), own));
    expect(text).toBe(`Contract\n\n${line}`);
  }
});

test("letters set wide are words, hyphens of compounds and open words stay, names and values are a line each", async () => {
  const spaced = (text: string, x: number, y: number) =>
    [...text]
      .map((letter, index) => ({ text: letter, x: x + index * 16, y, size: 14 }))
      .filter((one) => one.text !== " ");
  const page = [
    ...spaced("WORK PLAN", 50, 760),
    ...lines(
      [
        "The state-of-the-",
        "art machine of pre-",
        "and post-war days has the serial number AB-",
        "4711-X and was built by the best machine-",
        "makers of the town.",
      ],
      50,
      700,
    ),
    { text: "Blood group", x: 50, y: 560 },
    { text: "0 negative", x: 200, y: 560 },
    { text: "Allergies", x: 50, y: 545 },
    { text: "penicillin", x: 200, y: 545 },
    ...lines(["1. Prepare"], 50, 500),
    ...lines(["a) Switch it off"], 80, 486),
    ...lines(["2. Begin"], 50, 472),
  ];
  expect((await parseBytes(makePdf([page]))).text).toBe(
    `# WORK PLAN

The state-of-the-art machine of pre- and post-war days has the serial number AB-4711-X and was built by the best machine-makers of the town.

Blood group 0 negative

Allergies penicillin

1. Prepare
  a) Switch it off
2. Begin`,
  );
});

test("what is written to any mark or shape of a page is read, also where it is rich text alone", async () => {
  const annotation = (kind: string, entries: string) =>
    `<< /Type /Annot /Subtype /${kind} /Rect [50 600 90 640] ${entries} >>`;
  const page = [
    annotation("Square", "/Contents (See annex)"),
    annotation("Text", "/T (Zed) /RC (<body><p>Rich &amp; short</p></body>)"),
    annotation("Popup", "/Contents (See annex)"),
  ];
  const file = makePdf([lines(["Some words."], 50, 700)], "", { page: `/Annots [${page.join(" ")}]` });
  expect((await parseBytes(file)).text).toBe("Some words.\n\nNote: See annex\n\nNote (Zed): Rich & short");
});

test("attached files that are named by /UF alone are read; typed notes from right to left keep the order of their words", async () => {
  const attached = pdfOf([
    "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(note.txt) 4 0 R] >> >> >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Annots [6 0 R] >>",
    "<< /Type /Filespec /UF (note.txt) /EF << /F 5 0 R >> >>",
    "<< /Type /EmbeddedFile /Length 12 >>\nstream\nInside words\nendstream",
    "<< /Type /Annot /Subtype /FreeText /Rect [50 600 300 640] /DA (/Helv 10 Tf) /Contents <FEFF05E905DC05D505DD002005E205D505DC05DD> >>",
  ]);
  expect((await parseBytes(attached)).text).toBe("שלום עולם\n\n## Attachment: note.txt\n\nInside words");
});

test("long values of a form stand beside their labels", async () => {
  const labels = ["Place of the delivery", "What is to be delivered", "Who pays for all of this"];
  const values = [
    "The harbour at the end of the road",
    "A boat with two masts and a cabin",
    "Paid by the owner of the mill",
  ];
  const drawn = labels.map((text, at) => `BT /F1 10 Tf 50 ${700 - at * 30} Td (${text}) Tj ET`).join("\n");
  const file = pdfOf([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R 8 0 R] >> >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R 7 0 R 8 0 R] >>",
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...values.map(
      (value, at) =>
        `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f${at}) /V (${value}) /Rect [250 ${697 - at * 30} 560 ${713 - at * 30}] >>`,
    ),
  ]);
  expect((await parseBytes(file)).text).toBe(labels.map((label, at) => `${label} ${values[at]}`).join("\n\n"));
});

test("hidden text that a scanner misread is read anew by OCR, or told of", async () => {
  const layer = (text: string) => {
    const drawn = `BT /F1 10 Tf 3 Tr 50 700 Td (${text}) Tj ET`;
    return pdfOf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
      `<< /Length ${drawn.length + 30} >>\nstream\n${drawn}\n0 0 100 100 re f            \nendstream`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]);
  };
  const misread = layer("Th3 m1nutes 0f th3 h4rbour c0uncil, r3ad and s1gned by th3 cl3rk");
  const sound = layer("The minutes of the harbour council, read and signed in 2026 by the clerk of 3rd rank");
  const ocr = { read: async () => "The minutes of the harbour council" };
  expect((await parseBytes(misread, {}, { ocr })).text).toBe("The minutes of the harbour council");
  expect((await parseBytes(misread)).warnings.join()).toContain("Page 1: the text that a scanner put behind");
  expect(await parseBytes(sound, {}, { ocr })).toMatchObject({
    text: expect.stringContaining("3rd rank"),
    warnings: [],
  });
});

test("names of glyphs say letters that fonts do not map: type 3, ligatures, TeX's signs, codes of Unicode, packed objects", async () => {
  const pictures = (name: string, encoding: string) =>
    `<< /Type /Font /Subtype /Type3 ${name} /FontBBox [0 0 10 10] /FontMatrix [0.1 0 0 0.1 0 0] /CharProcs << >> ` +
    `/FirstChar 0 /LastChar 255 /Widths [${"5 ".repeat(256)}] /Encoding ${encoding} >>`;
  const differences = (list: string) => `<< /Type /Encoding /Differences [${list}] >>`;
  const simple = (list: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Own /Encoding ${list} >>`;
  const cid =
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /DW 500 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>";
  const packed = `20 0 ${pictures("/BaseFont /Chart", differences("32 /space 48 /zero /one /two 97 /a 120 /x"))}`;
  const body = deflateSync(Buffer.from(packed)).toString("latin1");
  const shown = [
    ["F1", "(x 120 a)", "x 120 a"],
    ["F2", "(\\001\\002\\003)", "née"],
    ["F3", "(Con\\037rmed \\002 \\006)", "Confirmed ‖ ϵ"],
    ["F4", "<0057007900640020017c>", "Wyd ż"],
    ["F5", "(si\\034 41)", "sifi 41"],
  ];
  const drawn = shown.map(([font, text], at) => `BT /${font} 12 Tf 50 ${700 - at * 40} Td ${text} Tj ET`).join(" ");
  const file = pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << ${shown.map(([name], at) => `/${name} ${5 + at} 0 R`).join(" ")} >> >> >>`,
    stream("", drawn),
    pictures("/BaseFont /Chart", "20 0 R"),
    pictures("/BaseFont /Numbered", differences("1 /n /eacute /e")),
    simple(differences("2 /bardbl 6 /epsilon1 31 /f_i")),
    `<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /ToUnicode /Identity-H /DescendantFonts [${cid}] >>`,
    pictures("", differences("28 /a28 32 /a32 49 /a49 52 /a52 105 /a105 115 /a115")),
    stream(`/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode`, body),
  ]);
  const { text, warnings } = await parseBytes(file);
  expect(text.split("\n\n")).toEqual(shown.map(([, , meant]) => meant ?? ""));
  expect(warnings).toEqual([]);
});

test("a smaller number that stands apart from a label and a little higher is no exponent; one beside a figure is", async () => {
  const page = [
    { text: "House No :", x: 50, y: 700, size: 10 },
    { text: "15", x: 109, y: 702, size: 8 },
    { text: "Area 40 m", x: 50, y: 660, size: 10 },
    { text: "2", x: 97, y: 664, size: 6 },
  ];
  const { text } = await parseBytes(makePdf([page]));
  expect(text).toContain("House No : 15");
  expect(text).toContain("m²");
});

test("an XFA form reads as it is shown: captions with values, choices and boxes, rows, hidden parts left out; data besides are listed", async () => {
  const caption = (text: string) => `<caption><value><text>${text}</text></value></caption>`;
  const template = `<template><subform name="form"><draw><value><text>Claim form</text></value></draw>
    <field name="who">${caption("Applicant")}</field>
    <draw><value><text>Farm number</text></value></draw><field name="farm"/>
    <field name="land">${caption("Land")}<items><text>Meadow</text><text>Wood</text></items><items save="1"><text>m</text><text>w</text></items></field>
    <field name="old">${caption("Over 65")}<ui><checkButton/></ui><items><integer>1</integer><integer>0</integer></items></field>
    <exclGroup name="pay">${caption("Paid by")}<field>${caption("Cheque")}<items><text>c</text></items></field><field>${caption("Card")}<items><text>d</text></items></field></exclGroup>
    <field name="secret" presence="hidden">${caption("Hidden")}</field>
    <subform name="row"><field name="beast">${caption("Animal")}</field></subform></subform></template>`;
  const data = (more: string) =>
    `<xfa:datasets xmlns:xfa="u"><xfa:data><form><who>Änn Lee</who><farm>F-7</farm><land>w</land><old>1</old><pay>d</pay>` +
    `<row><beast>Cow</beast></row><row><beast>Goat</beast></row>${more}</form></xfa:data></xfa:datasets>`;
  const xfa = (values: string) =>
    pdfOf([
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA [(template) 6 0 R (datasets) 7 0 R] >> >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
      stream("", "BT /F1 12 Tf 50 700 Td (Please wait) Tj ET"),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      stream("", Buffer.from(template).toString("latin1")),
      stream("", Buffer.from(values).toString("latin1")),
    ]);
  const shown =
    "Please wait\n\nClaim form\n\nApplicant: Änn Lee\n\nFarm number: F-7\n\nLand: Wood\n\nOver 65: ☒\n\nPaid by: Card\n\nAnimal: Cow\n\nAnimal: Goat";
  expect((await parseBytes(xfa(data("")))).text).toBe(shown);
  expect((await parseBytes(xfa(data("<other>lost word</other>")))).text).toContain("other: lost word");
});

test("numbers of large headings, names with hanging text, and stretched lines of narrow columns are no tables", async () => {
  const at = (text: string, x: number, y: number, size = 10) => ({ text, x, y, size });
  const page = [
    at("1", 50, 740, 14),
    at("Introduction", 72, 740, 14),
    at("Quay", 50, 700),
    at("Where ships land", 90, 688),
    at("Pier", 50, 676),
    at("What stands in the water", 90, 664),
    ...["A decision on the fish sale", "because two members of it", "and the treasurer was away."].flatMap(
      (text, index) => [at(text, 50, [620, 596, 584][index] ?? 0), at(text, 250, [620, 596, 584][index] ?? 0)],
    ),
    ...[50, 250].flatMap((x) => [at("market", x, 608), at("was", x + 50, 608), at("put off", x + 88, 608)]),
  ];
  const { text } = await parseBytes(makePdf([page]));
  expect(text).toContain("# 1 Introduction\n\n");
  expect(text).toContain("Quay\n\nWhere ships land\n\nPier\n\nWhat stands in the water");
  expect(text).toContain(
    "A decision on the fish sale market was put off because two members of it and the treasurer was away.",
  );
});

test("a line close below large type is a line of its own, a centered title over two lines is one", async () => {
  const words = (text: string, x: number, y: number, size: number, pitch: number) =>
    text.split(" ").map((word, at) => ({ text: word, x: x + at * pitch, y, size }));
  const page = [
    ...words("Beckside Mill", 50, 740, 26, 110),
    { text: "A short history for visitors", x: 50, y: 728, size: 10 },
    { text: "Cost of a van over eight", x: 150, y: 650, size: 20 },
    { text: "years", x: 235, y: 624, size: 20 },
    ...lines(left, 50, 560),
  ];
  const { text } = await parseBytes(makePdf([page]));
  expect(text).toContain("# Beckside Mill\n");
  expect(text).toContain("A short history for visitors\n");
  expect(text).toMatch(/^#+ Cost of a van over eight years$/m);
});

test("clauses with numbers of two levels are a paragraph each", async () => {
  const clauses = [
    "2.1 The rent is due on the third working day of each month without a reminder.",
    "2.2 If the rent is late by more than ten days, the landlord may charge a fee of",
    "five euros.",
    "2.3 The tenant pays by transfer.",
  ];
  const { text } = await parseBytes(makePdf([lines(clauses, 50, 700)]));
  expect(text.split("\n\n")).toHaveLength(3);
  expect(text).toContain("a fee of five euros.");
});

test("the last group of a long number is no column of its own", async () => {
  const page = [
    ...lines(["Menuiserie Leroux", "5 rue du Port", "35400 Saint-Malo", "SIRET 812 442 007 00019"], 40, 700, 11.5),
    ...lines(["SCI Les Tilleuls", "18 avenue Foch", "35000 Rennes"], 312, 700, 11.5),
    { text: "A late payment costs three times the legal rate and a fee of forty euros.", x: 40, y: 600 },
  ];
  expect((await parseBytes(makePdf([page]))).text).toContain("SIRET 812 442 007 00019");
});
