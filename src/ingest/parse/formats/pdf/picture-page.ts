import { extractImages, getResolvedPDFJS } from "unpdf";
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import type { Ocr } from "../../ocr.ts";
import { turnPixels, writePnm } from "../../pnm.ts";

/** Smaller pictures are ornaments. */
const fewestPixels = 100 * 40;
const mostPicturesPerPage = 20;

/** Text of the pictures on a page, by OCR, turned as the page shows them. A picture that cannot be read gives none. */
export async function readPicturePage(pdf: PDFDocumentProxy, number: number, ocr: Ocr): Promise<string> {
  const pictures = await extractImages(pdf, number).catch(() => []);
  const turns = await quarterTurns(pdf, number).catch(() => new Map<string, number>());
  const texts: string[] = [];
  for (const picture of pictures.slice(0, mostPicturesPerPage)) {
    if (picture.width * picture.height < fewestPixels) continue;
    const { data, width, height } = turnPixels(picture, turns.get(picture.key) ?? 0);
    texts.push(await ocr.read(writePnm(data, width, height, picture.channels)).catch(() => ""));
  }
  return texts.filter((text) => text.trim() !== "").join("\n\n");
}

/**
 * By how many quarters each picture of a page stands turned clockwise, from the transforms it is drawn with
 * (PDF 32000-1, 8.3.4) and the page's own rotation.
 */
async function quarterTurns(pdf: PDFDocumentProxy, number: number): Promise<Map<string, number>> {
  const { OPS } = await getResolvedPDFJS();
  const page = await pdf.getPage(number);
  const { fnArray, argsArray } = await page.getOperatorList();
  const turns = new Map<string, number>();
  // Only the first column of the matrix tells where the picture's upper edge runs to.
  let current = { a: 1, b: 0, c: 0, d: 1 };
  const saved: (typeof current)[] = [];
  fnArray.forEach((operator, index) => {
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
    } else if (operator === OPS.paintImageXObject && Array.isArray(values)) {
      const counterClockwise = Math.round(Math.atan2(current.b, current.a) / (Math.PI / 2));
      turns.set(String(values[0]), (((page.rotate / 90 - counterClockwise) % 4) + 4) % 4);
    }
  });
  return turns;
}
