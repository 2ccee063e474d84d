import { afterAll, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FolderEvent } from "../../src/folders/folder-state.ts";
import { followFolder } from "../../src/folders/follow-folder.ts";
import type { FolderDocument, FolderFile, FolderTarget } from "../../src/folders/target.ts";
import { until } from "../until.ts";

const top = await mkdtemp(join(tmpdir(), "carrel-folders-"));
afterAll(() => rm(top, { recursive: true, force: true }));

let made = 0;

/** Documents in memory. */
const createMemory = () => {
  const documents = new Map<string, FolderDocument & { puts: number }>();
  const byPath = (path: string) => [...documents.values()].find((document) => document.path === path);
  const memory = {
    documents,
    byPath,
    paths: () => [...documents.values()].map(({ path }) => path).sort(),
    failing: null as string | null,
    target: {
      list: async () => [...documents.values()].map(({ puts: _, ...document }) => document),
      async put(file: FolderFile) {
        if (memory.failing !== null) throw new Error(memory.failing);
        if (file.path.endsWith(".exe")) return { stored: false, reason: "no document" };
        const before = byPath(file.path);
        const id = before?.id ?? `document-${++made}`;
        documents.set(id, { ...file, id, isMisplaced: false, puts: (before?.puts ?? 0) + 1 });
        return { stored: true, documentId: id, status: "pending" };
      },
      async move(id: string, file: FolderFile) {
        const before = documents.get(id);
        if (before === undefined) return false;
        documents.set(id, { ...before, ...file });
        return true;
      },
      remove: async (id: string) => void documents.delete(id),
    } as FolderTarget,
  };
  return memory;
};

const serveFolder = async (name: string) => {
  const path = join(top, name);
  await mkdir(path, { recursive: true });
  return {
    path,
    async write(file: string, text: string, ageMs = 60_000) {
      await mkdir(dirname(join(path, file)), { recursive: true });
      await writeFile(join(path, file), text);
      const at = new Date(Date.now() - ageMs);
      await utimes(join(path, file), at, at);
    },
  };
};

const follow = (
  path: string,
  target: FolderTarget,
  options: { watch?: boolean; maxFiles?: number; settleMs?: number } = {},
) => {
  const events: FolderEvent[] = [];
  const stop = new AbortController();
  const done = followFolder(
    {
      path,
      target,
      watch: true,
      maxFiles: 1_000,
      maxBytes: 1_000,
      report: (event) => void events.push(event),
      settleMs: 50,
      scanEveryMs: 100,
      ...options,
    },
    stop.signal,
  );
  return {
    events,
    kinds: () => events.map(({ kind }) => kind),
    done,
    async stop() {
      stop.abort();
      await done;
    },
  };
};

/** Waits until a pass over the folder that began after this call has ended: it takes in or removes a file made for it. */
const wholePass = async (
  folder: Awaited<ReturnType<typeof serveFolder>>,
  memory: ReturnType<typeof createMemory>,
): Promise<void> => {
  await folder.write("marker.txt", "seen");
  await until(() => memory.byPath("marker.txt") !== undefined);
  await rm(join(folder.path, "marker.txt"));
  await until(() => memory.byPath("marker.txt") === undefined);
};

/** Gives a folder that is gone some passes in which a fault could show; the assertions come after it is back. */
const somePasses = () => Bun.sleep(500);

