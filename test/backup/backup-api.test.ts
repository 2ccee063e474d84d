import { expect, setSystemTime, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { Secret } from "../../config/secret.ts";
import { newestBackup } from "../../src/backup/journal.ts";
import { formOf } from "../call-server.ts";
import { bucket, s3Error, startFakeS3 } from "../fake-s3.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { backUp, ended, filesBelow, type ShownBackup, temporaryTarget } from "./temporary-backups.ts";

const place = await temporaryTarget();
const server = await startTestServer({ backup: { path: place.target, keep: 3 } });

const ingest = (name: string, text: string) => server.ask("POST", "/api/ingest", { json: { name, text } });
const objects = () => filesBelow(join(place.target, "objects"));

test("a backup is a job: 202 at once, then it is listed as complete", async () => {
  await ingest("Herons", "Grey herons nest in tall trees near the lake.");
  const begun = await server.ask("POST", "/api/backup", { json: {} });
  expect([begun.status, begun.body]).toEqual([
    202,
    {
      id: expect.any(String),
      createdAt: expect.any(String),
      markedAt: null,
      finishedAt: null,
      status: expect.stringMatching(/^(pending|running)$/),
      bytes: 0,
      newBytes: 0,
      documents: null,
      target: place.target,
      error: null,
    },
  ]);
  const done = await ended(server, begun.body.id);
  expect(done).toMatchObject({ status: "completed", documents: 1, error: null });
  expect(done.newBytes).toBeGreaterThan(0);
  expect(done.newBytes).toBeLessThanOrEqual(done.bytes + 4_096 * 10); // the list of files is written too
  expect(Date.parse(done.markedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(done.createdAt));
  expect((await newestBackup(server.dataDir)).completed).toMatchObject({ id: done.id, target: place.target });
});

test("without a body it is the same, and what is in the target already is not written again", async () => {
  const first = await backUp(server);
  const begun = await server.ask("POST", "/api/backup");
  expect(begun.status).toBe(202);
  let second = await ended(server, begun.body.id);
  expect(second.documents).toBe(first.documents);
  // Upkeep may just have rewritten the small tables: soon it has nothing to do.
  for (let tries = 0; tries < 10 && second.newBytes >= second.bytes / 2; tries += 1) second = await backUp(server);
  expect(second.newBytes).toBeLessThan(second.bytes / 2);
});

test("two that are asked for while one runs are one", async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => server.ask("POST", "/api/backup", { json: {} })));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  const ids = new Set(answers.map(({ body }) => body.id));
  expect(ids.size).toBeLessThanOrEqual(2);
  for (const id of ids) expect((await ended(server, id)).status).toBe("completed");
});

test("only the newest are kept, with the objects that they name", async () => {
  for (let index = 0; index < 5; index += 1) {
    await ingest(`Bird ${index}`, `Bird number ${index} eats berries.`);
    await backUp(server);
  }
  const list = await server.ask("GET", "/api/backup?limit=100");
  expect(list.headers.get("x-total-count")).toBe("3");
  expect(list.body.map(({ status }: ShownBackup) => status)).toEqual(["completed", "completed", "completed"]);
  const ids = list.body.map(({ id }: ShownBackup) => id);
  expect((await filesBelow(join(place.target, "backups"))).map((path) => path.slice(-41, -5)).sort()).toEqual(
    ids.toSorted(),
  );
  const paged = await server.ask("GET", "/api/backup?limit=1&skip=1&sortOrder=asc");
  expect(paged.body.map(({ id }: ShownBackup) => id)).toEqual([ids[1]]);
  const verified = await place.carrel(["backup", place.target, "--verify", "--json"]);
  expect(verified.status).toBe(0);
  expect(await filesBelow(join(place.target, "claims"))).toEqual([]);
  // A file that a killed backup left, and an object that nothing names, go with the next backup.
  await writeFile(`${(await objects())[0]}.x.part`, "half");
  const stray = join(place.target, "objects/ab", `ab${"0".repeat(62)}`);
  await Bun.write(stray, "stray");
  await backUp(server);
  expect((await objects()).filter((path) => path.endsWith(".part") || path === stray)).toEqual([]);
});

