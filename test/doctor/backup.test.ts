import { afterAll, expect, setSystemTime, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../src/doctor/checks/finding.ts";
import { backUp, filesBelow, temporaryTarget } from "../backup/temporary-backups.ts";
import { s3Error, startFakeS3 } from "../fake-s3.ts";
import { startTestServer } from "../start-server.ts";

const place = await temporaryTarget();
const s3 = startFakeS3();
afterAll(async () => {
  setSystemTime();
});

const found = async (dataDir: string, env: Record<string, string>): Promise<Omit<Finding, "check">[]> => {
  const { out } = await place.carrel(["doctor", "--json"], dataDir, { CARREL_SERVER_PORT: "0", ...env });
  const all = JSON.parse(out) as Finding[];
  return all.filter(({ check }) => check === "backup").map(({ check: _, ...finding }) => finding);
};

test("a backup that failed is told with why, and the target that fails too", async () => {
  const blocked = join(place.folder, "a-file", "backups");
  await writeFile(join(place.folder, "a-file"), "");
  const server = await startTestServer({ backup: { path: blocked } }, {}, join(place.folder, "failing"));
  await backUp(server);
  await server.stop();
  const why = `The folder ${blocked} cannot be used: it, or a part of its path, is not a folder`;
  expect(await found("failing", { CARREL_BACKUP_PATH: blocked })).toEqual([
    {
      status: "failed",
      detail: expect.stringMatching(new RegExp(`^The last backup failed at \\d{4}-.*Z: ${why}\\.$`)),
      fix: expect.stringContaining("carrel backup"),
    },
    { status: "failed", detail: `Nothing can be backed up to ${blocked} now: ${why}.`, fix: expect.any(String) },
  ]);
});

test("a target that works is tried and left as it was; without a backup it says what makes one", async () => {
  const target = join(place.folder, "new", "target");
  const [none, ...others] = await found("unused", { CARREL_BACKUP_PATH: target, CARREL_BACKUP_EVERY: "24h" });
  expect([none?.status, none?.detail, others]).toEqual(["warning", "There is no backup.", []]);
  expect(none?.fix).not.toContain("Set backup");
  expect(await readdir(place.folder)).not.toContain("new");
  await mkdir(join(place.folder, "empty"));
  await found("unused", { CARREL_BACKUP_PATH: join(place.folder, "empty") });
  expect(await readdir(join(place.folder, "empty"))).toEqual([]);
});

test("a bucket that is down is told although an older backup is good, and leaves nothing behind when it works", async () => {
  const env = {
    CARREL_BACKUP_PATH: "s3://vault/carrel",
    CARREL_BACKUP_S3_ENDPOINT: s3.url,
    CARREL_BACKUP_S3_ACCESS_KEY_ID: "id",
    CARREL_BACKUP_S3_SECRET_ACCESS_KEY: "secret",
  };
  const dataDir = "bucket";
  expect((await place.carrel(["backup"], dataDir, env)).status).toBe(0);
  const objects = [...s3.objects.keys()].sort();
  expect(await found(dataDir, env)).toMatchObject([{ status: "ok", detail: expect.stringContaining("newest backup") }]);
  expect([...s3.objects.keys()].sort()).toEqual(objects);
  s3.intervene = ({ method }) => (method === "PUT" ? s3Error(403, "AccessDenied") : null);
  expect(await found(dataDir, env)).toMatchObject([
    { status: "ok" },
    { status: "failed", detail: expect.stringContaining("s3://vault/carrel cannot be used: the keys do not allow it") },
  ]);
  s3.intervene = () => null;
});

test("the backups of another server in the same target are told of, in the log too", async () => {
  const shared = join(place.folder, "shared");
  const env = { CARREL_BACKUP_PATH: shared };
  for (const dataDir of ["one", "two"]) expect((await place.carrel(["backup"], dataDir, env)).status).toBe(0);
  expect((await filesBelow(join(shared, "backups"))).length).toBe(2);
  expect((await found("one", env)).at(-1)).toMatchObject({
    status: "warning",
    detail: `Other servers keep backups in ${shared} too: ${hostname()}:${join(place.folder, "two")}.`,
  });
});

test("a backup that a wrong clock dated does not stand for a new one", async () => {
  const target = join(place.folder, "dated");
  setSystemTime(new Date(Date.now() + 1_500 * 86_400_000));
  expect((await place.carrel(["backup", target], "dated-data")).status).toBe(0);
  setSystemTime();
  expect(await found("dated-data", {})).toMatchObject([{ status: "warning", detail: "There is no backup." }]);
});
