import { expect, test } from "bun:test";
import { descendants } from "../../src/parse/markup/markup.ts";
import { pdfOf, stream } from "../../tools/samples/pdf-file.ts";
import { docxParts, makeZip } from "../../tools/samples/zip-file.ts";
import { threadCpuMs } from "../thread-cpu.ts";
import { failureOf, parseBytes } from "./test-parser.ts";

/** CPU time. Generous: what took a minute takes a second. */
const longestMs = 8_000;

const inTime = async <T>(work: () => Promise<T>, mostMs = longestMs): Promise<T> => {
  const began = threadCpuMs();
  const result = await work();
  expect(threadCpuMs() - began).toBeLessThan(mostMs);
  return result;
};

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;

/** One page of 600 × 800 points. */
const onePage = (content: string, entries = ""): Uint8Array =>
  pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> ${entries} >>`,
    stream("", content),
  ]);

const texts = (
  count: number,
  at: (index: number) => [x: number | string, y: number | string, text: string],
  size = 9,
): string =>
  Array.from({ length: count }, (_, index) => {
    const [x, y, text] = at(index);
    return `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`;
  }).join("\n");

test("rich text: 100,000 notes, and 60,000 links, in one paragraph", async () => {
  const notes = await inTime(() => parseBytes(`{\\rtf1 ${"a {\\footnote b}".repeat(100_000)}}`, { name: "a.rtf" }));
  expect(notes.text.slice(0, 24)).toBe("a[^1]a[^2]a[^3]a[^4]a[^5");
  expect(notes.text).toEndWith("[^100000]: b");
  const link = '{\\field{\\*\\fldinst HYPERLINK "http://a.b/"}{\\fldrslt c}} ';
  const links = await inTime(() => parseBytes(`{\\rtf1 ${link.repeat(60_000)}}`, { name: "a.rtf" }));
  expect(links.text.slice(0, 34)).toBe("[c](http://a.b/) [c](http://a.b/) ");
});

test("links inside one another: the innermost is one", async () => {
  const open = '{\\field{\\*\\fldinst HYPERLINK "http://a.b/"}{\\fldrslt c';
  const rtf = await inTime(() => parseBytes(`{\\rtf1 ${open.repeat(2_000)}${"}}".repeat(2_000)}}`, { name: "a.rtf" }));
  expect(rtf.text).toBe(`${"c".repeat(1_999)}[c](http://a.b/)`);
  const html = await inTime(() =>
    parseBytes(`<!doctype html><p>Links ${"<a href='http://a.b/'>c".repeat(20_000)}`, { name: "a.html" }),
  );
  expect(html.text.length).toBeLessThan(20_000 * 20);
});

test("pages of elements inside one another that may be menus", async () => {
  const open = '<div class="sidebar"><p>One, two.</p>';
  const html = `<!doctype html><body>${open.repeat(12_000)}`;
  expect((await inTime(() => parseBytes(html, { name: "a.html" }))).text).toStartWith("One, two.\n\nOne, two.");
});

