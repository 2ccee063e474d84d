import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKey } from "../../src/access/key.ts";
import { formOf } from "../call-server.ts";
import { bucket, s3Error, startFakeS3 } from "../fake-s3.ts";
import { serve } from "../serve.ts";
import { until } from "../until.ts";
import { type Client, ConnectionLost, createClient } from "./client.ts";
import { type FaultyS3, startBeforeGateway } from "./gateway-s3.ts";

/**
 * Three processes on one store in a bucket: killed, stopped and resumed, cut off from the bucket. The bucket is in memory, or
 * of a real server: `S3_GATEWAY` is its address, `S3_FOLDER` the folder whose files are its objects, `S3_KEY` and `S3_SECRET`
 * those of its user.
 */

const servers = 3;
const writersEach = 2;
/** Documents of each fault. */
const wanted = 100;
/** Writes pause no longer than that when the process that writes is gone; a busy machine takes longer. */
const maxPauseMs = 15_000;

interface Process {
  folder: string;
  port: number;
  child: Bun.Subprocess;
  client: Client;
}

const { S3_GATEWAY, S3_FOLDER, S3_KEY = "id", S3_SECRET = "secret" } = process.env;

const s3: FaultyS3 =
  S3_GATEWAY === undefined || S3_FOLDER === undefined
    ? startFakeS3()
    : await startBeforeGateway({ url: S3_GATEWAY, folder: S3_FOLDER });
let root: string;
const key = generateKey();
const processes: Process[] = [];

const startOne = async (folder: string, port: number): Promise<Process> => {
  const env = {
    PATH: process.env.PATH ?? "",
    CARREL_DATA_DIR: folder,
    CARREL_SERVER_PORT: String(port),
    CARREL_ADMIN_KEY: key,
    CARREL_LOG_LEVEL: "error",
    CARREL_MODELS_EMBEDDING_MODEL: "static",
    CARREL_STORE_URI: `s3://${bucket}/store`,
    CARREL_STORE_S3_ENDPOINT: s3.url,
    CARREL_STORE_S3_ACCESS_KEY_ID: S3_KEY,
    CARREL_STORE_S3_SECRET_ACCESS_KEY: S3_SECRET,
    CARREL_STORE_S3_TIMEOUT_MS: "5000",
  };
  const main = join(import.meta.dir, "../../src/main.ts");
  const child = Bun.spawn([process.execPath, main, "serve"], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${url}/health/ready`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return { folder, port, child, client: createClient(url, key) };
};

const freePort = async (): Promise<number> => {
  const server = serve(() => new Response());
  const { port = 0 } = server;
  await server.stop();
  return port;
};

/** The newest head: names count down. */
const head = (): { keeper: { address: string } | null; unpublished: string[] } => {
  const [newest = ""] = [...s3.objects.keys()].filter((name) => name.includes("/heads/")).sort();
  return JSON.parse(new TextDecoder().decode(s3.objects.get(newest)?.bytes));
};

const writer = (): Process => {
  const found = processes.find(({ port }) => head().keeper?.address === `http://127.0.0.1:${port}`);
  if (found === undefined) throw new Error("nobody writes");
  return found;
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "carrel-shared-faults-"));
  for (let at = 0; at < servers; at += 1) processes.push(await startOne(join(root, String(at)), await freePort()));
}, 120_000);

afterAll(async () => {
  for (const { child } of processes) child.kill("SIGKILL");
  await Promise.all(processes.map(({ child }) => child.exited));
  await rm(root, { recursive: true, force: true });
});

/**
 * Writes and asks at all processes while something happens.
 * @returns the longest time in which nothing was acknowledged, and the failed questions of processes that were not touched
 */
