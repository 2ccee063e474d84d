import { getDocument, type PDFDocumentProxy, PDFWorker } from "pdfjs-dist/build/pdf.min.mjs";
import workerFile from "pdfjs-dist/build/pdf.worker.min.mjs" with { type: "file" };
import { at } from "../../../shared/prefix.ts";

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

/** Beside this script. */
const workerPath = new URL(workerFile, import.meta.url).href;

/** As the page's policy names it (src/web/page-response.ts). */
const policyName = "carrel-worker";

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): unknown };
}

let address: unknown = null;

/** The worker's file as the policy of the page wants it: this one address, whatever is asked for. */
const workerAddress = (): string => {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  address ??= trustedTypes?.createPolicy(policyName, { createScriptURL: () => workerPath }).createScriptURL("");
  return (address ?? workerPath) as string;
};

/** A new worker that reads PDFs. End it with `terminate`. */
const startPdfWorker = (): Worker => new Worker(workerAddress(), { type: "module" });
