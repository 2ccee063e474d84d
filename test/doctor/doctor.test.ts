import { expect, test } from "bun:test";
import { chmod, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../src/doctor/checks/finding.ts";
import { examineStart } from "../../src/doctor/examine.ts";
import { createLogger } from "../../src/log/log.ts";
import { connect } from "../../src/store/engine/lance.ts";
import { schemaKey } from "../../src/store/engine/meta-rows.ts";
import { run } from "../commands/run.ts";
import { serve } from "../serve.ts";
import { startTestServer, testConfig } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = await temporaryFolder("doctor");

const isRoot = process.getuid?.() === 0;

const examine = async (env: Record<string, string>): Promise<{ status: number; findings: Finding[]; err: string }> => {
  const { status, out, err } = await run(["doctor", "--json"], {
    env: { CARREL_DATA_DIR: join(folder, "fresh"), CARREL_SERVER_PORT: "0", ...env },
    cwd: folder,
  });
  return { status, err, findings: JSON.parse(out) as Finding[] };
};
const of = (findings: readonly Finding[], check: string): Finding[] => findings.filter((each) => each.check === check);
/** Every file of a folder, with its content. */
const contentOf = async (path: string): Promise<Record<string, string>> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, (await readFile(file)).toString("base64")] as const)),
  );
};

const used = join(folder, "used");
const server = await startTestServer({}, {}, used);
const document = (
  (await (await server.post("/api/ingest", { name: "Gulls", text: "Gulls nest." })).json()) as { id: string }
).id;
await server.stop();

test("a machine that suits: each check says so, and nothing is made", async () => {
  const { status, findings } = await examine({});
  expect(findings.filter(({ status: found }) => found === "failed")).toEqual([]);
  expect(status).toBe(0);
  for (const check of ["processor", "memory", "data folder", "file system", "temporary folder", "disk space", "store"])
    expect(of(findings, check)).not.toEqual([]);
  for (const { status: found, fix, detail } of findings) {
    expect(detail.length).toBeGreaterThan(5);
    expect(fix === null).toBe(found === "ok");
  }
  expect(await readdir(folder)).not.toContain("fresh");
  const words = await run(["doctor"], {
    env: { CARREL_DATA_DIR: join(folder, "fresh"), CARREL_SERVER_PORT: "0" },
    cwd: folder,
  });
  expect(words.out).toMatch(/^ok {7}processor: /m);
});

test("a store at rest is read without being changed; one whose table is cut off fails, and stays as it is", async () => {
  const before = await contentOf(used);
  const sound = await examine({ CARREL_DATA_DIR: used });
  expect(of(sound.findings, "store")).toMatchObject([{ status: "ok", detail: expect.stringContaining("1 documents") }]);
  expect(await contentOf(used)).toEqual(before);

  const data = join(used, "tables/documents.lance/data");
  const [file = ""] = await readdir(data);
  await truncate(join(data, file), 10);
  const damaged = await contentOf(used);
  const broken = await examine({ CARREL_DATA_DIR: used });
  expect(broken.status).toBe(1);
  expect(broken.err).toContain("store");
  expect(of(broken.findings, "store")).toMatchObject([
    { status: "failed", detail: expect.stringContaining("documents"), fix: expect.stringContaining("recovery") },
  ]);
  expect(await contentOf(used)).toEqual(damaged);
  await writeFile(join(data, file), Buffer.from(before[join(data, file)] ?? "", "base64"));
  expect(document).toBeString();
});