const underLoad = async (
  name: string,
  happen: () => Promise<Process | null>,
): Promise<{ pauseMs: number; failedReads: number }> => {
  const acknowledged = new Map<string, string>();
  let lastAt = performance.now();
  let pauseMs = 0;
  let isOver = false;
  let touched: Process | null = null;
  const failedReads = new Map<Process, number>();
  const write = async (at: Process, lane: number): Promise<void> => {
    for (let turn = 0; !isOver || acknowledged.size < wanted; turn += 1) {
      const document = `${name}-${at.port}-${lane}-${turn}`;
      const body = { name: document, text: `The keeper of ${document} has a lamp.` };
      try {
        const { status, body: made } = await at.client.call("POST", "/api/ingest", body);
        if (status === 200) {
          acknowledged.set(document, made.id);
          pauseMs = Math.max(pauseMs, performance.now() - lastAt);
          lastAt = performance.now();
          continue;
        }
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
      }
      if (isOver && at.child.exitCode !== null) return;
      await Bun.sleep(100);
    }
  };
  const read = async (at: Process): Promise<void> => {
    while (!isOver) {
      const asked = at.client.call("POST", "/api/search", { query: "keeper lamp" }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (!(await asked)) failedReads.set(at, (failedReads.get(at) ?? 0) + 1);
      await Bun.sleep(50);
    }
  };
  const lanes = processes.flatMap((at) => Array.from({ length: writersEach }, (_, lane) => write(at, lane)));
  const readers = processes.map(read);
  await Bun.sleep(2_000);
  touched = await happen();
  await Bun.sleep(2_000);
  isOver = true;
  await Promise.all([...lanes, ...readers]);

  for (const { client } of processes) {
    const found = new Map<string, string[]>();
    const list = async (): Promise<boolean> => {
      found.clear();
      for (let skip = 0; ; skip += 100) {
        const page = (await client.expect("GET", `/api/document?limit=100&skip=${skip}`)) as {
          id: string;
          name: string;
        }[];
        for (const { id, name: of } of page) found.set(of, [...(found.get(of) ?? []), id]);
        if (page.length < 100) break;
      }
      return [...acknowledged.keys()].every((document) => found.has(document));
    };
    await until(list, "every acknowledged document at each process");
    for (const [document, id] of acknowledged) expect([document, found.get(document)]).toEqual([document, [id]]);
  }
  const others = [...failedReads].filter(([at]) => at !== touched);
  return { pauseMs, failedReads: others.reduce((sum, [, count]) => sum + count, 0) };
};

test("the process that writes is killed, and comes back", async () => {
  const { pauseMs, failedReads } = await underLoad("killed", async () => {
    const victim = writer();
    victim.child.kill("SIGKILL");
    await victim.child.exited;
    await until(() => head().keeper !== null && head().keeper?.address !== `http://127.0.0.1:${victim.port}`);
    Object.assign(victim, await startOne(victim.folder, victim.port));
    return victim;
  });
  process.stdout.write(`killed: writes paused ${Math.round(pauseMs)} ms (${maxPauseMs} on a quiet machine)\n`);
  expect(failedReads).toBe(0);
}, 300_000);

test("the process that writes is stopped for 20 s, and goes on", async () => {
  const { pauseMs, failedReads } = await underLoad("stopped", async () => {
    const victim = writer();
    victim.child.kill("SIGSTOP");
    await Bun.sleep(20_000);
    victim.child.kill("SIGCONT");
    await until(async () => (await victim.client.call("GET", "/health/ready")).status === 200);
    return victim;
  });
  process.stdout.write(`stopped: writes paused ${Math.round(pauseMs)} ms (${maxPauseMs} on a quiet machine)\n`);
  expect(failedReads).toBe(0);
}, 300_000);

test("the bucket answers 503, nothing at all, and slowly", async () => {
  const { failedReads } = await underLoad("cut off", async () => {
    s3.intervene = () => s3Error(503, "SlowDown");
    await Bun.sleep(6_000);
    s3.intervene = () => new Promise(() => undefined);
    await Bun.sleep(6_000);
    s3.intervene = async () => {
      await Bun.sleep(300);
      return null;
    };
    await Bun.sleep(6_000);
    s3.intervene = () => null;
    return null;
  });
  expect(failedReads).toBe(0);
}, 300_000);

test("what is deleted leaves the bucket and every copy within two minutes", async () => {
  const { client } = writer();
  const secret = "quincunx-9931";
  const form = formOf({ file: new File([`The word is ${secret}. `.repeat(50)], "secret.txt") });
  const { body } = await client.call("POST", "/api/ingest", form);
  const places = async (): Promise<string[]> => {
    const inBucket = [...s3.objects]
      .filter(([, { bytes }]) => Buffer.from(bytes).includes(secret))
      .map(([name]) => name);
    const onDisk: string[] = [];
    for (const { folder } of processes)
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || entry.parentPath.includes("/runtime")) continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = await Bun.file(path)
          .bytes()
          .catch(() => new Uint8Array());
        if (Buffer.from(bytes).includes(secret)) onDisk.push(path);
      }
    return [...inBucket, ...onDisk];
  };
  await until(async () => (await places()).length >= 2 * processes.length, "it is in the bucket and in each copy");
  await client.expect("DELETE", `/api/document/${body.id}`);
  let left: string[] = [];
  const isGone = async (): Promise<boolean> => {
    left = await places();
    return left.length === 0;
  };
  await until(isGone, "it is nowhere").catch(() => undefined);
  expect(left).toEqual([]);
}, 300_000);
