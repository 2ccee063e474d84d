import type { getDocument, OPS, PDFDocumentProxy } from "pdfjs-dist";
import faxAndJbig2Path from "pdfjs-dist/wasm/jbig2.wasm" with { type: "file" };
import openJpegPath from "pdfjs-dist/wasm/openjpeg.wasm" with { type: "file" };

type Pdfjs = { getDocument: typeof getDocument; OPS: typeof OPS };

/** The decoders that pdf.js has in WebAssembly: of CCITT and JBIG2 (PDFium's), and of JPEG 2000 (OpenJPEG). */
const decoderPaths: Readonly<Record<string, string>> = {
  "jbig2.wasm": faxAndJbig2Path,
  "openjpeg.wasm": openJpegPath,
};

/** Most pixels of a picture; larger ones are left out before they are decoded. A0 at 300 dpi has 139 million. */
export const maxPicturePixels = 200_000_000;

let loaded: Promise<Pdfjs> | null = null;

/** pdf.js, loaded at the first PDF: a process that meets none does without it. */
export const loadPdfjs = (): Promise<Pdfjs> => {
  loaded ??= load();
  return loaded;
};

const load = async (): Promise<Pdfjs> => {
  // Only drawing needs the matrices of browsers, but one is made when the module is loaded.
  const scope = globalThis as { DOMMatrix?: unknown };
  scope.DOMMatrix ??= class {};
  // What pdf.js does in a worker of its own it does here where this module is there already.
  await import("pdfjs-dist/build/pdf.worker.min.mjs");
  return await import("pdfjs-dist/build/pdf.min.mjs");
};

/**
 * A PDF opened. Nothing is fetched and no file is read but the decoders in `decoderPaths` and the CMaps it names.
 * @param baseUrl links are resolved against it
 * @throws errors of pdf.js, `PasswordException` among them
 */
export const openWithPdfjs = async (bytes: Uint8Array, baseUrl: string | null): Promise<PDFDocumentProxy> => {
  const { getDocument } = await loadPdfjs();
  return await getDocument({
    // pdf.js takes the buffer over, so it gets a copy.
    data: bytes.slice(),
    verbosity: 0,
    stopAtErrors: false,
    useSystemFonts: true,
    ...(baseUrl === null ? {} : { docBaseUrl: baseUrl }),
    maxImageSize: maxPicturePixels,
    useWorkerFetch: false,
    // Nowhere: it must be set, and names what is looked for where a decoder does not start.
    wasmUrl: "decoder:/",
    BinaryDataFactory: PdfjsFiles,
  }).promise;
};

/** What pdf.js asks for the bytes of its decoders and CMaps, one file at a time; it makes one itself, by `new`. */
class PdfjsFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const path = kind === "cMapUrl" ? await cMapPath(filename) : decoderPaths[filename];
    if (path === undefined) throw new Error(`There is no ${filename} here.`);
    return await Bun.file(path).bytes();
  }
}

const cMapPath = async (filename: string): Promise<string | undefined> => {
  const paths: Readonly<Record<string, string>> = await import("./cmap-paths.ts");
  const name = filename.slice(0, -".bcmap".length);
  return Object.hasOwn(paths, name) ? paths[name] : undefined;
};
