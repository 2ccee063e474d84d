/** PDFium, which `bun build --compile` puts into the binary as a file: the import is the path. */
declare module "@embedpdf/pdfium/pdfium.wasm" {
  const path: string;
  export default path;
}
