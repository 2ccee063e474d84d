import { describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { defaultConfig } from "../../config/load.ts";
import { type Manifest, objectName } from "../../src/backup/format/format.ts";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import { openTarget } from "../../src/backup/target/open-target.ts";
import { findBackups, verifyBackups } from "../../src/backup/verify-backups.ts";
import { bucket, startFakeS3 } from "../fake-s3.ts";
import { startTestServer } from "../start-server.ts";
import { filesBelow, flipByte, temporaryTarget } from "./temporary-backups.ts";

const place = await temporaryTarget();
const s3 = startFakeS3();
await writeFile(join(place.folder, "pumps.md"), "# Pumps\n\nThe primary pump is serviced every 400 hours.\n");
// Its text is short: what is tested is its size.
const comment = "The archive holds five million bytes of this line.\n".repeat(100_000);
await writeFile(join(place.folder, "large.html"), `<p>The archive is large.</p><!-- ${comment} -->`);
expect((await place.carrel(["ingest", "pumps.md"], "data")).status).toBe(0);

const s3Env = () => ({
  CARREL_BACKUP_S3_ENDPOINT: s3.url,
  CARREL_BACKUP_S3_ACCESS_KEY_ID: "id",
  CARREL_BACKUP_S3_SECRET_ACCESS_KEY: "secret",
});

describe.each(["a folder", "a bucket"])("from %s", (kind) => {
  const target = () => (kind === "a folder" ? place.target : `s3://${bucket}/carrel`);
  const carrel = (...argv: string[]) => place.carrel(argv, "data", s3Env());
  const to = (name: string): string => join(place.folder, `${kind.replace(" ", "-")}-${name}`);

  test("a restored store is the store, and answers", async () => {
    const made = await carrel("backup", target());
    expect([made.status, made.out]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}: 1 documents, .* in .*\n$/)]);
    const restored = await carrel("restore", target(), "--to", to("new"), "--json");
    expect([restored.status, JSON.parse(restored.out)]).toEqual([
      0,
      expect.objectContaining({ documents: 1, to: to("new"), bytes: expect.any(Number) }),
    ]);
    expect(await filesBelow(join(to("new"), "restoring"))).toEqual([]);
    expect((await stat(join(to("new"), "secret"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(to("new"), "secret"))).toEqual(await readFile(join(place.folder, "data/secret")));
    const server = await startTestServer({}, {}, to("new"));
    const answer = await server.ask("POST", "/api/query", {
      json: { query: "How often is the primary pump serviced?" },
    });
    expect(answer.body.answer).toContain("400 hours");
    const [{ id }] = (await server.ask("GET", "/api/document")).body;
    expect((await server.ask("GET", `/api/document/${id}/file`)).text).toContain("# Pumps");
    // It goes on being the same store: its backups follow those of the first.
    await server.stop();
    const next = await place.carrel(["backup", target(), "--json"], to("new").slice(place.folder.length + 1), s3Env());
    expect([next.status, next.err]).toEqual([0, ""]);
    expect(JSON.parse(next.out).newBytes).toBeLessThan(JSON.parse(next.out).bytes);
  });

  test("the backups are listed, and one of them is chosen by the beginning of its id", async () => {
    const listed = JSON.parse((await carrel("restore", target(), "--list", "--json")).out);
    expect(listed).toHaveLength(2);
    expect(listed[0].markedAt > listed[1].markedAt).toBe(true);
    expect((await carrel("restore", target(), "--list")).out).toContain(listed[1].id);
    const older = await carrel("restore", target(), "--backup", listed[1].id, "--to", to("older"), "--json");
    expect(JSON.parse(older.out).id).toBe(listed[1].id);
    const unknown = await carrel("restore", target(), "--backup", "0197a1c2-9e40", "--to", to("none"));
    expect([unknown.status, unknown.err]).toEqual([1, expect.stringContaining("holds no backup 0197a1c2-9e40")]);
  });
});

