import { beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "../../config/load.ts";
import { readSmallFile } from "../../src/system/read-small-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder("small-file");
});

const limits = { maxBytes: 1_000, what: "a settings file", maxSilenceMs: 100 };
const read = (name: string) => readSmallFile(join(folder, name), limits).then(String);
const makePipe = (name: string): string => {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  return path;
};

test("a file of the largest size is read, a longer one is not", async () => {
  await writeFile(join(folder, "most"), "a".repeat(1_000));
  expect(await read("most")).toBe("a".repeat(1_000));
  await writeFile(join(folder, "huge"), "");
  await truncate(join(folder, "huge"), 1e12);
  await expect(read("huge")).rejects.toThrow("is too long for a settings file");
});

test("a folder, a loop of links and nothing at all are named", async () => {
  await symlink("second", join(folder, "first"));
  await symlink("first", join(folder, "second"));
  await expect(read(".")).rejects.toThrow("is a folder");
  await expect(read("first")).rejects.toThrow("is a link that leads back to itself");
  await expect(read("absent")).rejects.toThrow("does not exist");
});

test.skipIf(process.platform === "win32")("a device that never ends is too long, an empty one is empty", async () => {
  await expect(readSmallFile("/dev/zero", limits)).rejects.toThrow("is too long for a settings file");
  expect(String(await readSmallFile("/dev/null", limits))).toBe("");
});

test.skipIf(process.platform === "win32")("a pipe that nobody writes to is waited for only so long", async () => {
  makePipe("silent");
  await expect(read("silent")).rejects.toThrow("gave nothing for 0.1 seconds");
});

test.skipIf(process.platform === "win32")(
  "a pipe is read to its end, as are settings that a command writes",
  async () => {
    const path = makePipe("settings");
    const writer = Bun.spawn([
      "sh",
      "-c",
      'sleep 0.1; (printf "server:"; sleep 0.1; printf " { port: 9 }") > "$1"',
      "sh",
      path,
    ]);
    const { config } = await loadConfig({ file: path, env: {}, cwd: folder });
    expect(config.server.port).toBe(9);
    expect(await writer.exited).toBe(0);
  },
);
