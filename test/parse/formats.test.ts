import { expect, test } from "bun:test";
import { docxParts, makeZip } from "../../tools/samples/zip-file.ts";
import { threadCpuMs } from "../thread-cpu.ts";
import { parseBytes } from "./test-parser.ts";

const p = (text: string, properties = "") =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const style = (id: string) => `<w:pStyle w:val="${id}"/>`;
const list = (level: number, numId: number) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`;
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const relation = (id: string, type: string, target: string, mode = "") =>
  `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}" ${mode}/>`;

const docx = (body: string, note = "") =>
  makeZip(
    docxParts(
      body,
      [
        {
          name: "word/styles.xml",
          content: `<w:styles ${word}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Own"><w:name w:val="My heading"/><w:basedOn w:val="H2"/></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="T1"><w:name w:val="toc 1"/></w:style></w:styles>`,
        },
        {
          name: "word/numbering.xml",
          content: `<w:numbering ${word}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="·"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
        },
        {
          name: "word/footnotes.xml",
          content: `<w:footnotes ${word}><w:footnote w:id="-1" w:type="separator">${p("---")}</w:footnote><w:footnote w:id="2">${p(note)}</w:footnote></w:footnotes>`,
        },
      ],
      relation("s", "styles", "styles.xml") +
        relation("n", "numbering", "numbering.xml") +
        relation("f", "footnotes", "footnotes.xml") +
        relation("l", "hyperlink", "https://example.com/a", 'TargetMode="External"'),
    ),
  );

test("docx: headings by style, counted lists, links, notes; contents, deleted and hidden text left out", async () => {
  const { text, title } = await parseBytes(
    docx(
      [
        p("Contents entry", style("T1")),
        p("Opening hours", style("berschrift1")),
        `<w:p><w:r><w:t>See </w:t></w:r><w:hyperlink r:id="l"><w:r><w:t>the page</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t><w:footnoteReference w:id="2"/></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:ins><w:r><w:t> New.</w:t></w:r></w:ins></w:p>`,
        p("Details", style("Own")),
        p("first", list(0, 1)),
        p("inner", list(1, 1)),
        p("second", list(0, 1)),
        p("point", list(0, 2)),
        p("its own", style("List Bullet 2") + list(0, 2)),
        p("# no heading"),
      ].join(""),
      "Said in 1999.",
    ),
  );
  expect(title).toBe("Opening hours");
  expect(text).toBe(
    "# Opening hours\n\nSee [the page](https://example.com/a).[^1] New.\n\n## Details\n\n" +
      "1. first\n  a) inner\n2. second\n- point\n  - its own\n\n\\# no heading\n\n[^1]: Said in 1999.",
  );
});

const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
const row = (...cells: string[]) => `<w:tr>${cells.join("")}</w:tr>`;

test("docx: merged cells are repeated downwards, not across; bars are escaped", async () => {
  const body = `<w:tbl>${row(cell("Day"), cell("Hours", '<w:gridSpan w:val="2"/>'))}${row(
    cell("Mon", '<w:vMerge w:val="restart"/>'),
    cell("9|12"),
    cell("a"),
  )}${row(cell("old", "<w:vMerge/>"), cell("13"), cell("b"))}</w:tbl>`;
  expect((await parseBytes(docx(body))).text).toBe(
    "| Day | Hours |  |\n| --- | --- | --- |\n| Mon | 9\\|12 | a |\n| Mon | 13 | b |",
  );
});

const sheetRelations =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="http://x/worksheet" Target="/xl/worksheets/sheet2.xml"/><Relationship Id="c" Type="http://x/styles" Target="styles.xml"/><Relationship Id="d" Type="http://x/sharedStrings" Target="sharedStrings.xml"/></Relationships>';

const xlsx = (rows: string, more = "", workbook = "") =>
  makeZip([
    { name: "[Content_Types].xml", content: "<Types/>" },
    {
      name: "_rels/.rels",
      content:
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    },
    {
      name: "xl/workbook.xml",
      content: `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${workbook}<sheets><sheet name="Orders" r:id="a"/><sheet name="Secret" state="hidden" r:id="b"/></sheets></workbook>`,
    },
    { name: "xl/_rels/workbook.xml.rels", content: sheetRelations },
    {
      name: "xl/styles.xml",
      content:
        '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.0%"/><numFmt numFmtId="166" formatCode="[Red]#,##0.00 &quot;days&quot;"/><numFmt numFmtId="167" formatCode="hh:mm AM/PM"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/><xf numFmtId="167"/></cellXfs></styleSheet>',
    },
    {
      name: "xl/sharedStrings.xml",
      content:
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>Item</t></si><si><r><t>Rich </t></r><r><t>text</t></r><rPh><t>aid</t></rPh></si></sst>',
    },
    {
      name: "xl/worksheets/sheet1.xml",
      content: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData>${more}</worksheet>`,
    },
    { name: "xl/worksheets/sheet2.xml", content: "<worksheet><sheetData/></worksheet>" },
  ]);

test("xlsx: values as displayed, hidden sheets reported", async () => {
  const { text, pages, warnings } = await parseBytes(
    xlsx(
      `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Value</t></is></c></row>
       <row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>45292</v></c></row>
       <row r="3"><c r="A3" t="str"><f>A1</f><v>time</v></c><c r="B3" s="2"><v>45292.5</v></c></row>
       <row r="4"><c r="A4" t="b"><v>1</v></c><c r="B4" s="3"><v>0.125</v></c></row>
       <row r="5"><c r="A5" t="e"><v>#DIV/0!</v></c><c r="B5"><v>0.30000000000000004</v></c></row>
       <row r="6"><c r="A6"><v>1234567890123</v></c><c r="B6" s="4"><v>2.5</v></c></row>
       <row r="7"><c r="A7" s="5"><v>0.375</v></c><c r="C7"><v>9</v></c></row>
       <row r="8"><c r="A8" s="6"><v>46146.6875</v></c><c r="B8" s="5"><v>46147</v></c></row>`,
    ),
  );
  expect(text).toBe(
    "# Orders\n\n| Item | Value |  |\n| --- | --- | --- |\n| Rich text | 2024-01-01 |  |\n| time | 2024-01-01 12:00 |  |\n" +
      "| TRUE | 12.5% |  |\n| #DIV/0! | 0.3 |  |\n| 1234567890123 | 2.50 days |  |\n| 09:00 |  | 9 |\n| 16:30 | 00:00 |  |",
  );
  expect(pages).toEqual([{ page: 1, start: 0 }]);
  expect(warnings).toEqual(['Sheet "Secret" is hidden and was left out.']);
});

test("xlsx: formulas without a stored value are computed where they are simple, else shown with a warning", async () => {
  const formula = (reference: string, text: string, more = "") => `<c r="${reference}" ${more}><f>${text}</f></c>`;
  const { text, warnings } = await parseBytes(
    xlsx(
      `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>10</v></c><c r="C1"><v>2.5</v></c><c r="D1" s="1"><v>45292</v></c></row>
       <row r="2">${formula("A2", "SUM(B1:C1)")}${formula("B2", "AVERAGE($B$1:C1,7.5)")}${formula("C2", "-(B1+C1)*2/5%")}${formula("D2", "D1+31", 's="1"')}</row>
       <row r="3">${formula("A3", 'A1&amp;" "&amp;B2')}${formula("B3", "MAX(B1:B2)-MIN(A1:C1)")}${formula("C3", "COUNT(A1:D2)")}${formula("D3", "ROUND(C1/3,2)", 's="3"')}</row>
       <row r="4">${formula("A4", "Secret!B1+1")}${formula("B4", "B4+1")}${formula("C4", "B1/0")}${formula("D4", "TODAY()-D1")}</row>
       <row r="5">${formula("A5", "A1+1")}${formula("B5", "sum(b1:b3)*'Orders'!C1")}<c r="C5"><f t="shared" ref="C5:D5" si="0">B$1*C1</f></c><c r="D5"><f t="shared" si="0"/></c></row>
       <row r="6">${formula("A6", "SUM(F:G,Orders!$G:$G)")}<c r="F6"><v>1</v></c><c r="G6"><v>2</v></c></row>`,
    ),
  );
  expect(text.split("\n").slice(2)).toEqual([
    "| Item | 10 | 2.5 | 2024-01-01 |  |  |",
    "| --- | --- | --- | --- | --- | --- |",
    "| 12.5 | 6.66666666666667 | -500 | 2024-02-01 |  |  |",
    "| Item 6.66666666666667 | 7.5 | 7 | 83.0% |  |  |",
    "| 1 | =B4+1 | =B1/0 | =TODAY()-D1 |  |  |",
    "| =A1+1 | 60.4166666666667 | 25 | 113230 |  |  |",
    "| 5 |  |  |  | 1 | 2 |",
  ]);
  expect(warnings[0]).toContain("4 formulas have no stored value and are shown as written");
});

test("xlsx: conditions, comparisons, powers and texts put together are computed", async () => {
  const formulas = [
    'IF(A1&gt;=10,"high","low")',
    "IF(A2=0,0,A1/A2)",
    'IF(B1="OAK",A1^2,"none")',
    'CONCATENATE(B1,"-",A1)',
    "A1&lt;&gt;12",
    "ABS(-2.5)+INT(-2.5)",
    'IF(A1=12,IF(A2=1,"a","b"))',
  ];
  const cells = formulas
    .map((formula, at) => `<row r="${at + 2}"><c r="C${at + 2}"><f>${formula}</f></c></row>`)
    .join("");
  const first = '<row r="1"><c r="A1"><v>12</v></c><c r="B1" t="inlineStr"><is><t>Oak</t></is></c></row>';
  const { text, warnings } = await parseBytes(xlsx(first + cells));
  for (const value of ["high", "0", "144", "Oak-12", "FALSE", "-0.5", "b"])
    expect(text).toMatch(new RegExp(`^(?:\\|  \\|  )?\\| ${value} \\|$`, "m"));
  expect(warnings.join()).not.toContain("formulas");
});

test("xlsx: conditions over ranges, lookups, dates and texts are computed as a spreadsheet does; the rest stays written", async () => {
  const formulas: [formula: string, shown: string][] = [
    ['SUMIF(A1:A4,"oak",B1:B4)', "16"],
    ['SUMIF(B1:B4,">4")', "12"],
    ['COUNTIF(A1:A4,"*a*")', "3"],
    ['COUNTIF(A1:A4,"?ak")', "2"],
    ['SUMIFS(B1:B4,A1:A4,"&lt;>oak",B1:B4,"&lt;8")', "7"],
    ['COUNTIFS(A1:A4,"")', "0"],
    ['VLOOKUP("ELM",A1:C4,3,FALSE)', "x"],
    ["VLOOKUP(20,B1:C3,2)", "y"],
    ['IFERROR(VLOOKUP("fir",A1:C4,2,0),"none")', "none"],
    ['INDEX(B1:B4,MATCH("elm",A1:A4,0))', "3"],
    ['TEXT(45292,"dd.mm.yyyy")&amp;TEXT(0.5," 0%")', "01.01.2024 50%"],
    ["DATE(2024,2,30)", "45352"],
    ["EOMONTH(45292,1)", "45351"],
    ["YEAR(45292)*100+MONTH(45292)", "202401"],
    ["ROUNDUP(-2.01,1)", "-2.1"],
    ['UPPER(LEFT(A1,2))&amp;MID("hello",2,3)', "OAell"],
    ["AND(B1&gt;1,OR(B2&gt;100,TRUE))", "TRUE"],
    ["_xlfn.CONCAT(A1:A2,1)", "oakelm1"],
    ["SUMPRODUCT(B1:B2,B2:B3)", "48"],
    ['COUNTIF(B1:B4,">2024-01-01")', '=COUNTIF(B1:B4,">2024-01-01")'],
    ['IFERROR(TODAY(),"none")', '=IFERROR(TODAY(),"none")'],
    ["IFERROR(RAND(),1)", "=IFERROR(RAND(),1)"],
  ];
  const rows = ["oak 4 x", "elm 3 x", "Oak 12 y", "ash 4 z"]
    .map((row) => row.split(" "))
    .map(
      ([name, count, mark], at) =>
        `<row r="${at + 1}"><c r="A${at + 1}" t="str"><v>${name}</v></c><c r="B${at + 1}"><v>${count}</v></c><c r="C${at + 1}" t="str"><v>${mark}</v></c></row>`,
    );
  const cells = formulas.map(([formula], at) => `<row r="${at + 9}"><c r="A${at + 9}"><f>${formula}</f></c></row>`);
  const { text, warnings } = await parseBytes(xlsx(rows.join("") + cells.join("")));
  const shown = text
    .split(/\n+/)
    .slice(-formulas.length)
    .map((row) => row.replace(/^\| | (?:\| *){1,3}$/g, "").replace(/\\/g, ""));
  expect(shown).toEqual(formulas.map(([, value]) => value));
  expect(warnings[0]).toStartWith('Sheet "Orders": 3 formulas have no stored value');
});

test("xlsx: formulas that lead far or in circles cost little", async () => {
  const chain = (of: (row: number) => string) =>
    Array.from(
      { length: 2_000 },
      (_, at) => `<row r="${at + 2}"><c r="A${at + 2}"><f>${of(at + 2)}</f></c></row>`,
    ).join("");
  const start = '<row r="1"><c r="A1"><v>1</v></c></row>';
  const began = threadCpuMs();
  const down = await parseBytes(xlsx(start + chain((row) => `A${row - 1}+1`)));
  expect(down.text).toEndWith("\n2001");
  for (const of of [
    (row: number) => `A${row + 1}`,
    () => "SUM(A:A)",
    () => "SUM(A1:XFD1048576)",
    () => "(".repeat(400),
  ])
    expect((await parseBytes(xlsx(start + chain(of)))).warnings[0]).toContain("shown as written");
  expect(threadCpuMs() - began).toBeLessThan(4_000);
});

test("xlsx: merged cells fill down; the calendar of 1904 is known", async () => {
  const { text } = await parseBytes(
    xlsx(
      `<row r="1"><c r="A1" t="inlineStr"><is><t>Zone</t></is></c><c r="B1" t="inlineStr"><is><t>Day</t></is></c></row>
       <row r="2"><c r="A2" t="inlineStr"><is><t>North</t></is></c><c r="B2" s="1"><v>0</v></c></row>
       <row r="3"><c r="B3" s="1"><v>1</v></c></row>`,
      '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>',
      '<workbookPr date1904="1"/>',
    ),
  );
  expect(text).toContain("| North | 1904-01-01 |\n| North | 1904-01-02 |");
});

const openDocument = (kind: string, body: string, styles = "") =>
  makeZip([
    { name: "mimetype", content: `application/vnd.oasis.opendocument.${kind}` },
    {
      name: "content.xml",
      content: `<?xml version="1.0"?><office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    },
  ]);

test("odt: headings, lists, links, notes, tables", async () => {
  const { text } = await parseBytes(
    openDocument(
      "text",
      `<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">Part</text:h><text:p>A<text:s text:c="2"/>b<text:line-break/>c <text:a xlink:href="https://example.com/">link</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>said</text:p></text:note-body></text:note></text:p><text:list text:style-name="L1"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>in</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list></office:text>`,
      '<text:list-style style:name="L1"><text:list-level-style-number/></text:list-style>',
    ),
  );
  expect(text).toBe("## Part\n\nA b\nc [link](https://example.com/)[^1]\n\n1. one\n  1. in\n2. two\n\n[^1]: said");
});