test("the backups of two servers are told apart, and none is restored by guessing", async () => {
  const shared = join(place.folder, "shared");
  for (const dataDir of ["data", "other"]) {
    expect((await place.carrel(["ingest", "large.html"], dataDir)).status).toBe(0);
    expect((await place.carrel(["backup", shared], dataDir)).status).toBe(0);
  }
  const list = await place.carrel(["restore", shared, "--list"]);
  const named = JSON.parse((await place.carrel(["restore", shared, "--list", "--json"])).out);
  expect(named.map(({ server }: { server: { host: string; dataDir: string } }) => server)).toEqual(
    ["other", "data"].map((dataDir) => ({ host: hostname(), dataDir: join(place.folder, dataDir) })),
  );
  for (const { server } of named) expect(list.out).toContain(`${server.host}:${server.dataDir}`);
  const guessed = await place.carrel(["restore", shared, "--to", "guessed"]);
  expect([guessed.status, guessed.err]).toEqual([1, expect.stringContaining("holds backups of 2 servers")]);
  for (const { id, server } of named) expect(guessed.err).toContain(`${server.host}:${server.dataDir}: ${id}`);
  const chosen = await place.carrel(["restore", shared, "--backup", named[1].id, "--to", "chosen", "--json"]);
  expect(JSON.parse(chosen.out).id).toBe(named[1].id);
});

/** The backups of one server alone; the restored one made some among the others. */
const kept = (): string => join(place.folder, "kept");

test("a file of several pieces is restored whole", async () => {
  expect((await place.carrel(["ingest", "large.html"], "data")).status).toBe(0);
  expect((await place.carrel(["backup", kept()], "data")).status).toBe(0);
  expect((await place.carrel(["restore", kept(), "--to", "large"], "data")).status).toBe(0);
  const sizes = await Promise.all(
    (await filesBelow(join(place.folder, "large/files"))).map((path) => Bun.file(path).text()),
  );
  expect(sizes).toContain(await Bun.file(join(place.folder, "large.html")).text());
  // Its pieces are known by now: they are not written again, whatever upkeep made of the tables meanwhile.
  const again = JSON.parse((await place.carrel(["backup", kept(), "--json"], "data")).out);
  expect(again.newBytes).toBeLessThan(again.bytes - 5_000_000);
});

test("a folder that is not empty is refused and stays as it is; what an interrupted restore left is not in the way", async () => {
  const full = join(place.folder, "full");
  await mkdir(full);
  await writeFile(join(full, "mine.txt"), "mine");
  const refused = await place.carrel(["restore", kept(), "--to", "full"]);
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining("is not empty")]);
  expect(await filesBelow(full)).toEqual([join(full, "mine.txt")]);
  const interrupted = join(place.folder, "interrupted");
  await Bun.write(join(interrupted, "restoring/tables/half"), "half");
  expect((await place.carrel(["restore", kept(), "--to", "interrupted"])).status).toBe(0);
  expect(await Bun.file(join(interrupted, "restoring/tables/half")).exists()).toBe(false);
});

test("of two restores into one folder at once one succeeds, and the other is refused", async () => {
  for (let round = 0; round < 3; round += 1) {
    const name = `twice-${round}`;
    const both = await Promise.all([1, 2].map(() => place.carrel(["restore", kept(), "--to", name])));
    const [done, refused] = both.toSorted((one, other) => one.status - other.status);
    expect([done?.status, refused?.status, refused?.err]).toEqual([
      0,
      1,
      expect.stringMatching(/is being restored to|is not empty/),
    ]);
    expect((await readdir(join(place.folder, name))).toSorted()).toEqual([
      "files",
      "lock",
      "restored.json",
      "secret",
      "tables",
    ]);
    expect(await readFile(join(place.folder, name, "lock"), "utf8")).toBe("restored from a backup");
  }
});

test("wrong usage, and a place without backups, are said", async () => {
  expect((await place.carrel(["restore", kept()])).status).toBe(2);
  const nothing = await place.carrel(["restore", "nowhere", "--to", "x"]);
  expect([nothing.status, nothing.err]).toEqual([1, expect.stringContaining("holds no backup")]);
  const unnamed = await place.carrel(["restore", "--to", "x"]);
  expect([unnamed.status, unnamed.err]).toEqual([1, expect.stringContaining("backup.path")]);
});