test("a store that a start refuses fails: tables that are gone, or that this user may not see, or of a newer Carrel", async () => {
  const damaged = join(folder, "damaged");
  const storeOf = async (change: () => Promise<unknown>, env: Record<string, string> = {}): Promise<Finding[]> => {
    await rm(damaged, { recursive: true, force: true });
    await cp(used, damaged, { recursive: true });
    await change();
    return of((await examine({ CARREL_DATA_DIR: damaged, ...env })).findings, "store");
  };
  const without = (name: string) => storeOf(() => rm(join(damaged, `tables/${name}.lance`), { recursive: true }));
  for (const name of ["documents", "organizations", "keys", "chats"])
    expect(await without(name)).toMatchObject([
      {
        status: "failed",
        detail: expect.stringContaining(`tables/${name}.lance`),
        fix: expect.stringContaining("last backup"),
      },
    ]);
  expect(await without("texts")).toMatchObject([{ status: "warning", detail: expect.stringContaining("texts") }]);
  // What the operator agreed to lose keeps no start away.
  const setAside = async () => {
    await rm(join(damaged, "tables/chats.lance"), { recursive: true });
    await mkdir(join(damaged, "quarantine/chats.lance"), { recursive: true });
  };
  expect((await storeOf(setAside)).map(({ status }) => status)).toEqual(["warning", "warning"]);

  const onlyFiles = async () => {
    await rm(join(damaged, "tables"), { recursive: true });
    const hash = "a".repeat(64);
    await mkdir(join(damaged, "files/aa"), { recursive: true });
    await writeFile(join(damaged, "files/aa", hash), "a");
  };
  expect(await storeOf(onlyFiles)).toMatchObject([{ status: "failed", detail: expect.stringContaining("files/") }]);
  expect(await storeOf(() => rm(join(damaged, "tables"), { recursive: true }))).toMatchObject([{ status: "ok" }]);

  const ofSchema = async (schema: number) => {
    const { connection } = await connect(join(damaged, "tables"));
    const meta = await connection.openTable("meta");
    await meta.update({ where: `id = '${schemaKey}'`, values: { value: String(schema) } });
    connection.close();
  };
  expect(await storeOf(() => ofSchema(99))).toMatchObject([
    { status: "failed", detail: expect.stringContaining("schema 99") },
  ]);
  if (isRoot) return;
  expect(await storeOf(() => chmod(join(damaged, "tables"), 0))).toMatchObject([
    { status: "failed", detail: expect.stringContaining("EACCES") },
  ]);
  await chmod(join(damaged, "tables"), 0o700);
});

test("a server that runs is asked, and goes on undisturbed", async () => {
  const server = await startTestServer();
  const { port } = server;
  const { status, findings } = await examine({ CARREL_DATA_DIR: server.dataDir, CARREL_SERVER_PORT: String(port) });
  expect(status).toBe(0);
  expect(of(findings, "store")).toMatchObject([{ status: "ok", detail: expect.stringContaining("ready") }]);
  expect(of(findings, "port")).toMatchObject([{ status: "ok", detail: expect.stringContaining(String(port)) }]);
  expect((await server.post("/api/ingest", { name: "a", text: "Still there." })).status).toBe(200);
});

test("settings with faults are findings, each with its place, as JSON too", async () => {
  const { status, findings, err } = await examine({ CARREL_SERVER_PORT: "70000", CARREL_SERVER_PROT: "1" });
  expect([status, err]).toEqual([1, "carrel: 2 checks failed: settings.\n"]);
  expect(findings).toMatchObject([
    { check: "settings", status: "failed", detail: expect.stringContaining("CARREL_SERVER_PORT: server.port must be") },
    { check: "settings", status: "failed", detail: expect.stringContaining("CARREL_SERVER_PROT") },
  ]);
  expect(findings.every(({ fix }) => fix !== null)).toBe(true);
});

test("a port that another program has", async () => {
  const other = serve(() => new Response());
  const { status, findings } = await examine({ CARREL_SERVER_PORT: String(other.port) });
  expect(status).toBe(1);
  expect(of(findings, "port")).toMatchObject([
    {
      status: "failed",
      detail: expect.stringContaining("taken"),
      fix: expect.stringContaining("CARREL_SERVER_PORT"),
    },
  ]);
});

test("models and parser servers that cannot be reached", async () => {
  const { status, findings } = await examine({
    CARREL_MODELS_ANSWER_PROVIDER: "ollama",
    CARREL_MODELS_ANSWER_MODEL: "llama3.2",
    CARREL_MODELS_ANSWER_BASE_URL: "http://127.0.0.1:9",
    CARREL_PARSER_PROVIDER: "unstructured",
    CARREL_PARSER_BASE_URL: "http://127.0.0.1:9",
  });
  expect(status).toBe(1);
  const [answer, embedding] = of(findings, "models");
  expect(answer).toMatchObject({ status: "failed", detail: expect.stringContaining("cannot be reached") });
  expect(answer?.fix).toContain("`ollama serve`");
  expect(embedding).toMatchObject({ status: "ok", detail: expect.stringContaining("vectors of 256 numbers") });
  expect(of(findings, "parser").map((each) => each.status)).toEqual(["ok", "failed", "ok"]);
});

