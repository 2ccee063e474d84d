import { describe, expect, test } from "bun:test";
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createFolderState, type FolderEvent, type FollowOptions } from "../../src/folders/folder-state.ts";
import { followFolder } from "../../src/folders/follow-folder.ts";
import { goneDocuments } from "../../src/folders/gone-documents.ts";
import { createLeftOut } from "../../src/folders/left-out.ts";
import type { FolderScan } from "../../src/folders/scan-folder.ts";
import type { FolderDocument, FolderFile, FolderTarget } from "../../src/folders/target.ts";
import { atEnd } from "../at-end.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";

const top = await temporaryFolder("folders");

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
        if (file.path.endsWith(".bin")) return { stored: false, reason: "no document" };
        const before = byPath(file.path);
        const id = before?.id ?? `document-${++made}`;
        documents.set(id, { ...file, id, storedMs: Date.now(), isMisplaced: false, puts: (before?.puts ?? 0) + 1 });
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

const start = async (name: string) => ({ memory: createMemory(), folder: await serveFolder(name) });

const follow = (path: string, target: FolderTarget, options: Partial<FollowOptions> = {}) => {
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
    stop: atEnd(async () => {
      stop.abort();
      await done;
    }),
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
    const { memory, folder } = await start("plain");
    await folder.write("a.txt", "one");
    await folder.write("deep/er/b.txt", "two");
    await folder.write(".hidden", "no");
    await folder.write(".git/c.txt", "no");
    await folder.write("empty.txt", "");
    await symlink("/etc", join(folder.path, "etc"));
    await symlink("/etc/hostname", join(folder.path, "hostname"));
    follow(folder.path, memory.target);
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
  });

  test("a data directory of Carrel inside it is left alone", async () => {
    const { memory, folder } = await start("with-data");
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
    const { memory, folder } = await start("growing");
    // Much longer than a slow machine lies between two of its changes.
    follow(folder.path, memory.target, { settleMs: 1_500 });
    for (let part = 1; part <= 20; part++) {
      await folder.write("log.txt", "x".repeat(part), 0);
      await Bun.sleep(20);
    }
    await until(() => memory.byPath("log.txt")?.bytes === 20);
    expect(memory.byPath("log.txt")?.puts).toBeLessThan(5);
  });

  test("started again it puts nothing in again; what was touched, neither", async () => {
    const { memory, folder } = await start("again");
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
    const { memory, folder } = await start("renamed");
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
  });

  test("a folder that vanishes, or is empty in another place, deletes nothing and is told once; it comes back", async () => {
    const { memory, folder } = await start("vanishing");
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
  });

  test("started on an empty folder, what came from it before stays", async () => {
    const { memory, folder } = await start("unmounted");
    await folder.write("a.txt", "one");
    await follow(folder.path, memory.target, { watch: false }).done;
    await rm(join(folder.path, "a.txt"));
    const second = follow(folder.path, memory.target, { watch: false });
    await second.done;
    expect(second.kinds()).toEqual(["trouble"]);
    expect(memory.documents.size).toBe(1);
  });

  test("files that are no documents, too large or unreadable are told once, and tried when they change", async () => {
    const { memory, folder } = await start("refused");
    await folder.write("a.bin", "program");
    await folder.write("large.txt", "x".repeat(1_001));
    const followed = follow(folder.path, memory.target);
    await until(() => followed.events.length === 2);
    await wholePass(folder, memory);
    expect(followed.kinds().filter((kind) => kind !== "stored" && kind !== "removed")).toHaveLength(2);
    await folder.write("large.txt", "small now", 30_000);
    await until(() => memory.byPath("large.txt") !== undefined);
  });

  // Nothing is locked to root.
  test.skipIf(process.getuid?.() === 0)("what lies in a subfolder that cannot be read stays", async () => {
    const { memory, folder } = await start("locked");
    await folder.write("sub/a.txt", "one");
    const followed = follow(folder.path, memory.target);
    await until(() => memory.documents.size === 1);
    await chmod(join(folder.path, "sub"), 0o000);
    await until(() => followed.kinds().includes("trouble"));
    await wholePass(folder, memory);
    expect(memory.paths()).toEqual(["sub/a.txt"]);
    await chmod(join(folder.path, "sub"), 0o700);
  });

  test("beyond the limit files are left out, and nothing is deleted", async () => {
    const { memory, folder } = await start("many");
    for (let file = 0; file < 5; file++) await folder.write(`${file}.txt`, `text ${file}`);
    const followed = follow(folder.path, memory.target, { maxFiles: 3 });
    await until(() => memory.documents.size === 3);
    expect(followed.kinds()).toContain("trouble");
  });

  test("many files that are gone at once: their documents wait, are reported once, and go unless the files are back", async () => {
    const { memory, folder } = await start("gone-at-once");
    const names = Array.from({ length: 25 }, (_, at) => `sub/${at}.txt`);
    for (const name of names) await folder.write(name, `text of ${name}`);
    await folder.write("stays.txt", "stays");
    const followed = follow(folder.path, memory.target, { manyGoneMs: 3_600_000 });
    await until(() => memory.documents.size === 26);
    await rename(join(folder.path, "sub"), `${folder.path}-away`);
    await until(() => followed.kinds().includes("trouble"));
    await somePasses();
    expect([memory.documents.size, followed.kinds().filter((kind) => kind === "trouble").length]).toEqual([26, 1]);
    await rename(`${folder.path}-away`, join(folder.path, "sub"));
    await until(() => followed.kinds().includes("recovered"));
    // A folder that gets another name is no loss: its files keep their documents at once.
    await rename(join(folder.path, "sub"), join(folder.path, "renamed"));
    await until(() => followed.kinds().filter((kind) => kind === "moved").length === 25);
    await followed.stop();
    const patient = follow(folder.path, memory.target, { manyGoneMs: 200 });
    await rm(join(folder.path, "renamed"), { recursive: true });
    await until(() => memory.documents.size === 1);
    expect(memory.paths()).toEqual(["stays.txt"]);
    await patient.stop();
  });

  test("what is left out: bins, system, lock and partial files, films; what moves into a bin is gone; patterns add to it", async () => {
    const { memory, folder } = await start("junk");
    const junk = [
      "#recycle/a.md",
      "@eaDir/a.md@SynoResource/thumb.md",
      "$RECYCLE.BIN/b.md",
      "deep/lost+found/c.md",
      "~$report.docx",
      "notes.md~",
      "notes.md.swp",
      "#notes.md#",
      "report.pdf.part",
      "report.pdf.crdownload",
      "report.pdf.download",
      "notes.md.kate-swp",
      "notes.md.sb-1a2b3c4d-Xy12Zw",
      "report.pdf.!qB",
      "ledger.LCK",
      "x.TMP",
      "deep/Thumbs.db",
      "Desktop.ini",
      "movie.MKV",
      "drafts/d.md",
      "deep/old.bak",
    ];
    for (const path of junk) await folder.write(path, `junk ${path}`);
    await folder.write("contract.md", "a contract");
    await folder.write("deep/#1 notes.md", "no junk");
    await folder.write("kept.tmp", "taken back");
    const isLeftOut = createLeftOut(["/drafts", "*.bak", "!kept.tmp"]);
    const followed = follow(folder.path, memory.target, { isLeftOut });
    await until(() => memory.documents.size === 3);
    await wholePass(folder, memory);
    expect(memory.paths()).toEqual(["contract.md", "deep/#1 notes.md", "kept.tmp"]);
    await rename(join(folder.path, "contract.md"), join(folder.path, "#recycle/contract.md"));
    await until(() => memory.documents.size === 2);
    expect(followed.kinds()).toContain("removed");
  });

  test("a change of the same size and date is seen, while it runs and before the next start", async () => {
    const { memory, folder } = await start("same-looks");
    await folder.write("a.txt", "one");
    const at = new Date(Date.now() - 60_000);
    const change = async (text: string) => {
      await writeFile(join(folder.path, "a.txt"), text);
      await utimes(join(folder.path, "a.txt"), at, at);
    };
    await change("one");
    const followed = follow(folder.path, memory.target);
    await until(() => memory.byPath("a.txt") !== undefined);
    await change("two");
    await until(() => memory.byPath("a.txt")?.puts === 2);
    await followed.stop();
    // Times of files go on in steps of some milliseconds.
    await Bun.sleep(50);
    await change("six");
    await follow(folder.path, memory.target, { watch: false }).done;
    expect(memory.byPath("a.txt")).toMatchObject({ puts: 3, bytes: 3 });
  });

  test("a name that is not UTF-8 is told once", async () => {
    const { memory, folder } = await start("names");
    const name = Buffer.concat([Buffer.from(`${folder.path}/latin-`), Buffer.from([0xe9]), Buffer.from(".md")]);
    // Some systems allow no such names.
    if (
      await writeFile(name, "text").then(
        () => false,
        () => true,
      )
    )
      return;
    const followed = follow(folder.path, memory.target);
    await until(() => followed.events.length > 0);
    await wholePass(folder, memory);
    expect(followed.events.filter(({ kind }) => kind === "refused")).toEqual([
      { kind: "refused", path: "latin-\uFFFD.md", reason: expect.stringContaining("not UTF-8") },
    ]);
  });
});