test("a restore that is stopped leaves nothing behind", async () => {
  const { run } = await import("../commands/run.ts");
  const stop = new AbortController();
  stop.abort("SIGINT");
  const stopped = await run(["restore", kept(), "--to", join(place.folder, "stopped")], { stop: stop.signal });
  expect(stopped.status).toBe(130);
  expect(await filesBelow(join(place.folder, "stopped"))).toEqual([]);
});

describe("damage", () => {
  const verify = (...more: string[]) => place.carrel(["backup", kept(), "--verify", ...more, "--json"], "data");
  const damageAndMend = async (path: string, harm: () => Promise<void>, work: () => Promise<void>): Promise<void> => {
    const sound = await readFile(path);
    await harm();
    await work();
    await rm(path, { force: true });
    await writeFile(path, sound);
    expect((await verify()).status).toBe(0);
  };

  test("a flipped byte is found in every file of the target", async () => {
    expect((await verify()).status).toBe(0);
    const paths = [...(await filesBelow(join(kept(), "objects"))), ...(await filesBelow(join(kept(), "backups")))];
    expect(paths.length).toBeGreaterThan(20);
    // All of them at once, and the smallest, the largest and a manifest alone.
    const sizes = new Map(await Promise.all(paths.map(async (path) => [path, (await stat(path)).size] as const)));
    const sorted = paths.toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0));
    for (const path of [sorted[0], sorted.at(-1), paths.at(-1)] as string[]) {
      await damageAndMend(
        path,
        () => flipByte(path),
        async () => {
          const { status, out, err } = await verify();
          expect([path, status, err]).toEqual([path, 1, expect.stringMatching(/\d of \d backups are damaged/)]);
          const damaged = (JSON.parse(out) as { damaged: string[] }[]).flatMap((each) => each.damaged);
          expect(damaged.length).toBeGreaterThan(0);
          // By this name it is deleted, so that the next backup writes it again.
          const objects = (JSON.parse(out) as { objects: string[] }[]).flatMap((each) => each.objects);
          const object = path.slice(kept().length + 1);
          expect([...new Set(objects)]).toEqual(object.startsWith("objects/") ? [object] : []);
        },
      );
    }
  });

  test("an object that is cut off or missing is found, and nothing is restored from it", async () => {
    const [path = ""] = (await filesBelow(join(kept(), "objects"))).filter((each) => Bun.file(each).size > 4_000_000);
    for (const harm of [() => truncate(path, 100), () => rm(path)])
      await damageAndMend(path, harm, async () => {
        expect((await verify()).status).toBe(1);
        const restored = await place.carrel(["restore", kept(), "--to", "broken"]);
        expect([restored.status, restored.err]).toEqual([1, expect.stringContaining("is damaged")]);
        expect(await filesBelow(join(place.folder, "broken"))).toEqual([]);
      });
  });

  test("an object that was cut off is written again by the next backup", async () => {
    const [path = ""] = (await filesBelow(join(kept(), "objects"))).filter((each) => Bun.file(each).size > 4_000_000);
    await truncate(path, 100);
    expect((await place.carrel(["backup", kept()], "data")).status).toBe(0);
    expect((await verify()).status).toBe(0);
  });

  test("a backup that retention removes while it is read or restored is not called damaged", async () => {
    const paths = await filesBelow(join(kept(), "backups"));
    const [manifest = ""] = paths;
    const sound = await readFile(manifest);
    const read = JSON.parse(sound.toString()) as Manifest;
    const object = join(kept(), objectName(read.list.pieces[0] ?? ""));
    const piece = await readFile(object);
    await rm(object);
    const target = await openTarget(kept(), defaultConfig().backup, null);
    const { signal } = new AbortController();
    const found = await findBackups(target, null, signal);
    await rm(manifest);
    const verified = await verifyBackups(target, found, () => undefined, signal);
    expect(verified).toHaveLength(paths.length - 1);
    const folder = join(place.folder, "removed-meanwhile");
    await expect(
      restoreBackup({ source: target, manifest: read, folder, onWritten: () => undefined, signal }),
    ).rejects.toThrow(`The backup ${read.id} was removed while it was restored`);
    expect(await filesBelow(folder)).toEqual([]);
    await writeFile(object, piece);
    await writeFile(manifest, sound);
    expect((await verify()).status).toBe(0);
  });

  test("a beginning that several backups share is told from one that none has", async () => {
    const paths = await filesBelow(join(kept(), "backups"));
    const id = basename(paths[0] ?? "", ".json");
    const twin = join(kept(), "backups", `${id.slice(0, 30)}ffffff.json`);
    await writeFile(twin, "{}");
    for (const argv of [
      ["backup", kept(), "--verify", id.slice(0, 8)],
      ["restore", kept(), "--backup", id.slice(0, 8), "--to", "ambiguous"],
    ]) {
      const { status, err } = await place.carrel(argv);
      expect([status, err]).toEqual([1, expect.stringMatching(/\d backups of .* begin with .*: write more of the id/)]);
    }
    await rm(twin);
    const { status, err } = await place.carrel(["backup", kept(), "--verify", "01234567"]);
    expect([status, err]).toEqual([1, expect.stringContaining("holds no backup 01234567")]);
  });

  test("while a backup cannot be read, no object is removed", async () => {
    const [manifest = ""] = await filesBelow(join(kept(), "backups"));
    await damageAndMend(
      manifest,
      () => flipByte(manifest),
      async () => {
        const made = await place.carrel(["backup", kept()], "data", { CARREL_BACKUP_KEEP: "1" });
        expect(made.status).toBe(0);
      },
    );
  });
});

