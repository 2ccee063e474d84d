import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmod, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultConfig } from "../../config/load.ts";
import { Secret } from "../../config/secret.ts";
import { openTarget, targetName } from "../../src/backup/target/open-target.ts";
import { BackupFailure, type BackupTarget, maxObjectBytes } from "../../src/backup/target/target.ts";
import { bucket, s3Error, startFakeS3 } from "../fake-s3.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { signal } = new AbortController();
const bytesOf = (text: string) => new TextEncoder().encode(text);
const secretAccessKey = "S3cretOfTheBucket";
const access = (change: object = {}) => ({
  ...defaultConfig().backup,
  s3: {
    ...defaultConfig().backup.s3,
    endpoint: s3.url,
    accessKeyId: new Secret("AKIDOFTHEBUCKET"),
    secretAccessKey: new Secret(secretAccessKey),
    ...change,
  },
});
const folder = await temporaryFolder("targets");
const s3 = startFakeS3();
beforeEach(() => {
  s3.intervene = () => null;
});

const namesIn = async (target: BackupTarget, below: string): Promise<string[]> => {
  const names: string[] = [];
  for await (const { name } of target.list(below, signal)) names.push(name);
  return names.sort();
};
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing failed",
    (error: unknown) => {
      expect(error).toBeInstanceOf(BackupFailure);
      return (error as Error).message;
    },
  );

describe.each(["a folder", "a bucket", "a bucket with a prefix"])("%s", (kind) => {
  let target: BackupTarget;
  beforeAll(async () => {
    const name =
      kind === "a folder" ? join(folder, "deep/target") : kind === "a bucket" ? `s3://${bucket}` : `s3://${bucket}/a/b`;
    target = await openTarget(targetName(name, "/"), access(), "/data");
  });

  test("what is written is read and listed, and gone once removed", async () => {
    expect(await namesIn(target, "objects")).toEqual([]);
    expect(await target.read("objects/aa/one", signal)).toBeNull();
    await target.write("objects/aa/one", bytesOf("one"), signal);
    await target.write("objects/bb/two", bytesOf("two!"), signal);
    await target.write("objects/bb/two", bytesOf("two"), signal);
    await target.write("backups/x.json", bytesOf("{}"), signal);
    await target.write("objects/bb/empty", new Uint8Array(), signal);
    await target.flush();
    expect(await namesIn(target, "objects")).toEqual(["objects/aa/one", "objects/bb/empty", "objects/bb/two"]);
    expect(new TextDecoder().decode((await target.read("objects/bb/two", signal)) ?? undefined)).toBe("two");
    for await (const { name, bytes, modifiedAt } of target.list("objects/aa", signal)) {
      expect([name, bytes]).toEqual(["objects/aa/one", 3]);
      expect(Math.abs(modifiedAt - Date.now())).toBeLessThan(60_000);
    }
    await target.remove("objects/aa/one", signal);
    await target.remove("objects/aa/one", signal);
    expect(await namesIn(target, "objects")).toEqual(["objects/bb/empty", "objects/bb/two"]);
  });

  test("a list of many is whole", async () => {
    for (let index = 0; index < 45; index += 1) await target.write(`many/${index}`, bytesOf("x"), signal);
    expect(await namesIn(target, "many")).toHaveLength(45);
  });

  test("an aborted call ends with the signal's reason", async () => {
    const reason = new Error("enough");
    const stop = AbortSignal.abort(reason);
    for (const work of [
      target.write("objects/aa/one", bytesOf("one"), stop),
      target.read("objects/aa/one", stop),
      target.remove("objects/aa/one", stop),
    ])
      expect(await work.catch((error: unknown) => error)).toBe(reason);
    expect(
      await target
        .list("objects", stop)
        [Symbol.asyncIterator]()
        .next()
        .catch((error: unknown) => error),
    ).toBe(reason);
  });
});

describe("a folder", () => {
  test("leaves no draft behind, and says what is wrong with it", async () => {
    const target = await openTarget(join(folder, "one"), access(), null);
    await target.write("objects/aa/one", bytesOf("one"), signal);
    expect(await readdir(join(folder, "one/objects/aa"))).toEqual(["one"]);
    await writeFile(join(folder, "file"), "");
    const file = await openTarget(join(folder, "file"), access(), null);
    expect(await failureOf(file.write("objects/aa/one", bytesOf("one"), signal))).toContain("is not a folder");
  });

  test.skipIf(process.getuid?.() === 0)("that may not be written says so", async () => {
    await chmod(folder, 0o500);
    const target = await openTarget(join(folder, "forbidden"), access(), null);
    const message = await failureOf(target.write("a", bytesOf("a"), signal));
    await chmod(folder, 0o700);
    expect(message).toContain("may not use it");
  });

  test.each(["/data", "/data/backups", "/data/../data/x"])("%s in the data directory is refused", async (path) => {
    expect(await failureOf(openTarget(targetName(path, "/"), access(), "/data"))).toContain(
      "inside the data directory",
    );
  });

  test.each(["/data-2", "/", "/backups"])("%s beside the data directory is none in it", async (path) => {
    await openTarget(targetName(path, "/"), access(), "/data");
  });
});

