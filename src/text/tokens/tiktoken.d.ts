declare module "*.tiktoken" {
  /** Path of the file, on disk or inside the compiled binary. */
  const path: string;
  export default path;
}
