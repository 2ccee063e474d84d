import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderUnreachableError, scanFolder } from "../../src/folders/scan-folder.ts";
import { walkFolder } from "../../src/folders/walk-folder.ts";

const never = new AbortController().signal;
const write = (path: string, text = "text") => Bun.write(join(folder, path), text);
const walked = () => Array.fromAsync(walkFolder(folder));

const folder = await mkdtemp(join(tmpdir(), "carrel-walk-"));
await Promise.all(["b/z.md", "b/a/x.md", "a.md", "c.md", ".hidden.md", ".git/config"].map((path) => write(path)));
await write("empty.md", "");
await Promise.all(["data/lock", "data/secret", "data/tables/t"].map((path) => write(path)));
await symlink(folder, join(folder, "circle"));
await symlink(join(folder, "a.md"), join(folder, "link.md"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("files come in the order of their names; hidden ones, links and data directories are left out", async () => {
  expect((await walked()).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    "file a.md",
    "file b/a/x.md",
    "file b/z.md",
    "file c.md",
    "file empty.md",
  ]);
});

test("a folder too deep, or gone, is reported as unreadable", async () => {
  const deep = join(folder, "deep");
  await mkdir(join(deep, ...Array.from({ length: 100 }, () => "d")), { recursive: true });
  const [found] = await Array.fromAsync(walkFolder(folder)).then((all) => all.filter(({ kind }) => kind !== "file"));
  expect(found).toMatchObject({ kind: "unreadable", code: "more than 100 levels deep" });
  await rm(deep, { recursive: true });
  expect(await Array.fromAsync(walkFolder(deep))).toEqual([{ kind: "unreadable", path: "", code: "ENOENT" }]);
});

test("a scan leaves out empty files, and says where it stopped at its limit", async () => {
  const whole = await scanFolder(folder, 4, never);
  expect([...whole.files.keys()].sort()).toEqual(["a.md", "b/a/x.md", "b/z.md", "c.md"]);
  const part = await scanFolder(folder, 2, never);
  expect([part.isTruncated, [...part.files.keys()].sort()]).toEqual([true, ["a.md", "b/a/x.md"]]);
  await expect(scanFolder(join(folder, "a.md"), 2, never)).rejects.toBeInstanceOf(FolderUnreachableError);
});
