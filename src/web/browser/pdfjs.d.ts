/** Files of pdf.js that come without types of their own. */
declare module "pdfjs-dist/build/pdf.min.mjs" {
  export * from "pdfjs-dist";
}

/** The bundler puts the worker beside the scripts of the pages: the import is its path. */
declare module "pdfjs-dist/build/pdf.worker.min.mjs" {
  const path: string;
  export default path;
}
