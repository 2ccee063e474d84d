import { readFileSync } from "node:fs";
import { join } from "node:path";
import { refusedDocuments } from "../../samples/expected-documents.ts";
import { makePdf } from "../../samples/pdf-file.ts";
import { deflateBomb, docxParts, makeZip } from "../../samples/zip-file.ts";
import type { BadInput, Group } from "../case.ts";

const fixtures = join(import.meta.dir, "../../../test/fixtures/documents");
const encoder = new TextEncoder();
const bytesOf = (content: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(typeof content === "string" ? encoder.encode(content) : content);

const file = (what: string, name: string, content: string | Uint8Array, type = ""): BadInput => {
  const body = new FormData();
  body.set("file", new File([bytesOf(content)], name, { type }));
  return { what, method: "POST", path: "/api/ingest", body };
};

const cut = (bytes: Uint8Array): Uint8Array => bytes.slice(0, bytes.length / 2);
const docx = (body: string, relations = ""): Uint8Array => makeZip(docxParts(body, [], relations));
const pdf = (): Uint8Array => makePdf([[{ text: "The pump is serviced.", x: 50, y: 700, size: 10 }]]);

const laughs = (): string => {
  const entities = Array.from({ length: 12 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${entities.join("")}]><x>&l12;</x>`;
};

/** Files that are broken, locked, of no kind that is read, or made to take all memory. */
export const files: Group = {
  title: "Files",
  cases: () => [
    ...Object.entries(refusedDocuments).map(([name]) => file(name, name, readFileSync(join(fixtures, name)))),
    file("an empty file", "empty.bin", ""),
    file("2 MB of NUL", "zeros.bin", new Uint8Array(2_000_000)),
    file("a Windows program", "setup.exe", `MZ${"\x90\0".repeat(1_000)}`),
    file("an ELF program named .pdf", "manual.pdf", `\x7fELF\x02\x01\x01${"\0\xff".repeat(1_000)}`),
    file("half a PDF", "half.pdf", cut(pdf())),
    file("a PDF that is its first line", "line.pdf", "%PDF-1.7\n"),
    file(
      "a PDF whose pages hold themselves",
      "tree.pdf",
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>endobj\ntrailer<</Root 1 0 R>>",
    ),
    file("half a docx", "half.docx", cut(docx("<w:p><w:r><w:t>x</w:t></w:r></w:p>"))),
    file(
      "a docx with an external entity",
      "xxe.docx",
      docx('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:p><w:r><w:t>&e;</w:t></w:r></w:p>'),
    ),
    file(
      "a docx whose template is elsewhere",
      "template.docx",
      docx(
        "<w:p/>",
        '<Relationship Id="t" Type="attachedTemplate" Target="http://127.0.0.1:1/a.dotm" TargetMode="External"/>',
      ),
    ),
    file(
      "a docx without a document",
      "none.docx",
      makeZip([{ name: "[Content_Types].xml", content: encoder.encode("<Types/>") }]),
    ),
    file("a zip without entries", "nothing.zip", makeZip([])),
    file(
      "a zip of 300 MB of nothing",
      "bomb.zip",
      makeZip([{ name: "bomb.txt", content: { deflated: deflateBomb(300), claimedSize: 10 } }]),
    ),
    file(
      "a zip whose entry climbs out",
      "climbs.zip",
      makeZip([{ name: "../../../tmp/carrel-was-here", content: encoder.encode("x") }]),
    ),
    file("a billion laughs", "laughs.xml", laughs()),
    file("a JSON of 100,000 brackets", "deep.json", "[".repeat(100_000)),
    file("an HTML of 100,000 open tags", "deep.html", "<div>".repeat(100_000)),
    file("a CSV of one line of 2 MB", "line.csv", `"${"a".repeat(2_000_000)}`),
    file(
      "an e-mail of 5,000 nested parts",
      "nested.eml",
      'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'.repeat(5_000),
    ),
    file(
      "a picture of 60,000 × 60,000",
      "large.png",
      new Uint8Array([
        0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60,
        8, 2, 0, 0, 0, 0, 0, 0, 0,
      ]),
    ),
    file("a file that is named as a path", "../../../etc/passwd", "The pump is serviced every 400 hours."),
    file("a file name of 1,000 letters", `${"a".repeat(1_000)}.txt`, "The pump is serviced every 400 hours."),
    file(
      "a page with a script, as HTML",
      "script.html",
      "<h1>Pump</h1><script>alert(1)</script><p onclick=alert(1)>It is serviced.</p>",
    ),
    file("a text that says it is a PDF", "text.pdf", "The pump is serviced every 400 hours.", "application/pdf"),
  ],
};