test("ods: stored values, repeats bounded, sheets as pages", async () => {
  const { text, pages } = await parseBytes(
    openDocument(
      "spreadsheet",
      `<office:spreadsheet><table:table table:name="A"><table:table-row><table:table-cell office:value-type="string"><text:p>When</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>What</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell office:value-type="date" office:date-value="2024-02-29"><text:p>29.02.24</text:p></table:table-cell><table:table-cell office:value-type="percentage" office:value="0.07"><text:p>7 %</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table><table:table table:name="B"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`,
    ),
  );
  expect(text).toBe("# A\n\n| When | What |\n| --- | --- |\n| 2024-02-29 | 7% |\n\n# B\n\nx");
  expect(pages.map((page) => page.page)).toEqual([1, 2]);
});

test("odp: slides as pages with their notes", async () => {
  const { text, pages } = await parseBytes(
    openDocument(
      "presentation",
      `<office:presentation><draw:page><draw:frame presentation:class="subtitle"><draw:text-box><text:p>below</text:p></draw:text-box></draw:frame><draw:frame presentation:class="title"><draw:text-box><text:p>Welcome</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>say hello</text:p></draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation>`,
    ),
  );
  expect(text).toBe("# Welcome\n\nbelow\n\nNotes: say hello");
  expect(pages).toEqual([{ page: 1, start: 0 }]);
});