test("what is deleted while the store is kept still leaves the disk", async () => {
  const file = formOf({ file: new File(["The kingfisher dives for fish."], "kingfisher.txt") });
  const { id } = (await server.ask("POST", "/api/ingest", { body: file })).body;
  const frozen = await server.program.deps.store.freeze();
  const blob = frozen.files.find(({ sha256 }) => sha256 !== null);
  await server.ask("DELETE", `/api/document/${id}`);
  expect(await readFile(blob?.source ?? "", "utf8")).toContain("kingfisher");
  await frozen.release();
  expect(await Bun.file(blob?.source ?? "").exists()).toBe(false);
  expect(await filesBelow(join(server.dataDir, "frozen"))).toEqual([]);
});

test("no key chooses the target", async () => {
  const chosen = await server.ask("POST", "/api/backup", { json: { target: join(place.folder, "elsewhere") } });
  expect([chosen.status, chosen.body.code]).toEqual([403, "role_forbidden"]);
  expect(await filesBelow(join(place.folder, "elsewhere"))).toEqual([]);
});

test("without a target it is refused, and the command names one", async () => {
  const other = await startTestServer();
  const refused = await other.ask("POST", "/api/backup", { json: {} });
  expect([refused.status, refused.body.code]).toEqual([409, "backup_refused"]);
  expect(refused.body.detail).toContain("backup.path");
  const env = { CARREL_DATA_DIR: other.dataDir };
  const made = await place.carrel(["backup", "named", "--json"], "unused", env);
  expect([made.status, JSON.parse(made.out)]).toEqual([
    0,
    expect.objectContaining({ status: "completed", target: join(place.folder, "named") }),
  ]);
  const bad = await place.carrel(["backup", "ftp://x"], "unused", env);
  expect([bad.status, bad.err]).toEqual([2, expect.stringContaining("s3://bucket/prefix")]);
});

test("a failure is listed, logged, and holds no secret; the next backup is made all the same", async () => {
  const s3 = startFakeS3();
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const secretAccessKey = "NobodyMayReadThis";
  const bucketServer = await startTestServer(
    {
      backup: {
        path: `s3://${bucket}/carrel`,
        s3: {
          endpoint: s3.url,
          region: "us-east-1",
          accessKeyId: new Secret("AKIDHIDDEN"),
          secretAccessKey: new Secret(secretAccessKey),
          timeoutMs: 5_000,
        },
      },
    },
    { log },
  );
  await bucketServer.ask("POST", "/api/ingest", { json: { name: "N", text: "Terns fly far." } });
  s3.intervene = ({ method }) => (method === "PUT" ? s3Error(403, "SignatureDoesNotMatch") : null);
  const failed = await backUp(bucketServer);
  expect(failed).toMatchObject({ status: "failed", error: expect.stringContaining("secretAccessKey is wrong") });
  expect(lines.some((line) => line.includes("a backup failed") && line.includes("secretAccessKey is wrong"))).toBe(
    true,
  );
  expect((await newestBackup(bucketServer.dataDir)).lastAttempt).toMatchObject({ status: "failed" });
  s3.intervene = () => null;
  expect(await backUp(bucketServer)).toMatchObject({ status: "completed", documents: 1 });
  const told = lines.join("") + JSON.stringify((await bucketServer.ask("GET", "/api/backup")).body);
  for (const hidden of [secretAccessKey, "AKIDHIDDEN", "X-Amz-Signature"]) expect(told).not.toContain(hidden);
  // An object that the bucket did not keep as it was written is noticed.
  await bucketServer.ask("POST", "/api/ingest", { json: { name: "M", text: "Skuas rob terns." } });
  s3.intervene = async (request) => {
    if (request.method !== "PUT" || !request.url.includes("/objects/")) return null;
    const key = decodeURIComponent(new URL(request.url).pathname.split("/").slice(2).join("/"));
    s3.objects.set(key, { bytes: new TextEncoder().encode("rotten"), modifiedAt: new Date() });
    return new Response();
  };
  expect(await backUp(bucketServer)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("does not keep"),
  });
});