describe("a bucket", () => {
  const open = (change: object = {}) => openTarget(`s3://${bucket}/p`, access(change), null);

  test("needs keys", async () => {
    expect(await failureOf(open({ accessKeyId: null }))).toContain("backup.s3.accessKeyId");
  });

  test.each([
    "s3://UPPER/x",
    "s3://a",
    "s3://bucket/../x",
    "s3://key:secret@bucket/x",
    "ftp://bucket",
    "s3://bucket/?x",
  ])("%s is no address", (address) => {
    expect(() => targetName(address, "/")).toThrow(BackupFailure);
  });

  test.each([
    [403, "SignatureDoesNotMatch", "backup.s3.secretAccessKey is wrong"],
    [403, "InvalidAccessKeyId", "backup.s3.accessKeyId is unknown there"],
    [403, "AccessDenied", "the keys do not allow it"],
    [404, "NoSuchBucket", "there is no such bucket"],
    [404, "XAdminUserNotFound", "backup.s3.accessKeyId is unknown there"],
    [404, "Strange", "it answered 404 Strange"],
    [400, "AuthorizationQueryParametersError", "backup.s3.region is not the region of the bucket"],
    [301, "PermanentRedirect", "backup.s3.region is not the region of the bucket"],
    [400, "Strange", "it answered 400 Strange"],
  ])("an answer %p %p is told, without a secret, and not asked for again", async (status, code, words) => {
    s3.intervene = () => s3Error(status, code);
    const target = await open();
    for (const work of [
      () => target.write("objects/a", bytesOf("a"), signal),
      () => target.read("objects/a", signal),
      () => target.remove("objects/a", signal),
    ]) {
      s3.requests.length = 0;
      const message = await failureOf(work());
      expect(message).toBe(`s3://${bucket}/p cannot be used: ${words}.`);
      expect(s3.requests).toHaveLength(1);
    }
  });

  test("a server that is none of S3's is not called a bucket that is missing", async () => {
    s3.intervene = () => new Response("Not found", { status: 404 });
    const target = await open();
    for (const work of [() => target.write("objects/a", bytesOf("a"), signal), () => namesIn(target, "objects")]) {
      s3.requests.length = 0;
      expect(await failureOf(work())).toBe(
        `s3://${bucket}/p cannot be used: it answered 404; check the bucket and backup.s3.endpoint.`,
      );
      expect(s3.requests).toHaveLength(1);
    }
  });

  test("what fails for a moment is done all the same", async () => {
    const target = await open();
    const left = new Map<string, number>();
    s3.intervene = ({ method }) => {
      const count = left.get(method) ?? 2;
      left.set(method, count - 1);
      return count > 0 ? s3Error(503, "SlowDown") : null;
    };
    await target.write("objects/a", bytesOf("a"), signal);
    expect(await target.read("objects/a", signal)).toEqual(bytesOf("a"));
    left.clear();
    expect(await namesIn(target, "objects")).toEqual(["objects/a"]);
  });

  test("that does not answer fails within its time limit, and at once where nobody waits any more", async () => {
    s3.intervene = async () => {
      await Bun.sleep(30_000);
      return new Response();
    };
    const target = await open({ timeoutMs: 50 });
    const messages = [target.read("objects/a", signal), namesIn(target, "objects")].map(failureOf);
    for (const message of await Promise.all(messages)) expect(message).toContain("did not answer within 50 ms");
    const patient = await open();
    const stop = new AbortController();
    const reading = patient.read("objects/a", stop.signal).catch((error: unknown) => error);
    const listing = patient.list("objects", stop.signal)[Symbol.asyncIterator]().next();
    const listed = listing.catch((error: unknown) => error);
    await Bun.sleep(20);
    stop.abort(new Error("stopped"));
    expect(String(await reading)).toContain("stopped");
    expect(String(await listed)).toContain("stopped");
  });

  test("that cannot be reached says so, without the address of the call", async () => {
    const target = await open({ endpoint: "http://127.0.0.1:9" });
    const messages = [target.read("objects/a", signal), namesIn(target, "objects")].map(failureOf);
    for (const message of await Promise.all(messages))
      expect(message).toBe(`s3://${bucket}/p cannot be used: it cannot be reached.`);
  });
});

/** A body without end. `sent` tells how much of it was taken. */
const endlessBody = (sent: { bytes: number }): ReadableStream<Uint8Array> => {
  const piece = new Uint8Array(256 * 1024);
  return new ReadableStream({
    pull(controller) {
      sent.bytes += piece.length;
      controller.enqueue(piece);
    },
  });
};

test.each([
  [200, maxObjectBytes],
  [403, 64 * 1024],
])("of what a bucket answers without end, with a %i, only a part is received", async (status, most) => {
  const target = await openTarget(targetName(`s3://${bucket}`, "/"), access(), "/data");
  const sent = { bytes: 0 };
  s3.intervene = () => new Response(endlessBody(sent), { status });
  const reading = target.read("objects/aa/one", signal);
  if (status === 200) expect(await reading).toEqual(new Uint8Array());
  else expect(await failureOf(reading)).toBe("s3://vault cannot be used: it answered 403.");
  expect(sent.bytes).toBeGreaterThan(0);
  expect(sent.bytes).toBeLessThan(most + 32 * 1024 * 1024); // what the two ends keep on the way
});