test("odt: styles of the styles part and the styles made from them count", async () => {
  const archive = makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text" },
    {
      name: "styles.xml",
      content: `<office:document-styles><office:styles><style:style style:name="Quotations" style:family="paragraph"/><text:list-style style:name="L9"><text:list-level-style-number text:level="1"/><text:list-level-style-bullet text:level="2"/></text:list-style></office:styles></office:document-styles>`,
    },
    {
      name: "content.xml",
      content: `<office:document-content><office:automatic-styles><style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/><style:style style:name="P2" style:family="paragraph" style:parent-style-name="Title"/></office:automatic-styles><office:body><office:text><text:p text:style-name="P2">Rules</text:p><text:list text:style-name="L9"><text:list-item text:start-value="3"><text:p>third</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>fourth</text:p></text:list-item></text:list><text:p text:style-name="P1">said she</text:p></office:text></office:body></office:document-content>`,
    },
  ]);
  expect((await parseBytes(archive)).text).toBe("# Rules\n\n3. third\n  - inner\n4. fourth\n\n> said she");
});

test("docx: footnotes and endnotes are counted as they are met, quotes are quotes", async () => {
  const notes = (kind: string, id: string, text: string) => ({
    name: `word/${kind}s.xml`,
    content: `<w:${kind}s ${word}><w:${kind} w:id="${id}">${p(text)}</w:${kind}></w:${kind}s>`,
  });
  const reference = (kind: string, id: string) => `<w:r><w:t>word</w:t><w:${kind}Reference w:id="${id}"/></w:r>`;
  const body = `<w:p>${reference("endnote", "7")}</w:p><w:p>${reference("footnote", "7")}</w:p>${p("so it is", style("Quote"))}`;
  const relations = relation("f", "footnotes", "footnotes.xml") + relation("e", "endnotes", "endnotes.xml");
  const parts = docxParts(body, [notes("footnote", "7", "below"), notes("endnote", "7", "behind")], relations);
  expect((await parseBytes(makeZip(parts))).text).toBe(
    "word[^1]\n\nword[^2]\n\n> so it is\n\n[^1]: behind\n\n[^2]: below",
  );
});