test("a stop ends the backup that runs, and the list says so", async () => {
  const s3 = startFakeS3();
  const dataDir = join(place.folder, "stopped-data");
  const access = {
    endpoint: s3.url,
    region: "us-east-1",
    accessKeyId: new Secret("a"),
    secretAccessKey: new Secret("b"),
    timeoutMs: 300_000,
  };
  const stopped = await startTestServer({ backup: { path: `s3://${bucket}/s`, s3: access } }, {}, dataDir);
  const hangs = Promise.withResolvers<void>();
  s3.intervene = async ({ method, url }) => {
    if (method !== "PUT" || !url.includes("/objects/")) return null;
    hangs.resolve();
    await Bun.sleep(300_000);
    return new Response();
  };
  const { id } = (await stopped.ask("POST", "/api/backup", { json: {} })).body;
  await hangs.promise;
  expect((await stopped.ask("GET", "/api/backup")).body[0]).toMatchObject({ id, status: "running" });
  // Documents go on being ingested and deleted while the bucket hangs.
  const { id: documentId } = (await stopped.ask("POST", "/api/ingest", { json: { name: "D", text: "Ducks dabble." } }))
    .body;
  expect((await stopped.ask("DELETE", `/api/document/${documentId}`)).status).toBe(200);
  await stopped.stop();
  expect((await newestBackup(dataDir)).lastAttempt).toMatchObject({
    status: "failed",
    error: "the server stopped during the backup",
  });
  expect(await filesBelow(join(dataDir, "frozen"))).toEqual([]);
});

test("backups are made on schedule, also after a restart, and a killed one is listed as failed", async () => {
  const target = join(place.folder, "scheduled");
  const dataDir = join(place.folder, "scheduled-data");
  const schedule = { backup: { path: target, every: "300ms", keep: 2 } };
  const first = await startTestServer(schedule, {}, dataDir);
  const list = async (from: TestServer) => (await from.ask("GET", "/api/backup?limit=100")).body as ShownBackup[];
  const untilNewer = async (from: TestServer, than: string | undefined): Promise<ShownBackup> => {
    for (;;) {
      const found = (await list(from)).find(({ status }) => status === "completed");
      if (found !== undefined && found.id !== than) return found;
      await Bun.sleep(20);
    }
  };
  const one = await untilNewer(first, undefined);
  const two = await untilNewer(first, one.id);
  await first.stop();
  const path = join(dataDir, "backups.json");
  const journal = JSON.parse(await readFile(path, "utf8"));
  const killed = { ...journal.backups[0], id: Bun.randomUUIDv7(), status: "running", finishedAt: null };
  await writeFile(path, JSON.stringify({ backups: [killed, ...journal.backups] }));
  const second = await startTestServer(schedule, { adminKey: first.key }, dataDir);
  expect((await list(second)).find(({ id }) => id === killed.id)).toMatchObject({
    status: "failed",
    error: "the server stopped during the backup",
  });
  await untilNewer(second, two.id);
  await second.stop();
});

test("a new backup stays although the clock was ahead when the others were made", async () => {
  const target = join(place.folder, "ahead");
  const one = await startTestServer({ backup: { path: target, keep: 1 } });
  try {
    for (const aheadMs of [400 * 86_400_000, 3 * 3_600_000]) {
      setSystemTime(new Date(Date.now() + aheadMs));
      await backUp(one);
      setSystemTime();
      const made = await backUp(one);
      expect(await filesBelow(join(target, "backups"))).toEqual([join(target, "backups", `${made.id}.json`)]);
    }
  } finally {
    setSystemTime();
    await one.stop();
  }
});