test("Word: 10,000 paragraphs in a style of 100,000 entries", async () => {
  const paragraph = `<w:p><w:pPr><w:pStyle w:val="s"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>`;
  const style = `<w:style w:styleId="s">${"<w:a/>".repeat(100_000)}<w:name w:val="heading 2"/></w:style>`;
  const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${style}</w:styles>`;
  const docx = makeZip(
    docxParts(
      paragraph.repeat(10_000),
      [{ name: "word/styles.xml", content: styles }],
      relation("s1", "styles", "styles.xml"),
    ),
  );
  expect((await inTime(() => parseBytes(docx, { name: "a.docx" }))).text).toStartWith("## a\n\n## a\n\n");
});

test("a chart of 5,000 points by 10,000 series is refused before its table is built", async () => {
  const series = Array.from(
    { length: 10_000 },
    (_, index) => `<c:ser><c:val><c:pt idx="${index}"><c:v>1</c:v></c:pt></c:val></c:ser>`,
  ).join("");
  const pptx = makeZip([
    { name: "[Content_Types].xml", content: "<Types/>" },
    { name: "_rels/.rels", content: `<Relationships>${relation("r1", "officeDocument", "ppt/p.xml")}</Relationships>` },
    {
      name: "ppt/p.xml",
      content: `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst></p:presentation>`,
    },
    { name: "ppt/_rels/p.xml.rels", content: `<Relationships>${relation("s1", "slide", "s.xml")}</Relationships>` },
    {
      name: "ppt/s.xml",
      content: `<p:sld><p:cSld><p:spTree><p:graphicFrame><c:chart r:id="c1"/></p:graphicFrame></p:spTree></p:cSld></p:sld>`,
    },
    { name: "ppt/_rels/s.xml.rels", content: `<Relationships>${relation("c1", "chart", "c.xml")}</Relationships>` },
    { name: "ppt/c.xml", content: `<c:chartSpace>${series}</c:chartSpace>` },
  ]);
  expect(await inTime(() => failureOf(parseBytes(pptx, { name: "a.pptx" })))).toMatchObject({
    code: "unreadable_file",
    detail: expect.stringContaining("A table of 5000 rows and 10000 columns"),
  });
});

test("PDF: a page of 12,000 texts one below the other, at random places, and in two rows", async () => {
  const read = async (pdf: Uint8Array) => (await inTime(() => parseBytes(pdf, { name: "a.pdf" }), 2_500)).text;
  const below = onePage(texts(12_000, (index) => [50, (0.06 * index).toFixed(3), `line${index}`], 0.01));
  expect(await read(below)).toContain("line11999");
  const random = onePage(
    texts(12_000, (index) => [((index * 7_919) % 60_000) / 100, ((index * 104_729) % 80_000) / 100, "a"], 0.01),
  );
  expect(await read(random)).toContain("a");
  const across = onePage(
    texts(12_000, (index) => [(0.097 * (index % 6_000)).toFixed(3), 100 + Math.floor(index / 6_000), "a"], 0.01),
  );
  expect(await read(across)).toContain("a a a");
});

test("PDF: 500 links over a whole page of words", async () => {
  const link = "<< /Type /Annot /Subtype /Link /Rect [0 0 600 800] /A << /S /URI /URI (http://a.b/) >> >>";
  const page = onePage(
    texts(20_000, (index) => [(index * 7_919) % 600, (index * 104_729) % 800, `w${index}`]),
    `/Annots [${link.repeat(500)}]`,
  );
  expect((await inTime(() => parseBytes(page, { name: "a.pdf" }))).text).not.toContain("http://a.b/");
});

test("PDF: a state saved 100,000 deep, and states that are restored in their order", async () => {
  const deep = onePage(`${"q ".repeat(100_000)}${texts(1, () => [50, 700, "down here"])}`);
  expect((await inTime(() => parseBytes(deep, { name: "a.pdf" }))).text).toBe("down here");
  // Each is moved by what was saved with it: after `Q` the older matrix and font are in force again.
  const moved = onePage(
    `/F1 9 Tf q 1 0 0 1 100 0 cm q 1 0 0 1 0 -300 cm BT 0 700 Td (third) Tj ET Q BT 0 600 Td (second) Tj ET Q BT 0 700 Td (first) Tj ET`,
  );
  expect((await parseBytes(moved, { name: "a.pdf" })).text.split(/\s+/)).toEqual(["first", "second", "third"]);
});

test("YAML: 150,000 pairs without any reference are read, as many references to a list are not", async () => {
  const pairs = Array.from({ length: 150_000 }, (_, at) => `k${at}: v\n`).join("");
  expect((await inTime(() => parseBytes(pairs, { name: "a.yaml" }))).text).toEndWith("- k149999: v");
  const references = `a: &a [b, c, d]\nb:\n${"- *a\n".repeat(60_000)}`;
  expect(await inTime(() => failureOf(parseBytes(references, { name: "a.yaml" })))).toMatchObject({
    detail: "The YAML's references multiply to too many values.",
  });
});

test("a million elements and a million rows: more than a call takes arguments", async () => {
  const link = { name: "a", attributes: {}, children: [] };
  const links = { name: "p", attributes: {}, children: new Array<typeof link>(1_000_000).fill(link) };
  expect(descendants({ name: "", attributes: {}, children: [links] }, "a")).toHaveLength(1_000_000);
  const xlsx = makeZip([
    { name: "[Content_Types].xml", content: "<Types/>" },
    { name: "_rels/.rels", content: `<Relationships>${relation("r1", "officeDocument", "xl/w.xml")}</Relationships>` },
    { name: "xl/w.xml", content: `<workbook><sheets><sheet name="A" r:id="s1"/></sheets></workbook>` },
    { name: "xl/_rels/w.xml.rels", content: `<Relationships>${relation("s1", "worksheet", "s.xml")}</Relationships>` },
    {
      name: "xl/s.xml",
      content: `<worksheet><sheetData>${"<row><c><v>7</v></c></row>".repeat(1_000_000)}</sheetData></worksheet>`,
    },
  ]);
  expect((await parseBytes(xlsx, { name: "a.xlsx" })).text.length).toBe("# A".length + 3 * 1_000_000);
});

test("a book that names one chapter again and again", async () => {
  const item = `<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>`;
  const book = (times: number, chapter: string) =>
    makeZip([
      { name: "mimetype", content: "application/epub+zip" },
      {
        name: "META-INF/container.xml",
        content: `<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>`,
      },
      {
        name: "c.opf",
        content: `<package><manifest>${item}</manifest><spine>${'<itemref idref="a"/>'.repeat(times)}</spine></package>`,
      },
      { name: "a.xhtml", content: `<html><body>${chapter}</body></html>` },
    ]);
  const work = () => failureOf(parseBytes(book(1_000, "<p>One. </p>".repeat(100_000)), { name: "a.epub" }));
  expect(await inTime(work)).toMatchObject({
    code: "unreadable_file",
    detail: 'The file refers to one of its parts again and again ("a.xhtml").',
  });
  expect((await parseBytes(book(3, "<p>One.</p>"), { name: "a.epub" })).text).toBe("One.\n\nOne.\n\nOne.");
});