test("rtf: cells merged over rows and columns are laid out, names of groups come before those of their columns", async () => {
  const line = (shape: string, ...cells: string[]) =>
    `\\trowd${shape}\\pard\\intbl ${cells.join("\\cell ")}\\cell\\row\n`;
  const rtf =
    "{\\rtf1\\ansi " +
    line("\\clvmgf\\cellx1000\\cellx3000", "Gate", "Staff") +
    line("\\clvmrg\\cellx1000\\cellx2000\\cellx3000", "", "Lead", "Helper") +
    line("\\clvmgf\\cellx1000\\cellx2000\\cellx3000", "North", "Amir", "7") +
    line("\\clvmrg\\cellx1000\\clmgf\\cellx2000\\clmrg\\cellx3000", "", "nobody", "") +
    "\\pard after\\par}";
  expect((await parseBytes(rtf)).text).toBe(
    "| Gate | Staff Lead | Staff Helper |\n| --- | --- | --- |\n| North | Amir | 7 |\n| North | nobody |  |\n\nafter",
  );
});

test("rtf: links, notes, and lists whose marks were typed", async () => {
  const rtf = String.raw`{\rtf1\ansi Before {\field{\*\fldinst{HYPERLINK "https://x.example/a" \\o "tip"}}{\fldrslt{\ul the rules}}} after.{\super\chftn}{\*\footnote\pard\plain See {\field{\*\fldinst HYPERLINK "https://x.example/n"}{\fldrslt there}}.\par}\par
\pard\li360\fi-360 \bullet\tab one\par\pard\li720\fi-360 \endash\tab inner\par\pard\li360\fi-360 1.\tab two\par
\pard {\field{\*\fldinst HYPERLINK \\l "mark"}{\fldrslt inside}} {\field{\*\fldinst PAGE}{\fldrslt 3}}\par}`;
  expect((await parseBytes(rtf)).text).toBe(
    "Before [the rules](https://x.example/a) after.[^1]\n\n- one\n  - inner\n1. two\n\ninside 3\n\n" +
      "[^1]: See [there](https://x.example/n).",
  );
});

