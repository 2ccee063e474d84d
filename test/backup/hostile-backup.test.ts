import { expect, test } from "bun:test";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  decodeFileList,
  decodeManifest,
  encodeFileList,
  encodeManifest,
  type ListedFile,
  type Manifest,
  manifestName,
  objectName,
  pieceBytes,
} from "../../src/backup/format/format.ts";
import { readFileList } from "../../src/backup/manifests.ts";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import { openFolderTarget } from "../../src/backup/target/folder-target.ts";
import { findBackups, verifyBackups } from "../../src/backup/verify-backups.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { sampleManifest } from "./sample-manifest.ts";

/** Backups that somebody made up: their checksums are right, what they say is not. */

const { signal } = new AbortController();
const folder = await temporaryFolder("hostile-backup");

const digestOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const damaged = "its manifest is damaged";

const manifestOf = (list: Uint8Array, more: Partial<Manifest> = {}): Manifest =>
  sampleManifest({
    documents: 1,
    files: 1,
    bytes: 5,
    newBytes: 5,
    list: { bytes: list.length, pieces: [digestOf(list)] },
    ...more,
  });

/** A target with one backup of these files, whose objects have the given contents. */
const targetOf = async (
  name: string,
  files: readonly ListedFile[],
  contents: readonly Uint8Array[],
  more: Partial<Manifest> = {},
) => {
  const at = join(folder, name);
  const list = await encodeFileList(files, signal);
  const put = async (object: string, bytes: Uint8Array): Promise<void> => {
    await mkdir(dirname(join(at, object)), { recursive: true });
    await writeFile(join(at, object), bytes);
  };
  for (const bytes of [list, ...contents]) await put(objectName(digestOf(bytes)), bytes);
  const manifest = manifestOf(list, more);
  await put(manifestName(manifest.id), encodeManifest(manifest));
  return { at, target: await openFolderTarget(at), manifest };
};

const hello = new TextEncoder().encode("hello");
const listed = (more: Partial<ListedFile> = {}): ListedFile => ({
  path: "secret",
  bytes: hello.length,
  pieces: [digestOf(hello)],
  ...more,
});

const verified = async ({ target }: Awaited<ReturnType<typeof targetOf>>) => {
  const [backup] = await verifyBackups(target, await findBackups(target, null, signal), () => {}, signal);
  return [backup?.status, backup?.damaged];
};
const restored = ({ target, manifest }: Awaited<ReturnType<typeof targetOf>>, to: string): Promise<unknown> =>
  restoreBackup({ source: target, manifest, folder: join(folder, to), onWritten: () => {}, signal }).then(
    () => "restored",
    (error: Error) => error.message,
  );

test("one that is made up and sound is restored", async () => {
  const sound = await targetOf("sound", [listed()], [hello]);
  expect(await verified(sound)).toEqual(["intact", []]);
  expect(await restored(sound, "sound-new")).toBe("restored");
  expect(await Bun.file(join(folder, "sound-new/secret")).text()).toBe("hello");
});

test("a manifest nested a hundred thousand deep is damaged, and those beside it are read", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const bytes = new TextEncoder().encode(`{"format":1,"store":${deep},"sha256":"${"a".repeat(64)}"}`);
  expect(decodeManifest(bytes)).toBe(damaged);
  const { at, target } = await targetOf("deep", [listed()], [hello]);
  await writeFile(join(at, manifestName("0197a1c2-9e40-7b52-8f13-6a0d2c4e8b18")), bytes);
  expect((await findBackups(target, null, signal)).map(({ manifest }) => typeof manifest)).toEqual([
    "object",
    "string",
  ]);
});

test("a list of one piece again and again, or of other pieces than its length has, is damaged", () => {
  const list = new TextEncoder().encode("list");
  const sha256 = digestOf(list);
  for (const [bytes, pieces] of [
    [10_000 * pieceBytes, new Array<string>(10_000).fill(sha256)],
    [2 * pieceBytes, [sha256, sha256]],
    [pieceBytes + 1, [sha256]],
    [1, []],
  ] as const)
    expect(decodeManifest(encodeManifest(manifestOf(list, { list: { bytes, pieces: [...pieces] } })))).toBe(damaged);
});

test("times that are none are damaged: they are shown in a terminal", () => {
  for (const markedAt of ["", "soon", "2026-01-31T03:00:00.412Z\u001b[2J", "2026 (\u001b[2J)"])
    expect(decodeManifest(encodeManifest(manifestOf(hello, { markedAt })))).toBe(damaged);
});

test("a list of files with fewer or more pieces than bytes, or with a path twice, is damaged", async () => {
  const [sha256 = ""] = listed().pieces;
  for (const files of [
    [listed({ pieces: [] })],
    [listed({ bytes: pieceBytes + 1 })],
    [listed({ bytes: 0 })],
    [listed({ bytes: pieceBytes, pieces: [sha256, sha256] })],
    [listed(), listed()],
  ])
    expect(typeof (await decodeFileList(await encodeFileList(files, signal), signal))).toBe("string");
});

test("one whose files are more, or longer, than the manifest says is not restored", async () => {
  const two = [listed(), listed({ path: "tables/a.lance/b" })];
  const other = "its list of files is not what its manifest says of it";
  for (const [name, files, more, reason] of [
    ["more-files", two, { files: 1, bytes: 10 }, other],
    ["longer", two, { files: 2, bytes: 5 }, other],
    [
      "shorter-list",
      [listed()],
      { list: { bytes: 1, pieces: manifestOf(await encodeFileList([listed()], signal)).list.pieces } },
      "its list of files is missing or damaged",
    ],
  ] as const) {
    const backup = await targetOf(name, files, [hello], more);
    expect(await readFileList(backup.target, backup.manifest, signal)).toBe(reason);
    expect(await verified(backup)).toEqual(["damaged", [reason]]);
    expect(await restored(backup, `${name}-new`)).toContain(reason);
    expect(await readdir(join(folder, `${name}-new`))).toEqual([]);
  }
});

