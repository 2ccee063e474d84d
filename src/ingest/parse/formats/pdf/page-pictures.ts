import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import type { Pixels } from "../../pnm.ts";
import { loadPdfjs, maxPicturePixels } from "./pdfjs.ts";

/** A picture as it is drawn on a page; `pixels` is null where it cannot be decoded. */
export interface PagePicture {
  pixels: Pixels | null;
  /** By how many quarters it stands turned clockwise. */
  quarters: number;
}

/** Kinds of pdf.js's decoded pictures: bits packed into bytes by row (1 is white), RGB, RGBA. */
const bilevel = 1;
const channelsOf: Record<number, number> = { 2: 3, 3: 4 };

interface Decoded {
  width: number;
  height: number;
  kind?: number;
  data: Uint8Array | Uint8ClampedArray;
}

/**
 * The pictures of a page in the order they are drawn, scans of black and white among them, with how they stand: from
 * the transforms they are drawn with (PDF 32000-1, 8.3.4) and the page's own rotation.
 */
export async function pagePictures(pdf: PDFDocumentProxy, number: number): Promise<PagePicture[]> {
  const { OPS } = await loadPdfjs();
  const page = await pdf.getPage(number);
  const { fnArray, argsArray } = await page.getOperatorList();
  const pictures: PagePicture[] = [];
  // Only the first column of the matrix tells where the picture's upper edge runs to.
  let current = { a: 1, b: 0, c: 0, d: 1 };
  const saved: (typeof current)[] = [];
  for (const [index, operator] of fnArray.entries()) {
    const values: unknown = argsArray[index];
    if (operator === OPS.save) saved.push(current);
    else if (operator === OPS.restore) current = saved.pop() ?? current;
    else if (operator === OPS.transform && Array.isArray(values)) {
      const [a, b, c, d] = values.map(Number) as [number, number, number, number];
      current = {
        a: current.a * a + current.c * b,
        b: current.b * a + current.d * b,
        c: current.a * c + current.c * d,
        d: current.b * c + current.d * d,
      };
    } else if (
      operator === OPS.paintImageXObject ||
      operator === OPS.paintImageMaskXObject ||
      operator === OPS.paintInlineImageXObject
    ) {
      const counterClockwise = Math.round(Math.atan2(current.b, current.a) / (Math.PI / 2));
      const decoded = await decodedPicture(page, Array.isArray(values) ? values[0] : null);
      const pixels = decoded === null ? null : pixelsOf(decoded, operator === OPS.paintImageMaskXObject);
      pictures.push({ pixels, quarters: (((page.rotate / 90 - counterClockwise) % 4) + 4) % 4 });
    }
  }
  return pictures;
}

/** @param drawn what the operator names: the picture's key, the picture, or a mask whose data is a key */
async function decodedPicture(page: PDFPageProxy, drawn: unknown): Promise<Decoded | null> {
  const held = (key: string) =>
    new Promise<unknown>((resolve) => (key.startsWith("g_") ? page.commonObjs : page.objs).get(key, resolve));
  let picture = typeof drawn === "string" ? await held(drawn) : drawn;
  if (isRecord(picture) && typeof picture.data === "string") picture = await held(picture.data);
  return isDecoded(picture) ? picture : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isDecoded = (value: unknown): value is Decoded & Record<string, unknown> =>
  isRecord(value) &&
  typeof value.width === "number" &&
  typeof value.height === "number" &&
  value.width * value.height <= maxPicturePixels &&
  (value.data instanceof Uint8Array || value.data instanceof Uint8ClampedArray);

function pixelsOf({ width, height, kind, data }: Decoded, isMask: boolean): Pixels | null {
  if (isMask || kind === bilevel) return { data: unpacked(data, width, height), width, height, channels: 1 };
  const channels = channelsOf[kind ?? 0] ?? data.length / (width * height);
  return [1, 3, 4].includes(channels) ? { data, width, height, channels } : null;
}

/** One byte a pixel of one bit a pixel; each row begins with a byte of its own. */
function unpacked(bits: Uint8Array | Uint8ClampedArray, width: number, height: number): Uint8Array {
  const rowBytes = Math.ceil(width / 8);
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = bits[y * rowBytes + (x >> 3)] ?? 255;
      pixels[y * width + x] = ((byte >> (7 - (x & 7))) & 1) === 1 ? 255 : 0;
    }
  }
  return pixels;
}
