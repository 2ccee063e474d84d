// WebAssembly that `bun build --compile` puts into the binary as files: the import is the path.

declare module "@embedpdf/pdfium/pdfium.wasm" {
  const path: string;
  export default path;
}

declare module "chardetng-wasm/dist/chardetng_wasm_bg.wasm" {
  const path: string;
  export default path;
}