test("rtf: code pages, unicode, lists, tables, nothing of what is no text", async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1251\deff0{\fonttbl{\f0\fcharset204 Arial;}{\f1\fcharset128 Gothic;}}{\stylesheet{\s1 heading 1;}}{\info{\title A title}}{\*\generator x;}{\header top}
\pard\s1 \'c7\'e0\'e3\'ee\'eb\'ee\'e2\'ee\'ea\par\pard {\f1\'93\'8c\'8b\'9e} \u8364?5 \emdash  {\v hidden}{\pict 89504e47}end\par
{\listtext\'b7\tab}\pard\ls1 item\par\pard{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt shown}}\par
\trowd\pard\intbl a\cell b\cell\row\trowd\pard\intbl c\cell d\cell\row\pard after\par}`;
  const { text, title } = await parseBytes(rtf, { name: "a.rtf" });
  expect(title).toBe("A title");
  expect(text).toBe(
    "top\n\n# Заголовок\n\n東京 €5 — end\n\n- item\n\n[shown](http://x)\n\n| a | b |\n| --- | --- |\n| c | d |\n\nafter",
  );
});

test("rtf: the end of a group restores its font, and with it the charset", async () => {
  const fonts = String.raw`{\fonttbl{\f0\fcharset204 Arial;}{\f1\fcharset128 Gothic;}}`;
  const rtf = String.raw`{\rtf1\ansi\ansicpg1252\deff0${fonts}\f0 \'c4\'e0 {\f1\'93\'8c\'8b\'9e} \'c4\'e0\par}`;
  expect((await parseBytes(rtf)).text).toBe("Да 東京 Да");
});

test("json: records as a table, the rest as lists; large numbers and odd keys survive", async () => {
  expect((await parseBytes('[{"a":1,"b":"x|y"},{"a":2,"b":null}]')).text).toBe(
    "| a | b |\n| --- | --- |\n| 1 | x\\|y |\n| 2 |  |",
  );
  expect((await parseBytes('{"name":"Ann","tags":["x","y"],"inner":{"__proto__":{"deep":true}}}')).text).toBe(
    "- name: Ann\n- tags: x, y\n- inner:\n  - __proto__:\n    - deep: true",
  );
  expect((await parseBytes('{"a":1}\n{"a":2,\n{"a":3}\n', { name: "a.jsonl" })).warnings).toEqual([
    "Line 2 is no JSON and was left out.",
  ]);
});

