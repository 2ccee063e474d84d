import { beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../../src/domain/errors.ts";
import { makeDataDir } from "../../src/program/open-program.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolder("data-dir");
  dataDir = join(folder, "data");
});

const refusal = async (): Promise<string> => {
  const thrown: unknown = await makeDataDir(dataDir).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(CommandFailure);
  return (thrown as CommandFailure).message;
};

test("it is made with its parents, and taken as it is where it is there", async () => {
  dataDir = join(folder, "a/b");
  await makeDataDir(dataDir);
  await mkdir(join(dataDir, "tables"));
  await writeFile(join(dataDir, "lock"), "");
  await mkdir(join(folder, "elsewhere"));
  await symlink(join(folder, "elsewhere"), join(dataDir, "files"));
  await makeDataDir(dataDir);
  expect((await readdir(dataDir)).sort()).toEqual(["files", "lock", "tables"]);
});

test("a file in its place is named", async () => {
  await writeFile(dataDir, "");
  expect(await refusal()).toBe(
    `The data directory ${dataDir} is not a folder: set dataDir (CARREL_DATA_DIR) to a folder this user may write to.`,
  );
});

test("what is of another kind in it is named before anything is opened", async () => {
  await mkdir(join(dataDir, "lock"), { recursive: true });
  expect(await refusal()).toContain(`${join(dataDir, "lock")} is not a file`);
  await rm(join(dataDir, "lock"), { recursive: true });
  await writeFile(join(dataDir, "tables"), "");
  expect(await refusal()).toContain(`${join(dataDir, "tables")} is not a folder`);
  await rm(join(dataDir, "tables"));
  await mkdir(join(dataDir, "carrel.sock"));
  expect(await refusal()).toContain(`${join(dataDir, "carrel.sock")} is not a socket`);
});

test.skipIf(process.platform === "win32")("a pipe in place of the lock is named, not waited for", async () => {
  await mkdir(dataDir);
  execFileSync("mkfifo", [join(dataDir, "lock")]);
  expect(await refusal()).toContain(`${join(dataDir, "lock")} is not a file`);
});

test("a link to a disk that is not mounted is named, and nothing is created", async () => {
  await mkdir(dataDir);
  const target = join(folder, "not-mounted/tables");
  await symlink(target, join(dataDir, "tables"));
  expect(await refusal()).toContain(`is a link to ${target}, which cannot be reached (ENOENT)`);
  expect(await readdir(dataDir)).toEqual(["tables"]);
});

test.skipIf(process.platform !== "linux")("a folder that nobody may write to is named", async () => {
  dataDir = "/sys"; // not even root creates files there
  expect(await refusal()).toContain("The data directory /sys cannot be written to (E");
});