test("a piece that files give two lengths is damaged in one of them", async () => {
  const two = [listed(), listed({ path: "tables/a.lance/b", bytes: 4 })];
  expect(await verified(await targetOf("lengths", two, [hello], { files: 2, bytes: 9 }))).toEqual([
    "damaged",
    ["tables/a.lance/b"],
  ]);
});

test("whatever is not of a store is refused by name, and nothing is written", async () => {
  const sha256 = digestOf(hello);
  const foreign = [
    "runtime/lancedb-0123456789abcdef.node",
    "carrel.yaml",
    "lock",
    "carrel.sock",
    "restored.json",
    "restoring/restore.json",
    "snapshots/a/snapshot.json",
    "quarantine/a",
    ".env",
    "Secret",
    "secret/a",
    "secret.",
    "/etc/cron.d/a",
    "tables/a.lance/../carrel.yaml",
    "tables/a.lance/./a",
    "tables/a.lance//a",
    "tables/a.lance/a\\..\\b",
    "tables/a.lance/a/",
    "tables/a.lance/a.",
    "tables/a.lance/a b",
    "tables/NUL.lance/a",
    "tables",
    "TABLES/a",
    "tables/x.node",
    "tables/documents.lance",
    "files/drafts/a",
    "files/00/../../secret",
    `files/${sha256.slice(0, 2)}/${sha256.toUpperCase()}`,
    `files/00/${sha256}`,
    `files/${sha256.slice(0, 2)}/${sha256}/a`,
    "tables/\u001b[2J\u202e",
    "",
  ];
  for (const [at, path] of foreign.entries()) {
    const backup = await targetOf(`foreign-${at}`, [listed(), listed({ path })], [hello], { files: 2, bytes: 10 });
    const named = JSON.stringify(path).replace("\u202e", "\\u202e");
    expect((await verified(backup))[1]).toEqual([expect.stringContaining(`it holds ${named}, which no backup`)]);
    expect(await restored(backup, `foreign-${at}-new`)).toContain(`it holds ${named}, which no backup`);
    expect(await readdir(join(folder, `foreign-${at}-new`))).toEqual([]);
  }
  for (const [name, paths, what] of [
    ["upper-case", ["tables/a.lance/b", "tables/a.lance/B"], "twice"],
    ["nested", ["tables/a.lance/a", "tables/a.lance/a/b"], "both as a file and as a folder"],
  ] as const) {
    const files = paths.map((path) => listed({ path }));
    const backup = await targetOf(name, files, [hello], { files: 2, bytes: 10 });
    expect(await restored(backup, `${name}-new`)).toContain(what);
  }
});

test("an uploaded file whose content is not what its name says is named, and left out", async () => {
  const long = new Uint8Array(pieceBytes + 5).fill(7);
  const pieces = [long.subarray(0, pieceBytes), long.subarray(pieceBytes)];
  const blob = (sha256: string): string => `files/${sha256.slice(0, 2)}/${sha256}`;
  const inPieces = { bytes: long.length, pieces: pieces.map(digestOf) };
  const [wrong, wrongLong] = [blob("ab".repeat(32)), blob("cd".repeat(32))];
  const files = [
    listed(),
    listed({ path: blob(digestOf(hello)) }),
    listed({ path: wrong }),
    listed({ path: blob(digestOf(long)), ...inPieces }),
    listed({ path: wrongLong, ...inPieces }),
  ];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const backup = await targetOf("renamed", files, [hello, ...pieces], { files: files.length, bytes });
  const [status, damaged] = await verified(backup);
  expect(status).toBe("damaged");
  expect([...(damaged ?? [])].sort()).toEqual(
    [wrong, wrongLong].map((path) => `${path} (its content is not what its name says)`),
  );
  const { target: source, manifest } = backup;
  const to = join(folder, "renamed-new");
  const left = await restoreBackup({ source, manifest, folder: to, onWritten: () => {}, signal });
  expect([...left].sort()).toEqual([wrong, wrongLong]);
  expect(await Bun.file(join(to, wrong)).exists()).toBe(false);
  expect(digestOf(await Bun.file(join(to, blob(digestOf(long)))).bytes())).toBe(digestOf(long));
});

test.skipIf(process.platform === "win32")(
  "an object or manifest that is a pipe, a device or longer than any object is damaged, and not waited for",
  async () => {
    const backup = await targetOf("pipe", [listed()], []);
    const object = join(backup.at, objectName(digestOf(hello)));
    await mkdir(dirname(object), { recursive: true });
    const long = join(folder, "long");
    await writeFile(long, new Uint8Array(pieceBytes + 1));
    for (const command of [
      ["mkfifo", object],
      ["ln", "-s", "/dev/zero", object],
      ["ln", "-s", long, object],
    ]) {
      expect(Bun.spawnSync(command).success).toBe(true);
      expect(await verified(backup)).toEqual(["damaged", ["secret"]]);
      expect(await restored(backup, "pipe-new")).toContain("secret is missing or different");
      await rm(object);
    }
    const manifest = join(backup.at, manifestName(backup.manifest.id));
    await rm(manifest);
    await writeFile(manifest, `{"a":"${"a".repeat(pieceBytes)}"}`);
    expect((await findBackups(backup.target, null, signal)).map((found) => found.manifest)).toEqual([damaged]);
  },
);
