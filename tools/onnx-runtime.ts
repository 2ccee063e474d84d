import { existsSync } from "node:fs";
import { join } from "node:path";
import { familySync, MUSL } from "detect-libc";

/** onnxruntime's addon and the library it links, under the names they look for each other by; null where there is none. */
export const onnxRuntimeOfThisSystem = (nodeModules: string): { binding: string; library: string } | null => {
  const { platform, arch } = process;
  const folder = join(nodeModules, "onnxruntime-node/bin/napi-v6", platform, arch);
  const library = { linux: "libonnxruntime.so.1", darwin: "libonnxruntime.1.dylib" }[platform as string];
  if (library === undefined || familySync() === MUSL || !existsSync(join(folder, library))) return null;
  return { binding: join(folder, "onnxruntime_binding.node"), library: join(folder, library) };
};
