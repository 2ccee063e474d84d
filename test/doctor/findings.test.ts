import { expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type NewestBackup, newestBackup } from "../../src/backup/journal.ts";
import { backupCheck, backupFindings } from "../../src/doctor/checks/backup.ts";
import type { DoctorContext } from "../../src/doctor/checks/finding.ts";
import { watchFindings } from "../../src/doctor/checks/folders.ts";
import {
  availableIn,
  clockFinding,
  diskSpaceFinding,
  fileSystemFindings,
  memoryFinding,
  processorFinding,
} from "../../src/doctor/checks/machine.ts";
import { modelFindings } from "../../src/doctor/checks/models.ts";
import { type Mount, mountOf, mountsIn } from "../../src/system/paths.ts";
import { testConfig } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const table = `22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw,errors=remount-ro
30 22 0:26 / /tmp rw,nosuid,noexec - tmpfs tmpfs rw,size=65536k
31 22 0:40 / /srv/my\\040data rw - nfs4 server:/export rw,vers=4.2
32 22 0:41 / /srv rw - xfs /dev/sdb ro`;

test("the file system of a path is the deepest mount above it", () => {
  const mounts = mountsIn(table);
  const typeAt = (path: string) => mountOf(mounts, path)?.type;
  expect(["/home/a", "/tmp", "/tmp/x/y", "/tmpfiles", "/srv/my data/d", "/srv/my"].map(typeAt)).toEqual([
    "ext4",
    "tmpfs",
    "tmpfs",
    "ext4",
    "nfs4",
    "xfs",
  ]);
  expect(mountsIn("nonsense\n")).toEqual([]);
});

const mount = (type: string, ...options: string[]): Mount => ({ point: "/data", type, options: new Set(options) });
const statuses = (data: Mount | null, runtime: Mount | null = data) =>
  fileSystemFindings({ dataDir: "/data" }, data, runtime).map(({ status }) => status);

test("file systems that do not suit", () => {
  expect(statuses(mount("ext4", "rw"))).toEqual(["ok"]);
  expect(statuses(null)).toEqual(["ok"]);
  expect(statuses(mount("ext4", "ro"))).toEqual(["failed"]);
  expect(statuses(mount("ext4", "rw", "noexec"))).toEqual(["failed"]);
  // From source nothing is unpacked and run.
  expect(statuses(mount("ext4", "rw", "noexec"), null)).toEqual(["ok"]);
  for (const type of ["nfs", "nfs4", "cifs", "fuse.sshfs", "9p", "tmpfs", "overlay"])
    expect([type, ...statuses(mount(type, "rw"))]).toEqual([type, "warning"]);
  expect(statuses(mount("nfs4", "ro", "noexec"))).toEqual(["failed", "failed", "warning"]);
});

test("processor, memory and disk", () => {
  const flags = (list: string) => `processor: 0\nflags\t\t: fpu ${list}\n`;
  expect(processorFinding("linux", "x64", flags("sse4_2 avx avx2"))).toMatchObject({ status: "ok", fix: null });
  const old = processorFinding("linux", "x64", flags("sse4_2 avx"));
  expect([old.status, old.fix]).toEqual(["failed", expect.stringContaining("host")]);
  expect(processorFinding("darwin", "arm64", "").status).toBe("ok");

  expect(availableIn("MemTotal: 9 kB\nMemAvailable:    2048 kB\n")).toBe(2048 * 1024);
  expect(availableIn("")).toBeNull();
  const memory = (limit: number, available: number | null) => memoryFinding(limit, available).status;
  expect([memory(256e6, null), memory(600e6, null), memory(4e9, 100e6), memory(4e9, 3e9)]).toEqual([
    "failed",
    "warning",
    "warning",
    "ok",
  ]);

  const disk = (free: number, total: number) => diskSpaceFinding("/data", free, total).status;
  // A small disk may be empty: it is not called full.
  expect(diskSpaceFinding("/data", 943e6, 943e6).detail).toStartWith(
    "There is little space: 943 MB of 943 MB are left",
  );
  // A first start unpacks native parts, and then needs what every write needs.
  const unpacking = diskSpaceFinding("/data", 200e6, 1e12, 170e6);
  expect([unpacking.status, unpacking.detail]).toEqual(["failed", expect.stringContaining("170 MB")]);
  expect(diskSpaceFinding("/data", 250e6, 1e9, 170e6).status).toBe("warning");
  expect([disk(1e6, 1e9), disk(500e6, 2e9), disk(20e9, 1e12), disk(500e9, 1e12)]).toEqual([
    "failed",
    "warning",
    "warning",
    "ok",
  ]);
});

