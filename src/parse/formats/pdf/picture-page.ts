import type { PDFDocumentProxy } from "pdfjs-dist";
import { ApiError } from "../../../domain/errors.ts";
import { unreadable } from "../../failure.ts";
import { turnPixels, writePnm } from "../../ocr/pnm.ts";
import type { Ocr } from "../../ocr/tesseract.ts";
import { pagePictures } from "./page-pictures.ts";

/** Smaller pictures are decoration. */
const minPicturePixels = 100 * 40;
const maxPicturesPerPage = 20;

export interface PicturePage {
  text: string;
  /** Why a picture of the page could not be read; null if all were read. */
  failure: ApiError | null;
}

/** Text of the pictures on a page by OCR, each rotated as the page shows it. A picture that cannot be read has none. */
export const readPicturePage = async (pdf: PDFDocumentProxy, number: number, ocr: Ocr): Promise<PicturePage> => {
  const pictures = await pagePictures(pdf, number).catch(() => []);
  const texts: string[] = [];
  let failure: ApiError | null = null;
  for (const { pixels, quarters } of pictures.slice(0, maxPicturesPerPage)) {
    if (pixels === null) {
      failure ??= brokenPicture();
      continue;
    }
    if (pixels.width * pixels.height < minPicturePixels) continue;
    try {
      texts.push(await ocr.read(writePnm(turnPixels(pixels, quarters))));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure ??= error;
    }
  }
  return { text: texts.filter((text) => text.trim() !== "").join("\n\n"), failure };
};

const brokenPicture = (): ApiError =>
  unreadable("A picture of the PDF is broken and cannot be decoded: scan the page again, or save the PDF anew.");
