import { describe, expect, test } from "bun:test";
import { mkdir, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { followFolder } from "../../src/folders/follow-folder.ts";
import { openWithin } from "../../src/folders/take-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { maxWaitMs } from "../until.ts";

const top = await temporaryFolder("open");

const outsideText = "what lies outside of the folder";

const makeFolder = async (name: string): Promise<{ folder: string; outside: string }> => {
  const folder = join(top, name);
  const outside = join(top, `${name}-outside`);
  await mkdir(join(folder, "a/b"), { recursive: true });
  await mkdir(join(outside, "b"), { recursive: true });
  await writeFile(join(folder, "a/b/file.txt"), "inside");
  await writeFile(join(outside, "b/file.txt"), outsideText);
  return { folder, outside };
};

const read = async (folder: string, path: string): Promise<string> => {
  const file = await openWithin(folder, path);
  try {
    return (await file.readFile()).toString();
  } finally {
    await file.close();
  }
};
const codeOf = (folder: string, path: string): Promise<string | undefined> =>
  read(folder, path).then(
    (text) => `read ${text}`,
    (error: { code?: string }) => error.code,
  );

describe("a file of a folder", () => {
  test("is opened, also where the folder itself is a link", async () => {
    const { folder } = await makeFolder("plain");
    expect(await read(folder, "a/b/file.txt")).toBe("inside");
    await symlink(folder, join(top, "plain-link"));
    expect(await read(join(top, "plain-link"), "a/b/file.txt")).toBe("inside");
    expect(await codeOf(folder, "a/b/none.txt")).toBe("ENOENT");
  });

  test("is not opened through a link, wherever on the way it stands", async () => {
    const { folder, outside } = await makeFolder("links");
    await symlink(join(outside, "b/file.txt"), join(folder, "a/file-link.txt"));
    await symlink(outside, join(folder, "folder-link"));
    await symlink(join(outside, "b"), join(folder, "a/inner-link"));
    await symlink("b/file.txt", join(folder, "a/harmless-link.txt"));
    for (const path of ["a/file-link.txt", "folder-link/b/file.txt", "a/inner-link/file.txt", "a/harmless-link.txt"])
      expect([path, await codeOf(folder, path)]).toEqual([path, expect.stringMatching(/^(ELOOP|ENOTDIR)$/)]);
    for (const path of ["../links-outside/b/file.txt", "a/../../links-outside/b/file.txt", "/etc/passwd", "", "a//b"])
      expect([path, await codeOf(folder, path)]).toEqual([path, "ENOENT"]);
  });

  test.skipIf(process.platform === "win32")("that is a pipe does not keep anybody waiting", async () => {
    const { folder } = await makeFolder("pipe");
    await Bun.spawn(["mkfifo", join(folder, "pipe.txt")]).exited;
    const file = await openWithin(folder, "pipe.txt");
    expect((await file.stat()).isFile()).toBe(false);
    await file.close();
  });

  test("never leads out while a folder on the way is swapped for a link and back", async () => {
    const { folder, outside } = await makeFolder("swapped");
    await symlink(outside, join(folder, "evil"));
    const swap = `
      const { renameSync } = require("node:fs");
      process.chdir(${JSON.stringify(folder)});
      for (const end = Date.now() + 1500; Date.now() < end; ) {
        renameSync("a", "kept"); renameSync("evil", "a"); renameSync("a", "evil"); renameSync("kept", "a");
      }`;
    const swapper = Bun.spawn([process.execPath, "-e", swap], { stdout: "ignore", stderr: "inherit" });
    let ended = false;
    void swapper.exited.then(() => {
      ended = true;
    });
    const seen = new Set<string | undefined>();
    while (!ended) seen.add(await codeOf(folder, "a/b/file.txt"));
    expect([...seen].filter((one) => one?.includes(outsideText))).toEqual([]);
    expect(seen.has("read inside")).toBe(true);
  });
});

test("a followed folder stores what it looked at, though the path is a link by then", async () => {
  const { folder, outside } = await makeFolder("followed");
  const path = join(folder, "a/b/file.txt");
  const old = new Date(Date.now() - 60_000);
  await utimes(path, old, old);
  const stored: string[] = [];
  const target = {
    list: async () => [],
    async put({ content, absolutePath }: { content: Blob; absolutePath: string }) {
      await rename(join(folder, "a"), join(folder, "gone"));
      await symlink(outside, join(folder, "a"));
      expect(await Bun.file(absolutePath).text()).toBe(outsideText);
      stored.push(await content.text());
      return { stored: true as const, documentId: "d", status: "processed" };
    },
    move: async () => false,
    remove: async () => {},
  };
  const options = { path: folder, target, watch: false, maxFiles: 10, maxBytes: 1_000, report: () => {}, settleMs: 10 };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), maxWaitMs);
  await followFolder(options, stop.signal);
  clearTimeout(timer);
  expect(stored[0]).toBe("inside");
  expect(stored).not.toContain(outsideText);
});
