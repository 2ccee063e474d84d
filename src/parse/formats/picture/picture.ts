import { type Block, type Content, noText, unsupported } from "../../blocks/blocks.ts";
import { writePgm } from "../../ocr/tesseract.ts";
import type { ParseContext } from "../context.ts";
import { textBlocks } from "../pdf/paragraphs.ts";
import { openPdfium } from "../pdf/pdfium.ts";

/** The text on a picture, by OCR. @throws ApiError 415 where there is no OCR, 422 where there is no text */
export const readPicture = async (bytes: Uint8Array, mimeType: string, context: ParseContext): Promise<Content> => {
  if (!context.ocr) {
    throw unsupported(
      `Reading a picture (${mimeType}) needs OCR. Install the tesseract program, or set up Unstructured (parser.baseUrl).`,
    );
  }
  const warnings = ["The text was read by OCR."];
  const text = await context.ocr.read(await uprightPicture(bytes), (unsure, words) => {
    warnings.push(`OCR was unsure of ${unsure} of ${words} words.`);
  });
  const blocks: Block[] = textBlocks(text);
  if (blocks.length === 0) throw noText("OCR found no text on the picture.");
  return { title: null, blocks, warnings };
};

interface Jpeg {
  width: number;
  height: number;
  colors: number;
  /** EXIF's number from 1 to 8: how the picture is turned and mirrored to be seen upright. */
  orientation: number;
}

/**
 * A photo as it is meant to be seen: cameras store it as the sensor lay and say in EXIF how it is to be turned, which
 * OCR programs do not look at. PDFium draws it, as the only picture of a page. Other pictures stay as they are.
 */
const uprightPicture = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const jpeg = readJpeg(bytes);
  if (jpeg === null || jpeg.orientation === 1) return bytes;
  try {
    const pdf = await openPdfium(pageOf(bytes, jpeg));
    try {
      const page = pdf.page(1);
      try {
        return writePgm(page.render(72));
      } finally {
        page.close();
      }
    } finally {
      pdf.close();
    }
  } catch {
    return bytes;
  }
};

const colorSpaces = new Map([
  [1, "/DeviceGray"],
  [3, "/DeviceRGB"],
]);

/** The size, colours and orientation; null for what is no JPEG that can be drawn. */
const readJpeg = (bytes: Uint8Array): Jpeg | null => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let orientation = 1;
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const length = view.getUint16(at + 2);
    if (marker === 0xe1) orientation = orientationIn(bytes.subarray(at + 4, at + 2 + length)) ?? orientation;
    // Frames of any coding (ITU-T T.81, table B.1).
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const [height, width, colors = 0] = [view.getUint16(at + 5), view.getUint16(at + 7), bytes[at + 9]];
      return width > 0 && height > 0 && colorSpaces.has(colors) ? { width, height, colors, orientation } : null;
    }
    at += 2 + length;
  }
  return null;
};

/** The orientation in an EXIF segment (a TIFF header and its first directory). */
const orientationIn = (segment: Uint8Array): number | null => {
  if (new TextDecoder("latin1").decode(segment.subarray(0, 6)) !== "Exif\0\0" || segment.length < 16) return null;
  const tiff = new DataView(segment.buffer, segment.byteOffset + 6, segment.length - 6);
  const isLittle = tiff.getUint16(0) === 0x4949;
  const directory = tiff.getUint32(4, isLittle);
  if (directory + 2 > tiff.byteLength) return null;
  const count = tiff.getUint16(directory, isLittle);
  for (let entry = directory + 2; entry < directory + 2 + count * 12 && entry + 12 <= tiff.byteLength; entry += 12) {
    if (tiff.getUint16(entry, isLittle) !== 0x0112) continue;
    const value = tiff.getUint16(entry + 8, isLittle);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
};

/** The matrix that puts the picture upright on a page of its size (EXIF 2.3, tag 274). */
const matrixOf = ({ width: w, height: h, orientation }: Jpeg): number[] => {
  const matrices = [
    [w, 0, 0, h, 0, 0],
    [-w, 0, 0, h, w, 0],
    [-w, 0, 0, -h, w, h],
    [w, 0, 0, -h, 0, h],
    [0, -w, -h, 0, h, w],
    [0, -w, h, 0, 0, w],
    [0, w, h, 0, 0, 0],
    [0, w, -h, 0, h, 0],
  ];
  return matrices[orientation - 1] ?? [];
};

/** A PDF of one page that shows the picture, a point a pixel. Its table of objects is left to be found. */
const pageOf = (bytes: Uint8Array, jpeg: Jpeg): Uint8Array => {
  const { width, height, colors, orientation } = jpeg;
  const [across, down] = orientation >= 5 ? [height, width] : [width, height];
  const content = `${matrixOf(jpeg).join(" ")} cm /P Do`;
  return Buffer.concat([
    Buffer.from(
      "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n" +
        "2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n" +
        `3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${across} ${down}] /Contents 4 0 R ` +
        "/Resources << /XObject << /P 5 0 R >> >> >>\nendobj\n" +
        `4 0 obj\n<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n` +
        `5 0 obj\n<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 ` +
        `/ColorSpace ${colorSpaces.get(colors)} /Filter /DCTDecode /Length ${bytes.length} >>\nstream\n`,
    ),
    bytes,
    Buffer.from("\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"),
  ]);
};
