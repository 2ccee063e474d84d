/** Files of pdf.js that come without types of their own. */
declare module "pdfjs-dist/wasm/*.wasm" {
  const path: string;
  export default path;
}

declare module "pdfjs-dist/cmaps/*.bcmap" {
  const path: string;
  export default path;
}

/** Fonts for symbols, in the same way. */
declare module "pdfjs-dist/standard_fonts/*.pfb" {
  const path: string;
  export default path;
}
