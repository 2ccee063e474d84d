import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Target, thisTarget } from "./release/target.ts";

/** Under these names the addon looks for what it links. */
const libraries = {
  linux: ["libonnxruntime.so.1"],
  darwin: ["libonnxruntime.1.dylib"],
  win32: ["onnxruntime.dll"],
};

/**
 * onnxruntime's addon and the libraries it links, for a system; null where there is none: on Intel Macs, and on musl.
 * The DLLs of Windows for graphics processors stay out: Carrel runs the model on the processor alone, and onnxruntime.dll
 * asks for them only when they are used.
 */
export const onnxRuntimeFor = (
  nodeModules: string,
  { platform, arch, isMusl }: Target = thisTarget(),
): { binding: string; libraries: readonly string[] } | null => {
  const folder = join(nodeModules, "onnxruntime-node/bin/napi-v6", platform, arch);
  const binding = join(folder, "onnxruntime_binding.node");
  const paths = libraries[platform].map((name) => join(folder, name));
  if (isMusl || ![binding, ...paths].every((path) => existsSync(path))) return null;
  return { binding, libraries: paths };
};