test("yaml: comments, references, versions as written, several documents; invalid stays as it is", async () => {
  const yaml =
    "# About this file\n\nbase: &b {port: 1.10}\n# where it listens\nuse: *b\nnote: x # short\n---\n- one\n- two\n";
  expect((await parseBytes(yaml, { name: "a.yaml" })).text).toBe(
    "About this file\n\n- base:\n  - port: 1.10\n- use: (where it listens)\n  - port: 1.10\n- note: x (short)\n- one\n- two",
  );
  const broken = await parseBytes("a: [1\nb: }", { name: "a.yaml" });
  expect(broken.text).toBe("a: [1\nb: }");
  expect(broken.warnings).toHaveLength(1);
});

test("xml: prose as paragraphs, its own small entities put in, others' never", async () => {
  const xml = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY co "Acme &amp; Sons"><!ENTITY f SYSTEM "file:///etc/passwd">]><article><title>T</title><para>By &co;, <b>bold</b> &f;.</para></article>`;
  const { text, title } = await parseBytes(xml);
  expect(title).toBe("T");
  expect(text).toContain("By Acme & Sons, bold &f;.");
});

test("mail: parts, encodings and attachments of attachments", async () => {
  const inner = "From: c@x\r\nTo: d@x\r\nSubject: Inner\r\nMIME-Version: 1.0\r\n\r\ninner text";
  const mail = [
    "From: =?utf-8?B?QW5uIE3DvGxsZXI=?= <a@x.example>",
    "To: b@x.example",
    "Subject: =?iso-8859-1?Q?Gr=FC=DFe?=",
    "Date: Mon, 01 Jan 2024 10:00:00 +0100",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="m"',
    "",
    "--m",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "<p>Hello =C3=BC</p><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
    "--m",
    "Content-Type: message/rfc822",
    'Content-Disposition: attachment; filename="fw.eml"',
    "",
    inner,
    "--m",
    "Content-Type: application/octet-stream",
    'Content-Disposition: attachment; filename="x.bin"',
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(Uint8Array.from({ length: 600 }, (_, index) => (index * 7919) % 256)).toString("base64"),
    "--m--",
  ].join("\r\n");
  const { text, title, warnings } = await parseBytes(mail, { name: "a.eml" });
  expect(title).toBe("Grüße");
  expect(text).toContain("From: Ann Müller <a@x.example>");
  expect(text).toContain("Date: 2024-01-01T09:00:00.000Z");
  expect(text).toContain("Hello ü\n\n| a | b |\n| --- | --- |\n| 1 | 2 |");
  expect(text).toContain("inner text");
  expect(warnings.join()).toContain("x.bin was left out");
});

test("csv: quotes, line breaks in cells, ragged rows, a stated delimiter, one column", async () => {
  expect((await parseBytes('a,b\n"x, y","two\nlines"\nonly\n', { name: "a.csv" })).text).toBe(
    "| a | b |\n| --- | --- |\n| x, y | two lines |\n| only |  |",
  );
  expect((await parseBytes("sep=|\na|b\n1|2\n", { name: "a.csv" })).text).toBe("| a | b |\n| --- | --- |\n| 1 | 2 |");
  expect((await parseBytes("one\ntwo\n", { name: "a.csv" })).text).toBe("one\ntwo");
});

/** A presentation of one slide. */
const pptxOf = (shapes: string) => {
  const relations = (...entries: [id: string, type: string, target: string][]) =>
    `<Relationships>${entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`).join("")}</Relationships>`;
  return makeZip([
    { name: "[Content_Types].xml", content: "<Types/>" },
    { name: "_rels/.rels", content: relations(["r", "officeDocument", "ppt/p.xml"]) },
    {
      name: "ppt/p.xml",
      content: '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    },
    { name: "ppt/_rels/p.xml.rels", content: relations(["a", "slide", "s.xml"]) },
    {
      name: "ppt/s.xml",
      content: `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    },
  ]);
};

test("pptx: raised and lowered text reads as such", async () => {
  const run = (text: string, baseline = 0) => `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`;
  const runs = [run("12 m"), run("2", 30_000), run(", H"), run("2", -25_000), run("O, 10"), run("-6", 30_000)].join("");
  const pptx = pptxOf(`<p:sp><p:txBody><a:p>${runs}</a:p></p:txBody></p:sp>`);
  expect((await parseBytes(pptx)).text).toBe("12 m², H₂O, 10⁻⁶");
});

test("raised and lowered text of rtf and odt reads as such; a letter after a word is a mark, after a figure an ending", async () => {
  const rtf = String.raw`{\rtf1\ansi The area is 45 m{\super 2}, 10{\super 6}\nosupersub  of H{\sub 2}O in 1948{\up6\fs16 3}, word{\super a} and 1{\super a}.\par}`;
  expect((await parseBytes(rtf)).text).toBe("The area is 45 m², 10⁶ of H₂O in 1948³, word^a and 1a.");
  const odt = openDocument(
    "text",
    '<office:text><text:p>45 m<text:span text:style-name="T1">2</text:span> of H<text:span text:style-name="T2">2</text:span>O, word<text:span text:style-name="T1">a</text:span></text:p></office:text>',
    '<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="T2" style:family="text"><style:text-properties style:text-position="-33% 58%"/></style:style>',
  );
  expect((await parseBytes(odt)).text).toBe("45 m² of H₂O, word^a");
  const html = "<!doctype html><p>In 1948<sup>a</sup> the 1<sup>a</sup> of 10<sup>6</sup> m<sup>2</sup></p>";
  expect((await parseBytes(html)).text).toBe("In 1948^a the 1a of 10⁶ m²");
});

test("sheets: tables with one empty column between them are two where they name the same or end apart", async () => {
  const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = (texts: string[][]) =>
    texts
      .map(
        (row, at) =>
          `<row r="${at + 1}">${row.map((text, column) => (text === "" ? "" : cell(`${"ABCDE"[column]}${at + 1}`, text))).join("")}</row>`,
      )
      .join("");
  const two = rows([
    ["Name", "Boat", "", "Name", "Berth"],
    ["Ann", "Oak", "", "Ben", "East"],
    ["Eva", "Elm", "", "", ""],
  ]);
  expect((await parseBytes(xlsx(two))).text).toContain("| Ann | Oak |\n| Eva | Elm |\n\n| Name | Berth |");
  const one = rows([
    ["Name", "Boat", "", "City", "Berth"],
    ["Ann", "Oak", "", "Hull", "East"],
  ]);
  expect((await parseBytes(xlsx(one))).text).toContain("| Ann | Oak | Hull | East |");
});

test("sheets: names of groups over columns are in the names of all their columns", async () => {
  const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const row = (number: number, texts: string[]) =>
    `<row r="${number}">${texts.map((text, at) => (text === "" ? "" : cell(`${"ABCDE"[at]}${number}`, text))).join("")}</row>`;
  const rows = `${row(1, ["", "North", "", "South", ""])}${row(2, ["Item", "Units", "Price", "Units", "Price"])}<row r="3">${cell("A3", "Oars")}${["B", "C", "D", "E"].map((column, at) => `<c r="${column}3"><v>${at + 3}</v></c>`).join("")}</row>`;
  const { text } = await parseBytes(
    xlsx(rows, '<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="D1:E1"/></mergeCells>'),
  );
  expect(text).toContain(
    "| Item | North Units | North Price | South Units | South Price |\n| --- | --- | --- | --- | --- |\n| Oars | 3 | 4 | 5 | 6 |",
  );
});

test("docx, odt, pptx and html: names of groups over columns are in the names of all their columns", async () => {
  const head = [
    [
      { text: "Camp", down: 2 },
      { text: "Members", across: 2 },
      { text: "Guests", across: 2 },
    ],
    [{ text: "2025" }, { text: "2026" }, { text: "2025" }, { text: "2026" }],
    ["Arran", "210", "375", "260", "470"].map((text) => ({ text })),
  ] as { text: string; across?: number; down?: number }[][];
  const read =
    "| Camp | Members 2025 | Members 2026 | Guests 2025 | Guests 2026 |\n| --- | --- | --- | --- | --- |\n| Arran | 210 | 375 | 260 | 470 |";
  const rows = (row: string, cell: (text: string, across: number, down: number) => string) =>
    head
      .map(
        (cells) =>
          `<${row}>${cells.map(({ text, across = 1, down = 1 }) => cell(text, across, down)).join("")}</${row}>`,
      )
      .join("");
  const html = rows("tr", (text, across, down) => `<td colspan="${across}" rowspan="${down}">${text}</td>`);
  expect((await parseBytes(`<html><body><table>${html}</table></body></html>`)).text).toBe(read);
  const word = rows("w:tr", (text, across, down) => {
    const merge = down > 1 ? '<w:vMerge w:val="restart"/>' : "";
    return `<w:tc><w:tcPr><w:gridSpan w:val="${across}"/>${merge}</w:tcPr>${p(text)}</w:tc>`;
  }).replace("</w:tr><w:tr>", `</w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>${p("")}</w:tc>`);
  expect((await parseBytes(docx(`<w:tbl>${word}</w:tbl>`))).text).toBe(read);
  const open = rows("table:table-row", (text, across, down) => {
    const spans = `table:number-columns-spanned="${across}" table:number-rows-spanned="${down}"`;
    return `<table:table-cell ${spans}><text:p>${text}</text:p></table:table-cell>`;
  });
  const odt = openDocument("text", `<office:text><table:table>${open}</table:table></office:text>`);
  expect((await parseBytes(odt)).text).toBe(read);
  const slide = rows("a:tr", (text, across, down) => {
    return `<a:tc gridSpan="${across}" rowSpan="${down}"><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  });
  expect(
    (await parseBytes(pptxOf(`<p:graphicFrame><a:graphic><a:tbl>${slide}</a:tbl></a:graphic></p:graphicFrame>`))).text,
  ).toBe(read);
});

test("html: a merged cell over rows of values is no name of their columns", async () => {
  const table = (rows: string) => parseBytes(`<html><body><table>${rows}</table></body></html>`);
  const values = "<tr><td>Day<td colspan=2>Hours<tr><td rowspan=2>Mon<td>9<td>12<tr><td>13<td>17";
  expect((await table(values)).text).toBe(
    "| Day | Hours |  |\n| --- | --- | --- |\n| Mon | 9 | 12 |\n| Mon | 13 | 17 |",
  );
  const counts = "<tr><td>Club<td colspan=2>Members<tr><td>Fife<td>12<td>14<tr><td>Moray<td>9<td>20";
  expect((await table(counts)).text).toContain("| Fife | 12 | 14 |\n| Moray | 9 | 20 |");
});

test("OpenDocument: comments, charts, formulas, described pictures, headers and footers once; currencies and zeros of sheets", async () => {
  const part = (name: string, content: string) => ({ name, content: `<?xml version="1.0"?>${content}` });
  const cell = (type: string, more: string, text: string, inside = "") =>
    `<table:table-cell office:value-type="${type}" ${more}>${inside}<text:p>${text}</text:p></table:table-cell>`;
  const row = (cells: string) => `<table:table-row>${cells}</table:table-row>`;
  const note = (text: string) =>
    `<office:annotation><dc:creator>Eve</dc:creator><text:p>${text}</text:p></office:annotation>`;
  const object = (name: string) =>
    `<draw:frame><draw:object xlink:href="./${name}"><text:p/></draw:object></draw:frame>`;
  const objects = [
    part("Object 1/content.xml", "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"),
    part(
      "Object 2/content.xml",
      `<chart:chart><chart:title><text:p>Catch</text:p></chart:title><table:table>${row(cell("string", "", "") + cell("string", "", "Fish"))}${row(cell("string", "", "May") + cell("float", 'office:value="7"', "7"))}</table:table></chart:chart>`,
    ),
  ];
  const margins = ["header", "footer"]
    .map((name) => `<style:${name}><text:p>Our ${name}</text:p></style:${name}>`)
    .join("");
  const picture = "<draw:frame><draw:image/><svg:desc>A quay</svg:desc></draw:frame>";
  const file = (kind: string, body: string) =>
    makeZip([
      { name: "mimetype", content: `application/vnd.oasis.opendocument.${kind}` },
      part(
        "content.xml",
        `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      ),
      part(
        "styles.xml",
        `<s><style:master-page>${margins}</style:master-page><style:master-page>${margins}</style:master-page></s>`,
      ),
      ...objects,
    ]);
  const { text } = await parseBytes(
    file(
      "text",
      `<text:p>x = ${object("Object 1")}${note("Right?")} ${picture}</text:p><text:p>${object("Object 2")}</text:p>`,
    ),
  );
  expect(text).toBe(
    "Our header\n\nx = a/b [Picture: A quay]\n\nCatch\n\n|  | Fish |\n| --- | --- |\n| May | 7 |\n\nOur footer\n\nComment (Eve): Right?",
  );
  const sheet = await parseBytes(
    file(
      "spreadsheet",
      `<table:table table:name="Costs">${row(cell("string", "", "Item", note("Old")) + cell("string", "", "Cost"))}${row(cell("float", 'office:value="7"', "0007") + cell("currency", 'office:value="1200.5"', "1,200.50 €"))}<table:shapes>${object("Object 2")}</table:shapes></table:table>`,
    ),
  );
  expect(sheet.text).toContain("| 0007 | 1,200.50 € |");
  expect(sheet.text).toContain("Comment on A1 (Eve): Old\n\nCatch");
});

test("rtf: headers, footers and comments are read once, beside the text", async () => {
  const { text } = await parseBytes(
    "{\\rtf1{\\header\\pard Our head\\par}{\\headerf\\pard Our head\\par}{\\footer Foot}One{\\*\\annotation Check {\\b this}} word{\\footnote A note}.\\par}",
  );
  expect(text).toBe("Our head\n\nOne word[^1].\n\nFoot\n\n[^1]: A note\n\nComment: Check this");
});
