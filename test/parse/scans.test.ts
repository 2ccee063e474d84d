/** One page in each compression that scanners use: it is drawn the same, to the pixel where none is lost. */
import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { deflateSync } from "node:zlib";
import { findTesseract } from "../../src/parse/ocr/tesseract.ts";
import { makeJpeg } from "../../tools/samples/jpeg-file.ts";
import { makePicturePdf } from "../../tools/samples/pdf-file.ts";
import { failureOf, never, parseBytes, testParser } from "./test-parser.ts";

const folder = resolve(import.meta.dir, "../fixtures/scans");
const bytesOf = (name: string) => Bun.file(resolve(folder, `${name}.pdf`)).bytes();

/** The one picture that OCR is given: a byte a pixel. */
const pictureOf = async (bytes: Uint8Array): Promise<{ head: string; samples: Uint8Array }> => {
  const pictures: Uint8Array[] = [];
  const read = async (picture: Uint8Array) => `read ${pictures.push(picture)}`;
  const { text, warnings } = await parseBytes(bytes, {}, { ocr: { read } });
  expect(text).toBe("read 1");
  expect(warnings).toEqual(["Page 1: read by OCR."]);
  const [picture = new Uint8Array()] = pictures;
  const [kind = "", size = "", depth = ""] = new TextDecoder("latin1").decode(picture.subarray(0, 40)).split("\n");
  return { head: `${kind} ${size} ${depth}`, samples: picture.subarray(kind.length + size.length + depth.length + 3) };
};

const plain = await pictureOf(await bytesOf("flate"));
const dark = (samples: Uint8Array): number => samples.filter((sample) => sample < 128).length;

test("the page is black on white", () => {
  const [, width = 0, height = 0] = plain.head.split(" ").map(Number);
  expect(plain.samples.length).toBe(width * height);
  expect(dark(plain.samples) / plain.samples.length).toBeWithin(0.02, 0.06);
});

const lossless = ["fax-g3", "fax-g3-2d", "fax-g4", "jbig2", "jbig2-symbols"];
test.each(lossless)("%s gives the same pixels", async (name) => {
  const { head, samples } = await pictureOf(await bytesOf(name));
  expect(head).toBe(plain.head);
  expect(Buffer.compare(samples, plain.samples)).toBe(0);
});

test.each(["fax-g4-strips", "stencil-strips", "jpeg2000"])("%s gives nearly the same pixels", async (name) => {
  const { head, samples } = await pictureOf(await bytesOf(name));
  expect(head).toBe(plain.head);
  const differing = samples.filter((sample, at) => sample < 128 !== (plain.samples[at] ?? 0) < 128);
  expect(differing.length).toBeLessThan(samples.length / 200);
});

test("a picture larger than any scan is left out before it is decoded", async () => {
  const entries = "/BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode";
  const huge = makePicturePdf(
    `/Width 100000 /Height 100000 ${entries} /DecodeParms << /K -1 /Columns 100000 >>`,
    new Uint8Array(10),
  );
  const ocr = { read: () => Promise.reject(new Error("It was decoded.")) };
  const failure = await failureOf(parseBytes(huge, {}, { ocr }));
  expect(failure).toMatchObject({ code: "no_text", status: 422 });
  expect(failure.detail).toContain("cannot be decoded");
});

test("a picture that claims another size inside than outside is broken", async () => {
  const bytes = await bytesOf("jpeg2000");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sizes = Buffer.from(bytes.buffer, bytes.byteOffset).indexOf(Buffer.from([0xff, 0x51]));
  // Width and height of the picture and of its tiles (ISO 15444-1, A.5.1).
  for (const place of [6, 10, 22, 26]) view.setUint32(sizes + place, 60_000);
  const failure = await failureOf(parseBytes(bytes, {}, { ocr: { read: async () => "read" } }));
  expect(failure).toMatchObject({ code: "no_text", status: 422 });
  expect(failure.detail).toContain("cannot be decoded");
});

test("a JPEG is read, packed twice as well", async () => {
  const entries =
    "/Width 1000 /Height 1000 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter [/FlateDecode /DCTDecode]";
  const bytes = makePicturePdf(entries, deflateSync(makeJpeg(1_000)));
  expect((await parseBytes(bytes, {}, { ocr: { read: async () => "read" } })).text).toBe("read");
});

test("a picture that unpacks to more than the parsing process may hold costs its document alone", async () => {
  const parser = testParser({ ocrProgram: process.execPath, maxMemoryBytes: 300 * 1_048_576, maxWorkers: 1 });
  const side = 10_000;
  const entries = `/Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode`;
  const bytes = makePicturePdf(entries, deflateSync(Buffer.alloc(3 * side ** 2), { level: 1 }));
  expect(bytes.length).toBeLessThan(5_000_000);
  try {
    const failure = await failureOf(parser.parse({ bytes, name: "a.pdf", mimeType: null }, never));
    expect(failure).toMatchObject({ code: "unreadable_file", status: 422 });
    expect(failure.detail).toContain("300 MiB");
    const after = new TextEncoder().encode("# Next");
    expect((await parser.parse({ bytes: after, name: "a.md", mimeType: null }, never)).text).toBe("# Next");
  } finally {
    await parser.close();
  }
});

const scanned = "The ferry leaves the north pier at nine, except on Sundays.";
const tesseract = findTesseract();
test.skipIf(tesseract === null)("tesseract reads each, in the parsing process", async () => {
  const parser = testParser({ ocrProgram: tesseract, ocrLanguages: ["eng"] });
  try {
    for (const name of ["fax-g3", "fax-g4", "jbig2-symbols", "jpeg2000"]) {
      const { text } = await parser.parse({ bytes: await bytesOf(name), name, mimeType: null }, never);
      expect([name, text.replace(/\s+/g, " ")]).toEqual([name, scanned]);
    }
  } finally {
    await parser.close();
  }
});
