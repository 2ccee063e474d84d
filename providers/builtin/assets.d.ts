/** Files that `bun build --compile` puts into the binary: `import path from "./x.bin" with { type: "file" }`. */
declare module "*.bin" {
  const path: string;
  export default path;
}

declare module "*.onnx" {
  const path: string;
  export default path;
}

declare module "*/vocabulary.txt" {
  const path: string;
  export default path;
}