/** Mounts a file system in memory. @returns what unmounts it; null where this user may not */
const mountAt = async (path: string): Promise<(() => void) | null> => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  await mkdir(path, { recursive: true });
  if (Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path]).exitCode !== 0) return null;
  return () => void Bun.spawnSync(["umount", path]);
};

/** Not allowed to other users, and in most containers. */
const canMount = await mountAt(join(top, "mount-probe")).then((unmount) => {
  unmount?.();
  return unmount !== null;
});

describe("a volume mounted inside a followed folder", () => {
  // Without the right to mount, the test below shows what is decided.
  test.skipIf(!canMount)("that goes away deletes nothing and is told; after a restart neither", async () => {
    const { memory, folder } = await start("nested");
    await folder.write("own.txt", "own");
    const nas = join(folder.path, "nas");
    const unmount = await mountAt(nas);
    if (unmount === null) return;
    try {
      await folder.write("nas/a.txt", "one");
      await folder.write("nas/b.txt", "two");
      const followed = follow(folder.path, memory.target);
      await until(() => memory.documents.size === 3);
      await rm(join(nas, "b.txt"));
      await until(() => memory.documents.size === 2); // while it is there, its files are followed
      unmount();
      await until(() => followed.kinds().includes("trouble"));
      await wholePass(folder, memory);
      expect(memory.paths()).toEqual(["nas/a.txt", "own.txt"]);
      await followed.stop();
      const again = follow(folder.path, memory.target);
      await until(() => again.kinds().includes("trouble"));
      await rm(nas, { recursive: true });
      await wholePass(folder, memory);
      expect(memory.paths()).toEqual(["nas/a.txt", "own.txt"]);
      expect(again.events).toContainEqual({ kind: "trouble", reason: expect.stringContaining('"nas"') });
      await again.stop();
    } finally {
      unmount();
    }
  });

  test("documents of it are kept where nothing, an empty or another volume is at its place", () => {
    const known = (path: string, volume: string): FolderDocument => ({
      ...{ id: path, path, volume, sha256: "", bytes: 1, modifiedAt: "", storedMs: 0, isMisplaced: false },
    });
    const seen = { bytes: 1, modifiedAt: "", changedMs: 0, inode: 1 };
    const scanOf = (volumes: [string, string][], files: [string, string][]): FolderScan => ({
      identity: "1:1:1",
      files: new Map(files.map(([path, volume]) => [path, { ...seen, volume }])),
      volumes: new Map(
        volumes.map(([path, identity]) => [
          path,
          { identity, files: files.filter(([, volume]) => volume === path).length },
        ]),
      ),
      unreadable: [],
      unnameable: [],
      isTruncated: false,
    });
    const outcome = (scan: FolderScan, knownVolume: string | null) => {
      const state = createFolderState();
      for (const document of [known("own.txt", ""), known("nas/a.txt", "nas")])
        state.documents.set(document.path, document);
      if (knownVolume !== null) state.volumes.set("nas", knownVolume);
      goneDocuments({ maxFiles: 10 }, state, scan);
      const { gone, troubles } = goneDocuments({ maxFiles: 10 }, state, scan);
      return [gone.map(({ path }) => path), troubles.length];
    };
    const root: [string, string] = ["", "1:1:1"];
    const own: [string, string] = ["own.txt", ""];
    expect(outcome(scanOf([root], [own]), "2:1:1")).toEqual([[], 1]);
    expect(outcome(scanOf([root, ["nas", "3:1:1"]], [own]), "2:1:1")).toEqual([[], 1]);
    expect(outcome(scanOf([root, ["nas", "3:1:1"]], [own]), null)).toEqual([[], 1]);
    expect(outcome(scanOf([root, ["nas", "3:1:1"]], [own, ["nas/other.txt", "nas"]]), "2:1:1")).toEqual([[], 1]);
    // The same volume, without the file.
    expect(outcome(scanOf([root, ["nas", "2:1:1"]], [own]), "2:1:1")).toEqual([["nas/a.txt"], 0]);
    // The volume is gone for good, and its files were copied to where it was.
    expect(outcome(scanOf([root], [own, ["nas/a.txt", ""]]), "2:1:1")).toEqual([[], 1]);
  });
});
