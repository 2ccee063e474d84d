/**
 * How fast backups are written, checked and restored, beside a plain copy of the same files:
 *
 *     bun bench/backup/speed.ts [megabytes] [FOLDER]
 *
 * FOLDER: where it works, on the disk to measure. Files of random bytes: half in large ones as tables have, half in small ones as documents.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import { takeBackup } from "../../src/backup/take-backup.ts";
import { openFolderTarget } from "../../src/backup/target/folder-target.ts";
import { findBackups, verifyBackups } from "../../src/backup/verify-backups.ts";
import type { FrozenFile } from "../../src/store/contract.ts";
import { temporaryFolder } from "../serving/program.ts";

const megabytes = Number(process.argv[2] ?? 512);
const largeBytes = 32_000_000;
const smallBytes = 50_000;
const rounds = 3;
const { signal } = new AbortController();
const folder = temporaryFolder();
const root = process.argv[3] ?? folder.path;
const source = join(root, "source");

const random = (bytes: number): Uint8Array => {
  const filled = new Uint8Array(bytes);
  for (let start = 0; start < bytes; start += 65_536) crypto.getRandomValues(filled.subarray(start, start + 65_536));
  return filled;
};

const files: FrozenFile[] = [];
const make = async (path: string, bytes: number): Promise<void> => {
  await Bun.write(join(source, path), random(bytes));
  files.push({ path, source: join(source, path), sha256: null, isNameUnique: true });
};
const half = (megabytes * 1_000_000) / 2;
for (let index = 0; index < half / largeBytes; index += 1) await make(`tables/t.lance/data/${index}.lance`, largeBytes);
for (let index = 0; index < half / smallBytes; index += 1) await make(`files/${index % 256}/f${index}`, smallBytes);
const bytes = files.reduce((sum, file) => sum + Bun.file(file.source).size, 0);

/** Writes caches out and, where it may, empties them: every step reads from the disk. */
const settle = async (): Promise<void> => {
  Bun.spawnSync(["sync"]);
  await Bun.write("/proc/sys/vm/drop_caches", "3").catch(() => undefined);
};
const measured = new Map<string, number[]>();
/** The longest time that the main thread served nothing else; during the copy, what the load of the machine does to it. */
const gapsMs = new Map<string, number>();
const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  await settle();
  let last = performance.now();
  const timer = setInterval(() => {
    gapsMs.set(what, Math.max(gapsMs.get(what) ?? 0, performance.now() - last));
    last = performance.now();
  }, 5);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  clearInterval(timer);
  measured.set(what, [...(measured.get(what) ?? []), bytes / 1_000_000 / seconds]);
};

try {
  for (let round = 0; round < rounds; round += 1) {
    const target = await openFolderTarget(join(root, "target"));
    const taken = (id: string) =>
      takeBackup({
        assertHeld: async () => undefined,
        id,
        createdAt: Date.now(),
        target,
        freeze: async () => ({ markedAt: Date.now(), documents: 0, files, release: async () => undefined }),
        store: "bench",
        version: "bench",
        onProgress: () => undefined,
        server: { host: "host", dataDir: "/data" },
        onOthers: () => undefined,
        onMissing: () => undefined,
        signal,
      });
    await measure("copy (cp -r and sync)", async () => {
      await Bun.spawn(["cp", "-r", source, join(root, "copy")]).exited;
      await Bun.spawn(["sync", "-f", root]).exited;
    });
    await rm(join(root, "copy"), { recursive: true });
    await measure("backup, first", () => taken(Bun.randomUUIDv7()));
    await measure("backup, again", () => taken(Bun.randomUUIDv7()));
    const found = await findBackups(target, null, signal);
    const [newest] = found;
    if (newest === undefined || typeof newest.manifest === "string") throw new Error("there is no backup");
    const { manifest } = newest;
    await measure("verify", () => verifyBackups(target, [newest], () => undefined, signal));
    const restored = join(root, "restored");
    await mkdir(restored);
    await measure("restore", () =>
      restoreBackup({ source: target, manifest, folder: restored, onWritten: () => undefined, signal }),
    );
    for (const name of ["restored", "target"]) await rm(join(root, name), { recursive: true });
  }
  process.stdout.write(`${files.length} files, ${Math.round(bytes / 1_000_000)} MB; MB/s of ${rounds} rounds\n`);
  for (const [what, rates] of measured)
    process.stdout.write(
      `${what.padEnd(24)}${rates.map((rate) => rate.toFixed(0).padStart(7)).join("")}   longest gap ${gapsMs.get(what)?.toFixed(0)} ms\n`,
    );
  process.stdout.write(`largest resident set: ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MB\n`);
} finally {
  await rm(source, { recursive: true, force: true });
  folder.remove();
}
