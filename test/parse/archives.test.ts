import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { pdfOf, stream } from "../../tools/samples/pdf-file.ts";
import { makeZip } from "../../tools/samples/zip-file.ts";
import { failureOf, parseBytes } from "./test-parser.ts";

interface Entry {
  name: string;
  content: string | Uint8Array;
  type?: string;
  /** What the header claims, where that is not the truth. */
  size?: string;
}

/** A ustar archive; a test may lie in it about sizes. */
const makeTar = (entries: readonly Entry[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat([
      ...entries.flatMap(({ name, content, type = "0", size }) => {
        const data = Buffer.from(content as string);
        const header = Buffer.alloc(512);
        header.write(name, 0, 100);
        header.write("0000644\0", 100);
        header.write(size ?? `${data.length.toString(8).padStart(11, "0")}\0`, 124, "latin1");
        header.write(" ".repeat(8), 148);
        header.write(`${type}ustar\x0000`, 156, "latin1");
        const sum = header.reduce((total, byte) => total + byte, 0);
        header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
        return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
      }),
      Buffer.alloc(1024),
    ]),
  );

const pdf = pdfOf([
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
  "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
  stream("", "BT /F1 12 Tf 50 700 Td (Page one) Tj ET"),
]);

test("a gzip file is read as what it holds, with its pages and under its name", async () => {
  const people = gzipSync("name,age\nAnn,3\nBo,4\n");
  expect(await parseBytes(people, { name: "people.csv.gz", mimeType: "application/gzip" })).toMatchObject({
    text: "| name | age |\n| --- | --- |\n| Ann | 3 |\n| Bo | 4 |",
    mimeType: "application/gzip",
  });
  expect(await parseBytes(gzipSync(pdf), { name: "a.gz" })).toMatchObject({
    text: "Page one",
    pages: [{ page: 1, start: 0 }],
  });
  const members = Buffer.concat([gzipSync("one\n"), gzipSync("two\n")]);
  expect((await parseBytes(new Uint8Array(members), { name: "log.gz" })).text).toBe("one\ntwo");
});

test("tar, tar.gz and tgz are read file by file, also with long names and as other systems write them", async () => {
  const long = `${"folder/".repeat(30)}último.md`;
  const path = `path=${long}\n`;
  const record = `${path.length + 5 + 1} ${path}`;
  const tar = makeTar([
    { name: "./notes/", content: "", type: "5" },
    { name: "./notes/b.txt", content: "second" },
    { name: "a.pdf", content: pdf },
    { name: "._a.pdf", content: "resource fork" },
    { name: "link", content: "", type: "2" },
    { name: "pax", content: record, type: "x" },
    { name: "cut", content: "# Pax" },
    { name: "././@LongLink", content: `${"x/".repeat(80)}gnu.txt\0`, type: "L" },
    { name: "cut", content: "gnu" },
  ]);
  const written = [
    "# a.pdf\n\nPage one",
    `# ${long}\n\n## Pax`,
    "# notes/b.txt\n\nsecond",
    `# ${"x/".repeat(80)}gnu.txt\n\ngnu`,
  ].join("\n\n");
  expect(await parseBytes(tar, { name: "a.tar" })).toMatchObject({ text: written, mimeType: "application/x-tar" });
  for (const name of ["a.tar.gz", "a.tgz"])
    expect(await parseBytes(gzipSync(tar), { name })).toMatchObject({ text: written, mimeType: "application/gzip" });
  const made = await new Bun.Archive({ "b.txt": "b", "deep/c.csv": "x,y\n1,2\n" }).bytes();
  expect((await parseBytes(made)).text).toBe("# b.txt\n\nb\n\n# deep/c.csv\n\n| x | y |\n| --- | --- |\n| 1 | 2 |");
});

test("archives inside archives are read to a depth, and bombs refused", async () => {
  const zip = makeZip([{ name: "inner.txt.gz", content: new Uint8Array(gzipSync("deep")) }]);
  const tar = makeTar([{ name: "a.zip", content: zip }]);
  expect((await parseBytes(gzipSync(tar), { name: "a.tgz" })).text).toContain("# a.zip\n\n## inner.txt.gz\n\ndeep");

  const bomb = gzipSync(Buffer.alloc(60_000_000));
  expect(await failureOf(parseBytes(bomb, { name: "a.gz" }))).toMatchObject({
    code: "unreadable_file",
    detail: "The file unpacks to more than may be held at once.",
  });
  const bombs = makeTar([
    { name: "a.txt.gz", content: bomb },
    { name: "b.txt", content: "fine" },
  ]);
  const { text, warnings } = await parseBytes(bombs);
  expect(text).toBe("# b.txt\n\nfine");
  expect(warnings).toEqual(["a.txt.gz was left out: The file unpacks to more than may be held at once."]);
  let nested: Uint8Array = new TextEncoder().encode("x");
  for (let depth = 0; depth < 9; depth++) nested = gzipSync(nested);
  expect(await failureOf(parseBytes(nested))).toMatchObject({ code: "unreadable_file", status: 422 });
});

test("an archive that is cut off, lies about sizes or holds too many files is refused", async () => {
  const whole = gzipSync("x".repeat(5_000));
  expect((await failureOf(parseBytes(whole.subarray(0, 20)))).detail).toBe("The compressed file is cut off or broken.");
  const broken = "The archive is cut off or broken.";
  const cut = makeTar([{ name: "a.txt", content: "x".repeat(2_000) }]).subarray(0, 1_500);
  expect((await failureOf(parseBytes(cut))).detail).toBe(broken);
  for (const size of ["-0000000777\0", "77777777777\0", `\u0080${"\u00ff".repeat(11)}`]) {
    const lie = makeTar([{ name: "a.txt", content: "x", size }]);
    expect((await failureOf(parseBytes(lie))).detail).toBe(broken);
  }
  const many = makeTar(Array.from({ length: 20_001 }, () => ({ name: "a", content: "" })));
  expect((await failureOf(parseBytes(many))).detail).toContain("more than 20000 files");
  expect((await failureOf(parseBytes(makeTar([{ name: "folder/", content: "", type: "5" }])))).detail).toBe(
    "The archive is empty.",
  );
});
