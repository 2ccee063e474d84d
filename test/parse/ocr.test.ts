import { afterAll, expect, test } from "bun:test";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOcr, createTesseractLookup } from "../../src/parse/ocr/tesseract.ts";
import { makePdf } from "../../tools/samples/pdf-file.ts";
import { failureOf, never, parseBytes, testParser } from "./test-parser.ts";

/** Stands in for tesseract: the first bytes of the picture say what to do. */
const script = `#!/bin/sh
picture=$(head -c 5 | tr -d '\\0')
case "$picture" in
  slow*) sleep 30 ;;
  bad*) echo "Error in pixReadStream: Unknown format" >&2; exit 1 ;;
  osd*) echo "Failed loading language 'osd'" >&2; echo "not turned" ;;
  one*) echo "Error opening data file /data/deu.traineddata" >&2; echo "Failed loading language 'deu'" >&2; echo "Uber" ;;
  unsu*) printf 'level\\tpage_num\\tb\\tp\\tl\\tw\\tl\\tt\\tw\\th\\tconf\\ttext\\n'
    for word in "20 Th3" "96 fee" "31 lS" "40 ?0"; do printf '5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t%s\\t%s\\n' $word; done
    echo "Th3 fee lS ?0" ;;
  lang*) echo "Error opening data file xyz.traineddata" >&2; exit 1 ;;
  *) echo "arguments $*"; echo "threads $OMP_THREAD_LIMIT" ;;
esac
`;

const folder = await mkdtemp(join(tmpdir(), "carrel-ocr-"));
const program = join(folder, "tesseract");
await writeFile(program, script);
await chmod(program, 0o755);
afterAll(() => rm(folder, { recursive: true }));

const picture = (text: string) => new TextEncoder().encode(text);
const ocr = (timeoutMs = 10_000) => createOcr({ program, languages: ["deu", "eng"], timeoutMs });

test("the program gets the picture and the languages, and one thread", async () => {
  expect(await ocr().read(picture("P5..."))).toBe(
    "arguments - - --psm 1 -l deu+eng -c tessedit_create_txt=1 -c tessedit_create_tsv=1\nthreads 1\n",
  );
});

test("words that the program is unsure of are told, and are no text of their own", async () => {
  const doubts: number[][] = [];
  expect(await ocr().read(picture("unsu."), (...doubt) => doubts.push(doubt))).toBe("Th3 fee lS ?0\n");
  expect(doubts).toEqual([[3, 4]]);
});

test("a broken picture, a missing language and slowness are told apart", async () => {
  expect((await failureOf(ocr().read(picture("bad.."))).then((failure) => failure)).detail).toContain("broken");
  expect((await failureOf(ocr().read(picture("lang.")))).detail).toContain("parser.ocrLanguages");
  const one = await failureOf(ocr().read(picture("one..")));
  expect(one).toMatchObject({ code: "unreadable_file", status: 422 });
  expect(one.detail).toContain("parser.ocrLanguages (deu)");
  expect(await failureOf(ocr(100).read(picture("slow.")))).toMatchObject({ code: "parser_timeout", status: 504 });
});

test("without the data for turned pages, pages are read as they lie", async () => {
  expect(await ocr().read(picture("osd.."))).toBe("not turned\n");
});

/** 32 × 16 pixels, white but for a black square of 8 at the upper left. */
const jpeg = Buffer.from(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQ" +
    "YEpRUk//wAALCAAQACABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAAcI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwCYNOgAP//Z",
  "base64",
);

const withOrientation = (orientation: number): Uint8Array => {
  const exif = Buffer.from(
    "ffe10022457869660000 4d4d002a00000008 0001 011200030000000100000000 00000000".replaceAll(" ", ""),
    "hex",
  );
  exif.writeUInt16BE(orientation, 28);
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]));
};

test.each([
  [2, "32 16", "right", "top"],
  [3, "32 16", "right", "bottom"],
  [4, "32 16", "left", "bottom"],
  [5, "16 32", "left", "top"],
  [6, "16 32", "right", "top"],
  [7, "16 32", "right", "bottom"],
  [8, "16 32", "left", "bottom"],
])("a photo of EXIF orientation %p is turned before it is read", async (orientation, size, across, down) => {
  let seen: Uint8Array = new Uint8Array();
  const read = async (picture: Uint8Array) => {
    seen = picture;
    return "read";
  };
  expect((await parseBytes(withOrientation(orientation), {}, { ocr: { read } })).text).toBe("read");
  const [kind = "", stated = "", depth = ""] = new TextDecoder("latin1").decode(seen.subarray(0, 30)).split("\n");
  expect([kind, stated]).toEqual(["P5", size]);
  const pixels = seen.subarray(kind.length + stated.length + depth.length + 3);
  const [width = 0, height = 0] = stated.split(" ").map(Number);
  const isDark = (x: number, y: number) => (pixels[y * width + x] ?? 255) < 128;
  const [left, right, top, bottom] = [3, width - 4, 3, height - 4];
  const corners = { left, right, top, bottom };
  const dark = [left, right].flatMap((x) => [top, bottom].flatMap((y) => (isDark(x, y) ? [[x, y]] : [])));
  expect(dark).toEqual([[corners[across as "left"], corners[down as "top"]]]);
});

test("a photo that says nothing of its orientation, or lies about its size, is given as it is", async () => {
  const given: Uint8Array[] = [];
  const read = async (picture: Uint8Array) => `read ${given.push(picture)}`;
  const cut = withOrientation(6).subarray(0, 60);
  for (const bytes of [withOrientation(1), withOrientation(9), cut]) await parseBytes(bytes, {}, { ocr: { read } });
  expect(given.map(({ length }) => length)).toEqual([jpeg.length + 36, jpeg.length + 36, cut.length]);
});

test("that OCR found nothing is said only where it was tried", async () => {
  const tried: number[] = [];
  const read = async (picture: Uint8Array) => {
    tried.push(picture.length);
    return "";
  };
  const empty = await failureOf(parseBytes(makePdf([[]]), {}, { ocr: { read } }));
  expect([tried, empty.code, empty.detail]).toEqual([
    [],
    "no_text",
    "The PDF holds no text (1 page), and no picture that could hold some.",
  ]);
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
