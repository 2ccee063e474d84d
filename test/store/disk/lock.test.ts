import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { lockDataDir, takeExclusiveFile } from "../../../src/store/disk/lock.ts";
import { readOrCreateSecret } from "../../../src/store/recovery/secret.ts";
import { loadLibc } from "../../../src/system/libc.ts";
import { eventually } from "../../until.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ways = { "kernel lock": loadLibc(), "file lock": null };

for (const [way, libc] of Object.entries(ways)) {
  test(`${way}: of many starts at once one wins, and the others name it`, async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(folder, libc)));
    const won = attempts.filter((attempt) => attempt.status === "fulfilled");
    expect(won).toHaveLength(1);
    won[0]?.value.announce("http://127.0.0.1:7373");
    await eventually(async () => {
      const refused = await lockDataDir(folder, libc).catch((error: unknown) => String(error));
      expect(refused).toContain(`process ${process.pid} on ${hostname()}, started `);
      expect(refused).toContain("listening on http://127.0.0.1:7373");
    });
    await won[0]?.value.release(true);
    const next = await lockDataDir(folder, libc);
    expect(next.wasClean).toBe(true);
    await next.release(true);
  });

  test(`${way}: what a process left that died is taken over, and known to be unclean`, async () => {
    const child = Bun.spawnSync(["true"]);
    await writeFile(
      join(folder, "lock"),
      JSON.stringify({ pid: child.pid, host: "h", startedAt: "2024", address: null }),
    );
    await writeFile(join(folder, "lock.pid"), `${child.pid} token`);
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(folder, libc)));
    const won = attempts.filter((attempt) => attempt.status === "fulfilled");
    expect(won).toHaveLength(1);
    expect(won[0]?.value.wasClean).toBe(false);
    await won[0]?.value.release(false);
    const next = await lockDataDir(folder, libc);
    expect(next.wasClean).toBe(false);
    await next.release(true);
  });
}

test("an exclusive file of a running process is left alone", async () => {
  const path = join(folder, "held");
  await writeFile(path, `${process.ppid} token`);
  expect(await takeExclusiveFile(path)).toBeNull();
  expect(await readFile(path, "utf8")).toBe(`${process.ppid} token`);
});

test("the secret is created once, readable only by its owner", async () => {
  const first = await readOrCreateSecret(folder);
  expect(first).toHaveLength(32);
  expect(await readOrCreateSecret(folder)).toEqual(first);
  expect((await stat(join(folder, "secret"))).mode & 0o777).toBe(0o600);
  await writeFile(join(folder, "secret"), "short");
  await expect(readOrCreateSecret(folder)).rejects.toThrow("damaged");
});

test("after another or an unknown boot, power may have been lost; in the same boot it was not", async () => {
  const path = join(folder, "lock");
  const first = await lockDataDir(folder, loadLibc());
  expect(first.hasLostPower).toBe(false); // a new folder
  const held = await readFile(path, "utf8");
  await first.release(true);
  const lostAfter = async (left: string): Promise<boolean> => {
    await writeFile(path, left);
    const lock = await lockDataDir(folder, loadLibc());
    await lock.release(true);
    return lock.hasLostPower;
  };
  const holder = JSON.parse(held);
  expect(await lostAfter(JSON.stringify({ ...holder, boot: "an earlier one" }))).toBe(true);
  expect(await lostAfter(JSON.stringify({ ...holder, boot: null }))).toBe(true);
  expect(await lostAfter("torn")).toBe(true);
  expect(await lostAfter("")).toBe(false);
  if (process.platform === "linux") expect(await lostAfter(held)).toBe(false);
});
