/**
 * Backups of a server that is written to, half of them cut off by SIGKILL; the newest complete one is restored, and must
 * hold what was acknowledged before its mark:
 *
 *     bun bench/backup/restore-under-load.ts [BINARY|-] [rounds] [seed] [TARGET]
 *
 * TARGET: `s3://bucket/prefix` with CARREL_BACKUP_S3_… in the environment; else a folder. A round: four clients ingest
 * texts and files, replace and delete; a backup is asked for; in every second round the server is killed during it. Then
 * `carrel backup --verify` and `carrel restore`, a server on the restored folder, and the comparison. Exit status 1 if
 * anything is missing.
 */

import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "../../src/evaluation/estimates.ts";
import { type KillableServer, startKillable } from "../serving/killable-server.ts";
import { commandOf, temporaryFolder } from "../serving/program.ts";
import { compareRestored } from "./compare-restored.ts";
import { createLedger } from "./ledger.ts";

const [binary = "-", roundsText = "20", seedText = String(Date.now() % 100_000), chosen] = process.argv.slice(2);
const [rounds, seed] = [Number(roundsText), Number(seedText)];
const command = commandOf(binary);
const key = `crl_${"k".repeat(43)}`;
const folder = temporaryFolder();
const target = chosen ?? join(folder.path, "target");
const s3 = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("CARREL_BACKUP_S3_")));
const settings = {
  ...(s3 as Record<string, string>),
  CARREL_ADMIN_KEY: key,
  CARREL_MODELS_EMBEDDING_MODEL: "static",
  CARREL_BACKUP_PATH: target,
  CARREL_BACKUP_KEEP: "5",
};

const random = createRandom(seed);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A command of the program. @returns its JSON @throws with what it said if it failed */
const carrel = async <T>(...argv: string[]): Promise<T> => {
  const child = Bun.spawn([...command, ...argv, "--json"], {
    cwd: folder.path,
    env: { ...settings, PATH: "", HOME: folder.path, TMPDIR: process.env.TMPDIR ?? "/tmp" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`carrel ${argv.join(" ")}: ${err}${out}`);
  return JSON.parse(out) as T;
};

interface Shown {
  id: string;
  status: string;
  error: string | null;
}

const ask = async <T>(url: string, method: string, path: string): Promise<T> => {
  const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
};

/** Waits until a backup has ended. */
const untilEnded = async (url: string, id: string): Promise<void> => {
  for (;;) {
    const found = (await ask<Shown[]>(url, "GET", "/api/backup?limit=100")).find((backup) => backup.id === id);
    if (found?.status === "failed") throw new Error(`the backup failed: ${found.error}`);
    if (found?.status === "completed") return;
    await Bun.sleep(20);
  }
};

const ledger = createLedger(key, random);
const figures = {
  rounds,
  killed: 0,
  killedComplete: 0,
  documents: 0,
  due: 0,
  searched: 0,
  missing: 0,
  backupMs: [] as number[],
};
/** The kill falls within the time that the last backup took. */
let lastMs = 500;

const round = async (number: number): Promise<void> => {
  const isKilled = number % 2 === 0;
  const server: KillableServer = startKillable(command, folder.path, settings);
  const url = await server.url;
  if (url === null) throw new Error("the server did not start");
  const load = ledger.write(url, 4);
  await Bun.sleep(500 + random() * 1_500);
  const startedAt = performance.now();
  const { id } = await ask<Shown>(url, "POST", "/api/backup");
  if (isKilled) await Bun.sleep(random() * lastMs);
  else {
    await untilEnded(url, id);
    lastMs = performance.now() - startedAt;
    figures.backupMs.push(lastMs);
  }
  // In rounds without a kill the server is killed after the backup: the data directory itself must stand it as well.
  await server.kill();
  await load.stop();
  const [newest] = await carrel<{ id: string; markedAt: string }[]>("restore", target, "--list");
  if (newest === undefined) throw new Error("there is no backup");
  if (isKilled) figures.killed += 1;
  if (isKilled && newest.id === id) figures.killedComplete += 1;
  await carrel("backup", target, "--verify", newest.id);
  const restored = join(folder.path, "restored");
  mkdirSync(restored, { recursive: true });
  await carrel("restore", target, "--backup", newest.id, "--to", join(restored, "data"));
  const again = startKillable(command, restored, settings);
  const restoredUrl = await again.url;
  if (restoredUrl === null) throw new Error("no server starts on what was restored");
  const mark = Date.parse(newest.markedAt);
  const result = await compareRestored(restoredUrl, key, ledger.due(mark), random);
  await again.stop();
  await rm(restored, { recursive: true, force: true });
  figures.documents = ledger.size();
  figures.due += result.due;
  figures.searched += result.searched;
  figures.missing += result.missing.length;
  say(
    `round ${number}: ${isKilled ? (newest.id === id ? "killed when complete" : "killed") : "whole"}, ${result.due} due, ${result.searched} searched, ${result.missing.length} missing`,
  );
  for (const missing of result.missing.slice(0, 5)) say(`  ${missing}`);
};

say(`seed ${seed}, target ${chosen ?? "a folder"}`);
try {
  // Every second round is killed, but the first: there would be nothing to restore.
  for (let number = 1; number <= rounds; number += 1) await round(number);
} finally {
  folder.remove();
}
say(JSON.stringify({ ...figures, backupMs: figures.backupMs.map(Math.round) }));
process.exit(figures.missing === 0 ? 0 : 1);
