import { existsSync } from "node:fs";
import { chmod, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A file inside the compiled binary. */
export interface EmbeddedFile {
  /** What it is called on disk; the addon looks for its library under this name. */
  name: string;
  /** Path within the binary; readable like a file, but not loadable. */
  file: string;
  /** SHA-256 of the content, hex. */
  sha256: string;
}

/** onnxruntime for the binary's platform: the addon and the library it links. */
export interface EmbeddedOnnxRuntime {
  binding: EmbeddedFile;
  library: EmbeddedFile;
}

const bindingName = "onnxruntime_binding.node";
const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/**
 * Makes onnxruntime loadable and gives the path of its addon. The compiled binary's copy is written into a folder of
 * `folder` that is named after its content, checked each time; outside the binary the one in node_modules is taken.
 * @throws Error that says why the built-in MiniLM cannot be used here and what to do
 */
export const prepareOnnxRuntime = async (embedded: EmbeddedOnnxRuntime | null, folder: string): Promise<string> => {
  if (embedded === null) return installedBinding();
  const files = [embedded.binding, embedded.library];
  const digest = sha256(Buffer.from(files.map((file) => file.sha256).join(" "))).slice(0, 16);
  const home = join(folder, `onnxruntime-${digest}`);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    for (const file of files) await unpack(file, home);
  } catch (error) {
    throw new Error(writeFailure(home, (error as { code?: string }).code, error));
  }
  await removeOthers(home, folder);
  return join(home, embedded.binding.name);
};

const unpack = async (file: EmbeddedFile, home: string): Promise<void> => {
  const path = join(home, file.name);
  const present = await readFile(path).catch(() => null);
  if (present !== null && sha256(present) === file.sha256) return;
  const partial = `${path}.${process.pid}.partial`;
  try {
    const bytes = await Bun.file(file.file).bytes();
    if (sha256(bytes) !== file.sha256) throw new Error(`${file.name} inside the program is damaged`);
    await Bun.write(partial, bytes);
    await chmod(partial, 0o500);
    const handle = await open(partial);
    await handle.sync();
    await handle.close();
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
};

/** Copies that earlier versions left. */
const removeOthers = async (home: string, folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (/^onnxruntime-[0-9a-f]{16}$/.test(name) && path !== home) await rm(path, { recursive: true }).catch(() => {});
  }
};

const writeFailure = (home: string, code: string | undefined, error: unknown): string => {
  if (code === "ENOSPC") return `No room in ${home} for the model runtime: 50 MB are needed.`;
  const reason = code ?? (error instanceof Error ? error.message : String(error));
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
