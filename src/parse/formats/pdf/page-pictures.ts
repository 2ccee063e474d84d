import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import type { Pixels } from "../../ocr/pnm.ts";
import { type Matrix, multiply, readMatrix } from "./matrix.ts";
import { loadPdfjs, maxPicturePixels } from "./pdfjs.ts";
import { joinStrips, type PagePicture } from "./picture-strips.ts";

const unmoved: Matrix = [1, 0, 0, 1, 0, 0];

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
 * The pictures of a page in the order they are drawn, scans of black and white among them and those in strips whole,
 * with their rotation: from the transforms they are drawn with and the page's own rotation.
 */
export const pagePictures = async (pdf: PDFDocumentProxy, number: number): Promise<PagePicture[]> => {
  const { OPS } = await loadPdfjs();
  const page = await pdf.getPage(number);
  const { fnArray, argsArray } = await page.getOperatorList();
  const pictures: PagePicture[] = [];
  let current = unmoved;
  const saved: Matrix[] = [];
  const add = async (drawn: unknown, [a, b, c, d, e, f]: Matrix, isMask: boolean) => {
    const decoded = await decodedPicture(page, drawn);
    const counterClockwise = Math.round(Math.atan2(b, a) / (Math.PI / 2));
    pictures.push({
      pixels: decoded && pixelsOf(decoded, isMask),
      quarters: (((page.rotate / 90 - counterClockwise) % 4) + 4) % 4,
      // A picture is drawn on the square from (0, 0) to (1, 1), its upper edge above.
      upperEdge: [c + e, d + f, a + c + e, b + d + f],
      lowerEdge: [e, f, a + e, b + f],
    });
  };
  for (const [index, operator] of fnArray.entries()) {
    const values: unknown = argsArray[index];
    const first: unknown = Array.isArray(values) ? values[0] : null;
    const isBegin = operator === OPS.paintFormXObjectBegin;
    if (operator === OPS.save || isBegin) saved.push(current);
    if (isBegin) current = multiply(current, readMatrix(first) ?? unmoved);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) current = saved.pop() ?? current;
    else if (operator === OPS.transform) current = multiply(current, readMatrix(values) ?? unmoved);
    else if (operator === OPS.paintImageMaskXObject) await add(first, current, true);
    else if (operator === OPS.paintImageXObject || operator === OPS.paintInlineImageXObject)
      await add(first, current, false);
    // Ten stencils and more in a row, each with a transform of its own.
    else if (operator === OPS.paintImageMaskXObjectGroup && Array.isArray(first)) {
      for (const stencil of first.filter(isRecord))
        await add(stencil, multiply(current, readMatrix(stencil.transform) ?? unmoved), true);
    }
  }
  return joinStrips(pictures, maxPicturePixels);
};

/** @param drawn what the operator names: the picture's key, the picture, or a mask whose data is a key */
const decodedPicture = async (page: PDFPageProxy, drawn: unknown): Promise<Decoded | null> => {
  const held = (key: string) =>
    new Promise<unknown>((resolve) => (key.startsWith("g_") ? page.commonObjs : page.objs).get(key, resolve));
  let picture = typeof drawn === "string" ? await held(drawn) : drawn;
  if (isRecord(picture) && typeof picture.data === "string") picture = await held(picture.data);
  return isDecoded(picture) ? picture : null;
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isDecoded = (value: unknown): value is Decoded & Record<string, unknown> =>
  isRecord(value) &&
  typeof value.width === "number" &&
  typeof value.height === "number" &&
  value.width * value.height <= maxPicturePixels &&
  (value.data instanceof Uint8Array || value.data instanceof Uint8ClampedArray);

const pixelsOf = ({ width, height, kind, data }: Decoded, isMask: boolean): Pixels | null => {
  if (isMask || kind === bilevel) return { data, width, height, channels: 1, isPacked: true };
  const channels = channelsOf[kind ?? 0] ?? data.length / (width * height);
  return [1, 3, 4].includes(channels) ? { data, width, height, channels, isPacked: false } : null;
};
