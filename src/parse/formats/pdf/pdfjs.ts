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

/** pdf.js, loaded at the first PDF. */
export const loadPdfjs = (): Promise<Pdfjs> => {
  loaded ??= load();
  return loaded;
};

const load = async (): Promise<Pdfjs> => {
  // pdf.js creates one when it is loaded, but uses it for drawing only.
  const scope = globalThis as { DOMMatrix?: unknown };
  scope.DOMMatrix ??= class {};
  // With this module loaded, pdf.js does its work here rather than in a worker.
  await import("pdfjs-dist/build/pdf.worker.min.mjs");
  return await import("pdfjs-dist/build/pdf.min.mjs");
};

/**
 * A PDF opened. Nothing is fetched, and no file is read except the decoders in `decoderPaths` and predefined CMaps.
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
    // Not a real address: pdf.js requires one.
    wasmUrl: "decoder:/",
    BinaryDataFactory: PdfjsFiles,
  }).promise;
};

/** Gives pdf.js the bytes of its decoders and CMaps. pdf.js creates an instance itself. */
class PdfjsFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const path = kind === "cMapUrl" ? await cMapPath(filename) : decoderPaths[filename];
    if (path === undefined) throw new Error(`${filename} is not included.`);
    return await Bun.file(path).bytes();
  }
}

const cMapPath = async (filename: string): Promise<string | undefined> => {
  const paths: Readonly<Record<string, string>> = await import("./cmap-paths.ts");
  const name = filename.slice(0, -".bcmap".length);
  return Object.hasOwn(paths, name) ? paths[name] : undefined;
};
