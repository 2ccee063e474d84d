import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { codeOf, messageOf } from "../../../src/domain/errors.ts";
import { setNativeVariable } from "../../../src/system/libc.ts";
import { isPartial, isUnpacked, type PackedFile, placeFile, writeUnpacked } from "../../../src/system/packed-file.ts";

/** onnxruntime for the binary's platform: the addon, and the libraries it finds beside it by their names. */
export interface EmbeddedOnnxRuntime {
  binding: PackedFile;
  libraries: readonly PackedFile[];
}

const bindingName = "onnxruntime_binding.node";
const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/**
 * Makes onnxruntime loadable and gives the path of its addon. The compiled binary's copy is written into a folder of
 * `folder` that is named after its content, checked each time; outside the binary the one in node_modules is taken.
 * @throws Error that says why the built-in MiniLM cannot be used here and what to do
 */
export const prepareOnnxRuntime = async (embedded: EmbeddedOnnxRuntime | null, folder: string): Promise<string> => {
  // Since 1.30 it would send Microsoft an identifier of the machine, which it keeps in the user's cache folder, and
  // facts about each model it loads. It reads the variable when it is loaded.
  setNativeVariable("ORT_DISABLE_TELEMETRY", "1");
  if (embedded === null) return installedBinding();
  const files = [embedded.binding, ...embedded.libraries];
  const digest = sha256(Buffer.from(files.map((file) => file.sha256).join(" "))).slice(0, 16);
  const home = join(folder, `onnxruntime-${digest}`);
  try {
    if ((await lstat(home).catch(() => null))?.isSymbolicLink() === true) await rm(home); // what it leads to is not ours
    await mkdir(home, { recursive: true, mode: 0o700 });
    await removeForeign(files, home);
    for (const file of files) await unpack(file, home);
  } catch (error) {
    throw new Error(writeFailure(home, error));
  }
  await removeOthers(home, folder);
  return join(home, embedded.binding.name);
};

const unpack = async (file: PackedFile, home: string): Promise<void> => {
  const path = join(home, file.name);
  if (await isUnpacked(file, path)) return;
  const write = async (partial: string): Promise<void> => {
    await writeUnpacked(file, partial);
    if (!(await isUnpacked(file, partial))) throw new Error(`${file.name} inside the program is damaged, or its copy`);
  };
  await placeFile(path, write, () => isUnpacked(file, path));
};

/**
 * Removes what is not of the program: the libraries look for those they need in their own folder first, so that another
 * file there would be run.
 */
const removeForeign = async (files: readonly PackedFile[], home: string): Promise<void> => {
  for (const name of await readdir(home))
    if (!files.some((file) => file.name === name) && !isPartial(name))
      await rm(join(home, name), { recursive: true, force: true });
};

/** Copies that earlier versions left. */
const removeOthers = async (home: string, folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (/^onnxruntime-[0-9a-f]{16}$/.test(name) && path !== home) await rm(path, { recursive: true }).catch(() => {});
  }
};

const writeFailure = (home: string, error: unknown): string => {
  const code = codeOf(error);
  if (code === "ENOSPC") return `No room in ${home} for the model runtime: 50 MB are needed.`;
  const reason = code ?? messageOf(error);
  return `Cannot write the model runtime to ${home} (${reason}): set dataDir (CARREL_DATA_DIR) to a folder this user may write to.`;
};

const installedBinding = (): string => {
  const platform = `${process.platform} ${process.arch}`;
  let manifest: string;
  try {
    manifest = createRequire(import.meta.url).resolve("onnxruntime-node/package.json");
  } catch {
    throw new Error(
      "models.embedding.model minilm needs onnxruntime-node, which is not installed: run `npm ci` again.",
    );
  }
  const path = join(dirname(manifest), "bin/napi-v6", process.platform, process.arch, bindingName);
  if (!existsSync(path)) throw new Error(unsupported(platform));
  return path;
};

/** Why the built-in MiniLM is refused on a platform that onnxruntime has no addon for. */
export const unsupported = (platform: string): string =>
  `models.embedding.model minilm does not run on ${platform}: onnxruntime has no library for it. Use model static, or provider ollama or openai.`;
