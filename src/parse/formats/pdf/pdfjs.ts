import type { getDocument, OPS, PDFDocumentProxy } from "pdfjs-dist";
import { pdfjsDataPath } from "./pdfjs-data.ts";

type Pdfjs = { getDocument: typeof getDocument; OPS: typeof OPS };

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
  keepStatesFlat();
  // With this module loaded, pdf.js does its work here rather than in a worker.
  await import("pdfjs-dist/build/pdf.worker.min.mjs");
  return await import("pdfjs-dist/build/pdf.min.mjs");
};

const create = Object.create;

/**
 * pdf.js saves its graphics and text state (`q`) by making the next one with the last as prototype. Where operators nest
 * n deep, each look-up then goes n steps: 32 KB of `q` took 16 s. States made here are copies that stand alone; a state is
 * known by a field that no other object has. Only processes that read PDFs load this.
 */
const keepStatesFlat = (): void => {
  Object.create = (prototype: object | null, properties?: PropertyDescriptorMap & ThisType<unknown>): unknown => {
    if (properties !== undefined) return create(prototype, properties);
    const isState =
      prototype !== null && (Object.hasOwn(prototype, "textLineMatrix") || Object.hasOwn(prototype, "pathMinMax"));
    return isState ? Object.assign(create(Object.getPrototypeOf(prototype)), prototype) : create(prototype);
  };
};

/**
 * A PDF opened. Nothing is fetched, and no file is read except those of `pdfjsDataPath`.
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
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const path = await pdfjsDataPath(filename);
    if (path === undefined) throw new Error(`${filename} is not included.`);
    return await Bun.file(path).bytes();
  }
}