test("followed folders, sites and webhooks that are not there, or not as they should be", async () => {
  const site = serve(() => new Response("page"));
  const good = join(folder, "followed");
  await mkdir(good);
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const webhook = (port: number | undefined, key: string) => ({
    url: `http://127.0.0.1:${port}/hidden-path`,
    secret: key,
  });
  const settings = (allow: boolean) => ({
    CARREL_FOLDERS: JSON.stringify([{ path: join(folder, "nope") }, { path: good }]),
    CARREL_SITES: JSON.stringify([{ url: `${site.url}/` }, { url: "http://127.0.0.1:9/" }]),
    CARREL_WEBHOOKS: JSON.stringify([webhook(site.port, secret), webhook(9, "abc"), webhook(8, "no+base64!")]),
    CARREL_FETCH_ALLOW_PRIVATE_ADDRESSES: String(allow),
  });
  const { status, findings } = await examine(settings(true));
  expect(status).toBe(1);
  const words = (check: string) => of(findings, check).map((each) => `${each.status}: ${each.detail}`);
  expect(words("folders")).toEqual([
    expect.stringMatching(/^failed: .*nope does not exist/),
    expect.stringMatching(/^ok: .*0 files/),
  ]);
  expect(words("sites")).toEqual([
    expect.stringMatching(/^ok: /),
    expect.stringMatching(/^failed: .*:9\/ cannot be crawled: .*refused/),
  ]);
  expect(words("webhooks")).toEqual([
    expect.stringMatching(/^ok: /),
    expect.stringMatching(/^warning: .*too short: 2 bytes|^warning: .*not valid base64/),
    expect.stringMatching(/^warning: .*127.0.0.1:9 cannot be reached/),
    expect.stringMatching(/^warning: .*not valid base64/),
    expect.stringMatching(/^warning: .*cannot be reached/),
  ]);
  expect(JSON.stringify(findings)).not.toContain("hidden-path");
  const refused = await examine(settings(false));
  expect(of(refused.findings, "sites")[0]).toMatchObject({
    status: "failed",
    fix: expect.stringContaining("fetch.allowPrivateAddresses"),
  });
});

test.skipIf(isRoot)("a data folder that this user may not write to", async () => {
  const locked = join(folder, "locked");
  await mkdir(locked, { mode: 0o500 });
  const { status, findings } = await examine({ CARREL_DATA_DIR: locked });
  expect([status, of(findings, "data folder")[0]?.status]).toEqual([1, "failed"]);
});

test("a data folder that is a file, and one that others may read", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  const notAFolder = await examine({ CARREL_DATA_DIR: file });
  expect(of(notAFolder.findings, "data folder")).toMatchObject([{ status: "failed" }]);
  const open = join(folder, "open");
  await mkdir(open);
  await chmod(open, 0o755);
  const readable = await examine({ CARREL_DATA_DIR: open });
  expect(of(readable.findings, "data folder")).toMatchObject([{ status: "warning", fix: `Run: chmod 700 ${open}` }]);
});

/** Mounts a file system of some kilobytes, where this user may. */
const mountSmall = async (path: string, options: string): Promise<boolean> => {
  if (!isRoot || process.platform !== "linux") return false;
  await mkdir(path, { recursive: true });
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path]).exitCode === 0;
};

test("a disk that is full, and one that is mounted read-only", async () => {
  const small = join(folder, "small");
  if (!(await mountSmall(small, "size=256k,mode=700"))) return;
  try {
    await writeFile(join(small, "filler"), new Uint8Array(300_000)).catch(() => undefined);
    const full = await examine({ CARREL_DATA_DIR: small });
    expect(full.status).toBe(1);
    expect(of(full.findings, "disk space")).toMatchObject([
      { status: "failed", detail: expect.stringContaining("refused") },
    ]);
    expect(of(full.findings, "data folder")).toMatchObject([
      { status: "failed", detail: expect.stringContaining("full") },
    ]);
    expect(of(full.findings, "file system")).toMatchObject([{ status: "warning" }]);
    Bun.spawnSync(["mount", "-o", "remount,ro", small]);
    const readOnly = await examine({ CARREL_DATA_DIR: small });
    expect(of(readOnly.findings, "file system")[0]).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("read-only"),
    });
    expect(of(readOnly.findings, "data folder")).toMatchObject([
      { status: "failed", detail: expect.stringContaining("EROFS") },
    ]);
  } finally {
    Bun.spawnSync(["umount", small]);
  }
});

test("a start logs what is not well, and asks nobody", async () => {
  const open = join(folder, "start");
  await mkdir(open);
  await chmod(open, 0o755);
  const lines: string[] = [];
  const log = createLogger({ level: "info", format: "json" }, (line) => lines.push(line));
  const config = testConfig(open);
  Object.assign(config.models.answer, { provider: "ollama", model: "m", baseUrl: "http://127.0.0.1:9" });
  await examineStart({ config, env: {}, embedded: null, signal: new AbortController().signal }, log);
  const told = lines.map((line) => JSON.parse(line) as { level: string; check: string; msg: string });
  expect(told.find(({ check }) => check === "data folder")).toMatchObject({
    level: "warn",
    msg: expect.stringContaining("chmod 700"),
  });
  expect(told.some(({ check }) => check === "models")).toBe(false);
});
