/** Files of pdf.js that come without types of their own. */
declare module "pdfjs-dist/build/pdf.min.mjs" {
  export * from "pdfjs-dist";
}

declare module "pdfjs-dist/build/pdf.worker.min.mjs";

/** A decoder that `bun build --compile` puts into the binary as a file: the import is its path. */
declare module "pdfjs-dist/wasm/*.wasm" {
  const path: string;
  export default path;
}
