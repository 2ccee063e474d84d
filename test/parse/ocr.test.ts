import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOcr, createTesseractLookup } from "../../src/parse/ocr/tesseract.ts";
import { failureOf, never, testParser } from "./test-parser.ts";

/** Stands in for tesseract: the first bytes of the picture say what to do. */
const script = `#!/bin/sh
picture=$(head -c 5 | tr -d '\\0')
case "$picture" in
  slow*) sleep 30 ;;
  bad*) echo "Error in pixReadStream: Unknown format" >&2; exit 1 ;;
  one*) echo "Error opening data file /data/deu.traineddata" >&2; echo "Failed loading language 'deu'" >&2; echo "Uber" ;;
  lang*) echo "Error opening data file xyz.traineddata" >&2; exit 1 ;;
  *) echo "arguments $*"; echo "threads $OMP_THREAD_LIMIT" ;;
esac
`;

let folder = "";
let program = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-ocr-"));
  program = join(folder, "tesseract");
  await writeFile(program, script);
  await chmod(program, 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

const picture = (text: string) => new TextEncoder().encode(text);
const ocr = (timeoutMs = 10_000) => createOcr({ program, languages: ["deu", "eng"], timeoutMs });

test("the program gets the picture and the languages, and one thread", async () => {
  expect(await ocr().read(picture("P5..."))).toBe("arguments - - -l deu+eng\nthreads 1\n");
});

test("a broken picture, a missing language and slowness are told apart", async () => {
  expect((await failureOf(ocr().read(picture("bad.."))).then((failure) => failure)).detail).toContain("broken");
  expect((await failureOf(ocr().read(picture("lang.")))).detail).toContain("parser.ocrLanguages");
  const one = await failureOf(ocr().read(picture("one..")));
  expect(one).toMatchObject({ code: "unreadable_file", status: 422 });
  expect(one.detail).toContain("parser.ocrLanguages (deu)");
  expect(await failureOf(ocr(100).read(picture("slow.")))).toMatchObject({ code: "parser_timeout", status: 504 });
});

test("with the program there, a picture is a document", async () => {
  const parser = testParser({ ocrProgram: program, ocrLanguages: ["kor"] });
  try {
    const bytes = await Bun.file(`${import.meta.dir}/../fixtures/documents/DA-1p.png`).bytes();
    const file = await parser.parse({ bytes, name: "a.png", mimeType: null }, never);
    expect(file).toMatchObject({ mimeType: "image/png", warnings: ["The text was read by OCR."] });
    expect(file.text).toContain("-l kor");
  } finally {
    await parser.close();
  }
});

test("tesseract that is installed while the server runs is found, and not looked for all the time", () => {
  let installed: string | null = null;
  let now = 0;
  let looks = 0;
  const find = (): string | null => {
    looks += 1;
    return installed;
  };
  const program = createTesseractLookup(find, () => now);
  expect([program(), program()]).toEqual([null, null]);
  installed = "/usr/bin/tesseract";
  now = 4_999;
  expect([program(), looks]).toEqual([null, 1]);
  now = 5_000;
  expect([program(), looks]).toEqual(["/usr/bin/tesseract", 2]);
  now = 60_000;
  expect([program(), looks]).toEqual(["/usr/bin/tesseract", 2]);
});
