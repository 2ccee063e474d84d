import { getDocument, type PDFDocumentProxy, PDFWorker } from "pdfjs-dist/build/pdf.min.mjs";
import { at } from "../../../../shared/prefix.ts";
import { startPdfWorker } from "./pdf-worker.ts";

export interface OpenPdf {
  pdf: PDFDocumentProxy;
  /** Ends its worker and lets its memory go. */
  close(): void;
}

/** Larger pictures are left out: they would take the memory of the tab. A0 at 300 dpi has 139 million pixels. */
const maxPicturePixels = 200_000_000;

/** Decoders, fonts for symbols and CMaps, from this server. */
const dataFolder = "/pages/pdfjs/";

/**
 * Opens a PDF with a worker of its own. No script of the file is run, no form is filled, no address is fetched.
 * @param bytes are taken over
 * @throws errors of pdf.js: PasswordException, InvalidPDFException
 */
export const openPdf = async (bytes: ArrayBuffer): Promise<OpenPdf> => {
  const port = startPdfWorker();
  const worker = PDFWorker.create({ port } as unknown as Parameters<typeof PDFWorker.create>[0]);
  const folder = new URL(at(dataFolder), location.href).href;
  const task = getDocument({
    data: bytes,
    worker,
    cMapUrl: folder,
    standardFontDataUrl: folder,
    wasmUrl: folder,
    maxImageSize: maxPicturePixels,
    verbosity: 0,
  });
  const close = () => {
    void task.destroy().finally(() => {
      worker.destroy();
      port.terminate();
    });
  };
  try {
    return { pdf: await task.promise, close };
  } catch (error) {
    close();
    throw error;
  }
};