test("clock and backup", () => {
  const now = Date.UTC(2027, 1, 3);
  expect(clockFinding(0, null).status).toBe("failed");
  expect(clockFinding(now, null).status).toBe("ok");
  expect(clockFinding(now, now + 30_000).status).toBe("ok");
  expect(clockFinding(now, now - 90_000)).toMatchObject({ status: "warning", detail: expect.stringContaining("90 s") });

  const told = (markedAt: number | null, error: string | null = null, every: string | null = null) =>
    backupFindings(
      {
        completed: markedAt === null ? null : { id: "x", markedAt, bytes: 1, target: "/b" },
        lastAttempt: { status: error === null ? "completed" : "failed", finishedAt: now - 60_000, error },
      },
      { path: "/b", every },
      now,
    ).map(({ status, detail }) => [status, detail.slice(0, 30)]);
  const dayMs = 86_400_000;
  expect(told(null)).toEqual([["warning", "There is no backup."]]);
  expect(told(now - 3_600_000)).toMatchObject([["ok", expect.any(String)]]);
  expect(told(now - 5 * dayMs)).toEqual([["warning", "The newest backup is 5 days ol"]]);
  expect(told(now - 5 * dayMs, null, "7d")).toMatchObject([["ok", expect.any(String)]]);
  expect(told(now - 3_600_000, "no space.")).toEqual([["failed", "The last backup failed at 2027"]]);
  expect(told(now - 5 * dayMs, "no space.").map(([status]) => status)).toEqual(["failed", "warning"]);
  expect(told(null, "the server stopped during the backup")).toEqual([["warning", "The last backup failed at 2027"]]);
});

test("a model's problem is a finding and its fix", () => {
  const report = {
    use: "answer",
    provider: "ollama",
    model: "writer",
    address: "http://127.0.0.1:11434",
    offered: [],
    found: false,
    contextTokens: 4096,
    dimensions: null,
    problems: [] as string[],
    warnings: ["a context of 4096 tokens is small: raise models.answer.contextTokens"],
  } as const;
  expect(modelFindings({ ...report, offered: [], problems: [], warnings: [...report.warnings] })).toEqual([
    {
      status: "ok",
      detail: "models.answer: writer of ollama at http://127.0.0.1:11434 answers, with a context of 4096 tokens.",
      fix: null,
    },
    {
      status: "warning",
      detail: "models.answer: a context of 4096 tokens is small.",
      fix: "Raise models.answer.contextTokens.",
    },
  ]);
  const missing = "model `writer` is not on http://127.0.0.1:11434: run `ollama pull writer` or correct it";
  expect(modelFindings({ ...report, offered: [], problems: [missing], warnings: [] })).toEqual([
    {
      status: "failed",
      detail: "models.answer: model `writer` is not on http://127.0.0.1:11434.",
      fix: "Run `ollama pull writer` or correct it.",
    },
  ]);
});

test("a list of backups that this user may not read is no bug, and none is there where the data folder is a file", async () => {
  const folder = await temporaryFolder("findings");
  const context = (read: () => Promise<NewestBackup>): DoctorContext => ({
    config: testConfig(folder),
    env: {},
    embedded: null,
    signal: new AbortController().signal,
    newestBackup: read,
  });
  // Also as root, who may read all.
  const refused = async () => Promise.reject(Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" }));
  expect(await backupCheck.run(context(refused))).toEqual([
    { status: "warning", detail: expect.stringContaining("EACCES"), fix: expect.stringContaining("the user that") },
  ]);
  await writeFile(join(folder, "file"), "");
  expect(await backupCheck.run(context(() => newestBackup(join(folder, "file"))))).toMatchObject([
    { status: "warning", detail: "There is no backup." },
  ]);
  await rm(folder, { recursive: true });
});

test("more folders than this user may watch are told, with a limit that is enough", () => {
  expect([watchFindings(10, 10), watchFindings(10, null)]).toEqual([[], []]);
  expect(watchFindings(9_000, 8_192)).toMatchObject([
    { status: "warning", fix: "Run: sysctl fs.inotify.max_user_watches=32768" },
  ]);
});
