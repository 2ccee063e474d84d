import { afterEach, describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { prepareOnnxRuntime, unsupported } from "../../../../providers/builtin/minilm/runtime.ts";
import { packFile } from "../../../../tools/release/pack-file.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder("runtime");
  folders.push(folder);
  return folder;
}

/** Stands for the binary's own files. */
async function embeddedFiles(binding = "addon", library = "library") {
  const folder = await newFolder();
  const entry = async (name: string, text: string) => {
    const source = join(folder, name);
    await writeFile(source, text);
    const { path: file, facts } = await packFile(source, { level: 1, cacheFolder: folder });
    return { file, ...facts };
  };
  return { binding: await entry("addon.node", binding), libraries: [await entry("lib.so.1", library)] };
}

describe("onnxruntime of the compiled binary", () => {
  test("is written into one folder, whole, under the names it looks for", async () => {
    const runtimeFolder = join(await newFolder(), "runtime");
    const path = await prepareOnnxRuntime(await embeddedFiles(), runtimeFolder);
    expect(dirname(dirname(path))).toBe(runtimeFolder);
    expect(await readFile(path, "utf8")).toBe("addon");
    expect(await readFile(join(dirname(path), "lib.so.1"), "utf8")).toBe("library");
    expect((await readdir(dirname(path))).sort()).toEqual(["addon.node", "lib.so.1"]);
  });

  test("is checked and written again where its copy was changed", async () => {
    const runtimeFolder = await newFolder();
    const files = await embeddedFiles();
    const path = await prepareOnnxRuntime(files, runtimeFolder);
    await rm(path);
    await writeFile(path, "adXon");
    expect(await prepareOnnxRuntime(files, runtimeFolder)).toBe(path);
    expect(await readFile(path, "utf8")).toBe("addon");
  });

  test("a library that is not of the program does not stay where libraries look for others, nor is a link followed", async () => {
    const runtimeFolder = await newFolder();
    const files = await embeddedFiles();
    const home = dirname(await prepareOnnxRuntime(files, runtimeFolder));
    await writeFile(join(home, "libstdc++.so.6"), "foreign");
    await prepareOnnxRuntime(files, runtimeFolder);
    expect((await readdir(home)).sort()).toEqual(["addon.node", "lib.so.1"]);
    const elsewhere = await newFolder();
    await writeFile(join(elsewhere, "mine"), "");
    await rm(home, { recursive: true });
    await symlink(elsewhere, home);
    await prepareOnnxRuntime(files, runtimeFolder);
    expect(await readdir(elsewhere)).toEqual(["mine"]);
  });

  test("another version's copy is removed, other files are not", async () => {
    const runtimeFolder = await newFolder();
    const old = await prepareOnnxRuntime(await embeddedFiles("old"), runtimeFolder);
    await writeFile(join(runtimeFolder, "lancedb-0123456789abcdef.node"), "");
    await mkdir(join(runtimeFolder, "onnxruntime-mine"));
    const path = await prepareOnnxRuntime(await embeddedFiles("new"), runtimeFolder);
    expect(path).not.toBe(old);
    expect((await readdir(runtimeFolder)).length).toBe(3);
    expect(await readFile(path, "utf8")).toBe("new");
  });

  test("a damaged binary is refused", async () => {
    const files = await embeddedFiles();
    const [library] = files.libraries;
    await writeFile(library?.file ?? "", "libXary");
    const runtimeFolder = await newFolder();
    await expect(prepareOnnxRuntime(files, runtimeFolder)).rejects.toThrow("lib.so.1 inside the program is damaged");
  });

  test("a folder that cannot be made is told, with what to do", async () => {
    const file = join(await newFolder(), "file");
    await writeFile(file, "");
    await expect(prepareOnnxRuntime(await embeddedFiles(), join(file, "runtime"))).rejects.toThrow(
      /Cannot write the model runtime to .*ENOTDIR.*dataDir/,
    );
  });

  test("a platform without an addon is named, and what to use in its place", () => {
    expect(unsupported("freebsd riscv64")).toMatch(/minilm does not run on freebsd riscv64.*static/);
  });
});
