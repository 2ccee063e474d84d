/** Pictures that weigh little and unpack to far more: PDFs of nothing else, which go to OCR where there is one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { makeJpeg } from "../../tools/samples/jpeg-file.ts";
import { pdfOf, stream } from "../../tools/samples/pdf-file.ts";
import type { HostileFile } from "./hostile-files.ts";

/** Just below the largest picture that is decoded (`maxPicturePixels`): 196 megapixels. */
const largeSide = 14_000;

/** Pages that show the same picture. */
const scans = (pages: number, entries: string, data: Uint8Array): Uint8Array => {
  const first = 5;
  const kids = Array.from({ length: pages }, (_, page) => `${first + page} 0 R`);
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(" ")}] >>`,
    stream("", "600 0 0 800 0 0 cm /I Do"),
    stream(`/Type /XObject /Subtype /Image ${entries}`, Buffer.from(data).toString("latin1")),
    ...kids.map(
      () =>
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 3 0 R /Resources << /XObject << /I 4 0 R >> >> >>",
    ),
  ]);
};

const square = (side: number): string => `/Width ${side} /Height ${side}`;

/** White pages: a bit a line says that it is as the one before (ITU-T T.6, vertical mode). */
const faxes = (pages: number, side: number) => (): Uint8Array =>
  scans(
    pages,
    `${square(side)} /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${side} /Rows ${side} >>`,
    new Uint8Array(Math.ceil(side / 8)).fill(255),
  );

const inColors = (): Uint8Array =>
  scans(
    5,
    `${square(largeSide)} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode`,
    deflateSync(Buffer.alloc(3 * largeSide ** 2, 0x55)),
  );

const largerJpeg = (): Uint8Array =>
  scans(
    3,
    `${square(1_000)} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter [/FlateDecode /DCTDecode]`,
    deflateSync(makeJpeg(65_500)),
  );

/** A page whose picture and tiles are said to be larger inside (ISO 15444-1, A.5.1). */
const largerJpeg2000 = (): Uint8Array => {
  const bytes = readFileSync(join(import.meta.dir, "../../test/fixtures/scans/jpeg2000.pdf"));
  const sizes = bytes.indexOf(Buffer.from([0xff, 0x51]));
  for (const place of [6, 10, 22, 26]) bytes.writeUInt32BE(60_000, sizes + place);
  return new Uint8Array(bytes);
};

/** Nothing but the segment that says how large the page is (ITU-T T.88, 7.4.8). */
const largerJbig2 = (): Uint8Array => {
  const page = Buffer.alloc(30);
  page.set([0, 0, 0, 0, 48, 0, 1, 0, 0, 0, 19]);
  page.writeUInt32BE(2_000_000_000, 11);
  page.writeUInt32BE(2_000_000_000, 15);
  return scans(3, `${square(1_000)} /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode`, page);
};

/** One bit a pixel, all of it black. */
const png = (side: number) => (): Uint8Array => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(side / 8)) * side));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([signature, ...chunks]));
};

/** Malicious scans. */
export const hostileScans: readonly HostileFile[] = [
  { what: "50 scans of 900 megapixels", name: "huge.pdf", make: faxes(50, 30_000) },
  { what: "50 scans of 196 megapixels", name: "large.pdf", make: faxes(50, largeSide) },
  { what: "5 of them in colors", name: "colors.pdf", make: inColors },
  { what: "a JPEG of 4,290 megapixels, said to be 1", name: "jpeg.pdf", make: largerJpeg },
  { what: "a JPEG 2000 of 3,600, said to be 0.3", name: "jpeg2000.pdf", make: largerJpeg2000 },
  { what: "a JBIG2 of 4 million million pixels", name: "jbig2.pdf", make: largerJbig2 },
  { what: "a PNG of 900 megapixels", name: "huge.png", make: png(30_000), needsOcr: true },
];