describe("a followed folder", () => {
  test("new, changed and gone files; hidden ones, links and empty ones are left alone", async () => {
    const memory = createMemory();
    const folder = await serveFolder("plain");
    await folder.write("a.txt", "one");
    await folder.write("deep/er/b.txt", "two");
    await folder.write(".hidden", "no");
    await folder.write(".git/c.txt", "no");
    await folder.write("empty.txt", "");
    await symlink("/etc", join(folder.path, "etc"));
    await symlink("/etc/hostname", join(folder.path, "hostname"));
    const followed = follow(folder.path, memory.target);
    await until(() => memory.documents.size === 2);
    expect(memory.paths()).toEqual(["a.txt", "deep/er/b.txt"]);
    const { id } = memory.byPath("a.txt") ?? {};
    await folder.write("a.txt", "changed", 0);
    await folder.write("new.txt", "three", 0);
    await until(() => memory.byPath("a.txt")?.puts === 2 && memory.byPath("new.txt") !== undefined);
    expect(memory.byPath("a.txt")?.id).toBe(id as string);
    await rm(join(folder.path, "a.txt"));
    await until(() => memory.documents.size === 2);
    expect(memory.paths()).toEqual(["deep/er/b.txt", "new.txt"]);
    await rm(join(folder.path, "deep"), { recursive: true });
    await rm(join(folder.path, "new.txt"));
    await until(() => memory.documents.size === 0);
    await followed.stop();
  });

  test("a data directory of Carrel inside it is left alone", async () => {
    const memory = createMemory();
    const folder = await serveFolder("with-data");
    await folder.write("a.txt", "one");
    await folder.write("carrel-data/lock", "{}");
    await folder.write("carrel-data/secret", "of this server");
    await folder.write("carrel-data/tables/documents.lance/data", "rows");
    await folder.write("carrel-data/files/93/9358acfc", "an uploaded file");
    await folder.write("notes/tables/b.txt", "two");
    await folder.write("notes/lock", "three");
    await follow(folder.path, memory.target, { watch: false }).done;
    expect(memory.paths()).toEqual(["a.txt", "notes/lock", "notes/tables/b.txt"]);
  });

  test("a file is taken when it has stopped growing", async () => {
    const memory = createMemory();
    const folder = await serveFolder("growing");
    // Much longer than a slow machine lies between two of its changes.
    const followed = follow(folder.path, memory.target, { settleMs: 1_500 });
    for (let part = 1; part <= 20; part++) {
      await folder.write("log.txt", "x".repeat(part), 0);
      await Bun.sleep(20);
    }
    await until(() => memory.byPath("log.txt")?.bytes === 20);
    expect(memory.byPath("log.txt")?.puts).toBeLessThan(5);
    await followed.stop();
  });

  test("started again it puts nothing in again; what was touched, neither", async () => {
    const memory = createMemory();
    const folder = await serveFolder("again");
    await folder.write("a.txt", "one");
    await folder.write("b.txt", "two");
    await follow(folder.path, memory.target, { watch: false }).done;
    await folder.write("b.txt", "two", 30_000);
    const second = follow(folder.path, memory.target, { watch: false });
    await second.done;
    expect(second.events).toEqual([]);
    expect([...memory.documents.values()].map(({ puts }) => puts)).toEqual([1, 1]);
    await rm(join(folder.path, "a.txt"));
    const third = follow(folder.path, memory.target, { watch: false });
    await third.done;
    expect(third.kinds()).toEqual(["removed"]);
    expect(memory.paths()).toEqual(["b.txt"]);
  });

  test("a renamed file keeps its document; one that is new under the name gets its own", async () => {
    const memory = createMemory();
    const folder = await serveFolder("renamed");
    await folder.write("old/name.txt", "the same");
    await folder.write("other.txt", "another");
    const followed = follow(folder.path, memory.target);
    await until(() => memory.documents.size === 2);
    const { id } = memory.byPath("old/name.txt") ?? {};
    await rename(join(folder.path, "old"), join(folder.path, "new"));
    await until(() => followed.kinds().includes("moved"));
    expect(memory.byPath("new/name.txt")).toMatchObject({ id: id as string, puts: 1 });
    await rm(join(folder.path, "other.txt"));
    await folder.write("elsewhere.txt", "not the same");
    await until(() => memory.paths().join() === "elsewhere.txt,new/name.txt");
    await followed.stop();
  });

  test("a folder that vanishes, or is empty in another place, deletes nothing and is told once; it comes back", async () => {
    const memory = createMemory();
    const folder = await serveFolder("vanishing");
    await folder.write("a.txt", "one");
    const followed = follow(folder.path, memory.target);
    await until(() => memory.documents.size === 1);
    await rename(folder.path, `${folder.path}-away`);
    await until(() => followed.kinds().includes("trouble"));
    await somePasses();
    await mkdir(folder.path);
    await until(() => followed.kinds().filter((kind) => kind === "trouble").length === 2);
    await somePasses();
    expect(memory.paths()).toEqual(["a.txt"]);
    await rm(folder.path, { recursive: true });
    await rename(`${folder.path}-away`, folder.path);
    await until(() => followed.kinds().includes("recovered"));
    await folder.write("b.txt", "two", 0);
    await until(() => memory.documents.size === 2);
    expect(followed.kinds().filter((kind) => kind === "trouble").length).toBeLessThanOrEqual(3);
    expect(followed.kinds()).not.toContain("removed");
    await followed.stop();
  });

  test("started on an empty folder, what came from it before stays", async () => {
    const memory = createMemory();
    const folder = await serveFolder("unmounted");
    await folder.write("a.txt", "one");
    await follow(folder.path, memory.target, { watch: false }).done;
    await rm(join(folder.path, "a.txt"));
    const second = follow(folder.path, memory.target, { watch: false });
    await second.done;
    expect(second.kinds()).toEqual(["trouble"]);
    expect(memory.documents.size).toBe(1);
  });

  test("files that are no documents, too large or unreadable are told once, and tried when they change", async () => {
    const memory = createMemory();
    const folder = await serveFolder("refused");
    await folder.write("a.exe", "program");
    await folder.write("large.txt", "x".repeat(1_001));
    const followed = follow(folder.path, memory.target);
    await until(() => followed.events.length === 2);
    await wholePass(folder, memory);
    expect(followed.kinds().filter((kind) => kind !== "stored" && kind !== "removed")).toHaveLength(2);
    await folder.write("large.txt", "small now", 30_000);
    await until(() => memory.byPath("large.txt") !== undefined);
    await followed.stop();
  });

  // Nothing is locked to root.
  test.skipIf(process.getuid?.() === 0)("what lies in a subfolder that cannot be read stays", async () => {
    const memory = createMemory();
    const folder = await serveFolder("locked");
    await folder.write("sub/a.txt", "one");
    const followed = follow(folder.path, memory.target);
    await until(() => memory.documents.size === 1);
    await chmod(join(folder.path, "sub"), 0o000);
    await until(() => followed.kinds().includes("trouble"));
    await wholePass(folder, memory);
    expect(memory.paths()).toEqual(["sub/a.txt"]);
    await chmod(join(folder.path, "sub"), 0o700);
    await followed.stop();
  });

  test("beyond the limit files are left out, and nothing is deleted", async () => {
    const memory = createMemory();
    const folder = await serveFolder("many");
    for (let file = 0; file < 5; file++) await folder.write(`${file}.txt`, `text ${file}`);
    const followed = follow(folder.path, memory.target, { maxFiles: 3 });
    await until(() => memory.documents.size === 3);
    expect(followed.kinds()).toContain("trouble");
    await followed.stop();
  });
});
