/** Numbers of lists and boxes of tasks are read as they are shown; so are names that a program gives to what it exports. */
import { expect, test } from "bun:test";
import { docxParts, makeZip } from "../../tools/samples/zip-file.ts";
import { parseBytes } from "./test-parser.ts";

const textOf = async (source: string | Uint8Array, name: string): Promise<string> =>
  (await parseBytes(source, { name })).text;

test("html: letters and Roman numbers of lists", async () => {
  const page = `<ol><li>Walk<ol type="a"><li>here<li>there</ol><li>Dig</ol><ol style="list-style-type: upper-roman" start="4"><li>Rest</ol>`;
  expect(await textOf(page, "a.html")).toBe("1. Walk\n  a. here\n  b. there\n2. Dig\nIV. Rest");
});

test("html: boxes of tasks, as GitHub, OneNote, Notion and Evernote write them", async () => {
  const page = `<ul><li><input type="checkbox" checked> one<li><input type="checkbox"> two</ul><p data-tag="to-do:completed">three</p><ul><li><div class="checkbox checkbox-off"></div><span>four</span></li><li style="--en-checked:true">five</ul><p><input type="checkbox" checked> no task</p>`;
  expect(await textOf(page, "a.html")).toBe("- [x] one\n- [ ] two\n\n[x] three\n\n- [ ] four\n- [x] five\n\nno task");
});

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const numbering = `<w:numbering ${word}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`;
const docx = (body: string): Uint8Array =>
  makeZip(
    docxParts(
      body,
      [{ name: "word/numbering.xml", content: numbering }],
      '<Relationship Id="n" Type="http://x/numbering" Target="numbering.xml"/>',
    ),
  );
const item = (text: string, list: number): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

test("docx: a list that starts anew goes on in its other paragraphs; cells keep the numbers of lists", async () => {
  const plain = "<w:p><w:r><w:t>name</w:t></w:r></w:p>";
  const table = `<w:tbl><w:tr><w:tc>${plain}</w:tc><w:tc>${plain}</w:tc></w:tr><w:tr><w:tc>${plain}</w:tc><w:tc>${item("c", 1)}${item("d", 1)}</w:tc></w:tr></w:tbl>`;
  const body = `${item("a", 1)}${item("b", 1)}${item("a", 2)}${item("b", 1)}${table}`;
  expect(await textOf(docx(body), "a.docx")).toBe(
    "1. a\n2. b\n1. a\n2. b\n\n| name | name |\n| --- | --- |\n| name | 3. c 4. d |",
  );
});

test("docx: a large first letter belongs to its word", async () => {
  const initial = '<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr><w:r><w:t>D</w:t></w:r></w:p>';
  expect(await textOf(docx(`${initial}<w:p><w:r><w:t>rop it.</w:t></w:r></w:p>`), "a.docx")).toBe("Drop it.");
});

test("odt: formats and first numbers of lists, lists that go on; formulas that Pandoc writes", async () => {
  const names =
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const list = (goesOn: boolean, ...items: string[]) =>
    `<text:list text:style-name="L"${goesOn ? ' text:continue-numbering="true"' : ""}>${items.map((said) => `<text:list-item><text:p>${said}</text:p></text:list-item>`).join("")}</text:list>`;
  const content = `<office:document-content ${names}><office:automatic-styles><text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="i" style:num-suffix=")" text:start-value="4"/></text:list-style></office:automatic-styles><office:body><office:text>${list(false, "a", "b")}<text:p>So <draw:frame><draw:object xlink:href="Formula-0/"/></draw:frame>.</text:p>${list(true, "c")}</office:text></office:body></office:document-content>`;
  const formula =
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></semantics></math>';
  const file = makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text" },
    { name: "content.xml", content },
    { name: "Formula-0/content.xml", content: formula },
  ]);
  expect(await textOf(file, "a.odt")).toBe("iv) a\nv) b\n\nSo x².\n\nvi) c");
});

test("cards and calendars: labels of one's own, the calendar's name", async () => {
  const card =
    "BEGIN:VCARD\nVERSION:3.0\nFN:Linde\nitem1.TEL;type=WORK:0316\nitem1.X-ABLabel:Night\nitem2.URL:a.example\nitem2.X-ABLabel:_$!<HomePage>!$_\nEND:VCARD\n";
  expect(await textOf(card, "a.vcf")).toBe("## Linde\n\n- Phone (work, Night): 0316\n- Web (HomePage): a.example");
  const calendar =
    "BEGIN:VCALENDAR\nX-WR-CALNAME:Fire brigade\nX-WR-CALDESC:All drills\nBEGIN:VEVENT\nSUMMARY:Drill\nEND:VEVENT\nEND:VCALENDAR\n";
  expect(await textOf(calendar, "a.ics")).toBe("# Fire brigade\n\nAll drills\n\n## Drill");
});

test("evernote: the tasks of a note", async () => {
  const note = `<?xml version="1.0"?><en-export><note><title>Do</title><content><![CDATA[<en-note>Text</en-note>]]></content><task><title>Call</title><taskStatus>completed</taskStatus></task><task><title>Pay</title><taskStatus>open</taskStatus><dueDate>20270501T100000Z</dueDate></task></note></en-export>`;
  expect(await textOf(note, "a.enex")).toBe("# Do\n\nText\n\n- [x] Call\n- [ ] Pay (due 2027-05-01)");
});
