import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { generateKey } from "../../src/access/key.ts";
import { callServer } from "../call-server.ts";
import { bucket, startFakeS3 } from "../fake-s3.ts";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";

const folder = await temporaryFolder("hung-target");

/** What a bucket still answers, and how many calls it has taken when it hangs. */
const cases = [
  ["hangs from the first call on", () => false, 1],
  ["takes the claim and hangs", ({ method }: Request) => method === "PUT", 2],
  ["hangs with the first piece", ({ url }: Request) => !url.includes("/objects/"), 4],
] as const;

test.each(cases)("a server whose bucket %s stops by itself", async (_, answers, calls) => {
  const s3 = startFakeS3();
  let hasHung = false;
  let asked = 0;
  s3.intervene = async (request) => {
    asked += 1;
    if (!hasHung && answers(request)) return null;
    hasHung = true; // from now on it answers nothing
    return await new Promise<Response>(() => undefined);
  };
  const dataDir = join(folder, `data-${calls}`);
  const port = await freePort();
  const key = generateKey();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/main.ts"), "serve"], {
    cwd: folder,
    env: {
      ...process.env,
      CARREL_DATA_DIR: dataDir,
      CARREL_SERVER_PORT: String(port),
      CARREL_ADMIN_KEY: key,
      CARREL_MODELS_EMBEDDING_MODEL: "static",
      // So long that a slow machine does not come near it: the stop must not need the forced end.
      CARREL_SERVER_DRAIN_TIMEOUT_MS: "60000",
      CARREL_LOG_FORMAT: "json",
      CARREL_BACKUP_PATH: `s3://${bucket}/carrel`,
      CARREL_BACKUP_S3_ENDPOINT: s3.url,
      CARREL_BACKUP_S3_ACCESS_KEY_ID: "id",
      CARREL_BACKUP_S3_SECRET_ACCESS_KEY: "secret",
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  try {
    const said = new Response(child.stderr).text();
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/health/ready`).catch(() => null))?.ok === true);
    const ask = (method: string, path: string, json?: unknown) => callServer(url, method, path, { key, json });
    await ask("POST", "/api/ingest", { name: "Herons", text: "Herons nest in March." });
    expect((await ask("POST", "/api/backup", {})).status).toBe(202);
    await until(() => hasHung && asked >= calls);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    const messages = (await said).split("\n").filter((line) => line.startsWith("{"));
    const last = messages.map((line) => (JSON.parse(line) as { msg: string }).msg).at(-1);
    expect(last).toBe("stopped");
    expect(await readdir(dataDir)).not.toContain("frozen");
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
});