test("a folder inside the data directory, among the backups or below a file is no place for a restore", async () => {
  const below = await place.carrel(["restore", kept(), "--to", "pumps.md/new"], "data");
  expect([below.status, below.err]).toEqual([
    1,
    expect.stringMatching(/pumps\.md\/new: it, or .* is not a folder\.\n$/),
  ]);
  const file = await place.carrel(["restore", kept(), "--to", "pumps.md"], "data");
  expect([file.status, file.err]).toEqual([
    1,
    expect.stringMatching(/pumps\.md: a file of that name is in its place\.\n$/),
  ]);
  const among = await place.carrel(["restore", kept(), "--to", "kept/new"], "data");
  expect([among.status, among.err]).toEqual([1, expect.stringContaining("is inside the folder of the backups,")]);
  await symlink(join(place.folder, "data"), join(place.folder, "link"));
  for (const to of ["data/new", "link/new"]) {
    const within = await place.carrel(["restore", kept(), "--to", to], "data");
    expect([within.status, within.err]).toEqual([1, expect.stringContaining("is inside the data directory")]);
  }
  const linked = await place.carrel(["backup", "link/backups"], "data");
  expect([linked.status, linked.err]).toEqual([1, expect.stringContaining("is inside the data directory")]);
  expect(await filesBelow(join(place.folder, "data/backups"))).toEqual([]);
});

test("the data directory itself is a place for a restore once it is empty, and what to type is quoted", async () => {
  const restored = await place.carrel(["restore", kept(), "--to", "the firm's data"], "the firm's data");
  const quoted = `CARREL_DATA_DIR='${join(place.folder, "the firm")}'\\''s data' carrel serve`;
  expect([restored.status, restored.err]).toEqual([0, expect.stringContaining(quoted)]);
});

test("an empty argument does not stand for the working directory", async () => {
  for (const argv of [
    ["backup", ""],
    ["backup", "", "--verify"],
    ["restore", "", "--list"],
    ["restore", kept(), "--to", ""],
    ["export", ""],
    ["import", ""],
  ]) {
    const { status, err } = await place.carrel(argv, "data");
    expect([argv, status, err]).toEqual([argv, 2, expect.stringContaining("is empty")]);
  }
  expect((await place.carrel(["backup", "s3:bucket"], "data")).status).toBe(2);
});

test("a folder after --verify is checked: the option is easily written first", async () => {
  const checked = await place.carrel(["backup", "--verify", kept()], "data");
  expect([checked.status, checked.out]).toEqual([0, expect.stringContaining("  intact  ")]);
});
