import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectLicenses } from "../../tools/licenses/collect.ts";
import { formOf } from "../call-server.ts";
import { compiledBinary } from "../compiled-binary.ts";
import { upkeepProcesses } from "../store/upkeep/upkeep-command.ts";
import { startOtlpReceiver } from "../tracing/otlp-receiver.ts";
import { until } from "../until.ts";

const root = join(import.meta.dir, "../..");
let folder: string;
let binary: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-compiled-"));
  binary = join(folder, "alone/carrel");
  await mkdir(join(folder, "alone"));
  await copyFile(await compiledBinary(), binary);
}, 300_000);
afterAll(async () => {
  await chmod(join(folder, "read-only"), 0o700).catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

/** Starts the program with nothing in its environment but what is given. */
const spawn = (argv: readonly string[], cwd: string, env: Record<string, string>) =>
  Bun.spawn([binary, ...argv], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });

const finished = async (argv: readonly string[], cwd: string, env: Record<string, string>) => {
  const child = spawn(argv, cwd, env);
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out, err };
};

test("alone in a folder, with read-only working directory, no home and no temporary folder, it does its whole work", async () => {
  expect(await readdir(join(folder, "alone"))).toEqual(["carrel"]);
  const readOnly = join(folder, "read-only");
  await mkdir(readOnly);
  // What lies in the working directory must neither run nor set anything.
  await Bun.write(join(readOnly, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  await Bun.write(join(readOnly, "evil.ts"), 'console.log("EVIL"); process.exit(9);\n');
  await Bun.write(join(readOnly, ".env"), "CARREL_SERVER_HOST=256.256.256.256\n");
  await chmod(readOnly, 0o500);
  const dataDir = join(folder, "data");
  const env = { CARREL_DATA_DIR: dataDir, CARREL_SERVER_PORT: "0", HOME: "/nonexistent", TMPDIR: "/proc/nowhere" };

  const server = spawn([], readOnly, env);
  let out = "";
  for await (const chunk of server.stdout) {
    out += new TextDecoder().decode(chunk);
    if (out.includes("/docs\n")) break;
  }
  const key = /crl_[0-9A-Za-z]{43}/.exec(out)?.[0] ?? "";
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? "";
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${key}` } });

  // A PDF is read in a process of its own, which is this same file.
  const form = formOf({ file: Bun.file(join(root, "test/fixtures/documents/layout-parser-paper-fast.pdf")) });
  const ingested = (await (await call("/api/ingest", { method: "POST", body: form })).json()) as { text: string };
  expect(ingested.text).toContain("LayoutParser");
  const body = JSON.stringify({ query: "What is LayoutParser?" });
  const asked = await call("/api/query", { method: "POST", body });
  expect(asked.status).toBe(200);
  expect(((await asked.json()) as { relevantSnippets: unknown[] }).relevantSnippets.length).toBeGreaterThan(0);
  expect((await call("/docs")).status).toBe(200);
  expect((await call("/openapi.json")).status).toBe(200);

  // Upkeep of the tables is done by the same file too, and ends with the server.
  const tables = join(dataDir, "tables");
  if (process.platform === "linux") await until(() => upkeepProcesses(tables).length === 1);

  // A command beside it goes through its socket; a second server is told who holds the data.
  expect((await finished(["key", "list"], "/", env)).out).toContain("first start");
  const second = await finished([], "/", env);
  expect([second.status, second.err]).toEqual([
    1,
    expect.stringMatching(new RegExp(`in use by process ${server.pid} .*: stop that process, or set dataDir`)),
  ]);
  // The built-in model is unpacked when it is first needed.
  const unpacked = (await readdir(join(dataDir, "runtime"))).filter((name) => !name.startsWith("onnxruntime-"));
  expect(unpacked).toEqual([expect.stringMatching(/^lancedb-[0-9a-f]{16}\.node$/)]);

  // Its own processes and native parts work for the doctor too.
  const examined = await finished(["doctor", "--json"], "/", env);
  const findings = JSON.parse(examined.out) as { check: string; status: string; detail: string }[];
  expect(findings.filter(({ status }) => status === "failed")).toEqual([]);
  expect(findings.find(({ check }) => check === "store")?.detail).toContain(`process ${server.pid}`);
  expect(findings.find(({ check }) => check === "parser")?.status).toBe("ok");

  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  if (process.platform === "linux") await until(() => upkeepProcesses(tables).length === 0);

  // A copy of the addon that was damaged is made anew.
  const [addon = ""] = unpacked;
  const path = join(dataDir, "runtime", addon);
  await chmod(path, 0o700);
  const damaged = await Bun.file(path).bytes();
  damaged.fill(0, 1_000_000, 1_001_000);
  await Bun.write(path, damaged);
  expect(await finished(["key", "list"], "/", env)).toMatchObject({
    status: 0,
    out: expect.stringContaining("first start"),
  });
});

test("init, version and wrong usage need no data directory", async () => {
  const place = join(folder, "init");
  await mkdir(place);
  expect(await finished(["init"], place, {})).toEqual({ status: 0, out: `${join(place, "carrel.yaml")}\n`, err: "" });
  expect(await Bun.file(join(place, "carrel.yaml")).text()).toBe(
    await Bun.file(join(root, "config/carrel.yaml")).text(),
  );
  expect((await finished(["version"], place, {})).status).toBe(0);
  expect((await finished(["frob"], place, {})).status).toBe(2);
  expect(await readdir(place)).toEqual(["carrel.yaml"]);
});

test("MiniLM and its runtime are inside too", async () => {
  const file = join(folder, "boiler.md");
  await Bun.write(file, "The heating was repaired by Anna in 2019. The boiler stands in the cellar.\n");
  const env = { CARREL_DATA_DIR: join(folder, "minilm"), CARREL_MODELS_EMBEDDING_MODEL: "minilm", HOME: folder };
  const { status, out, err } = await finished(["ask", "--json", "Who repaired the heating?", file], "/", env);
  expect([status, err]).toEqual([0, expect.any(String)]);
  const answer = JSON.parse(out) as { answer: string; receipt: { searched: { vectors: number }; warnings: string[] } };
  expect(answer.answer).toContain("Anna");
  expect([answer.receipt.searched.vectors, answer.receipt.warnings]).toEqual([1, []]);
});

test.skipIf(process.platform !== "linux")(
  "the server starts itself again with a heap that grows slowly, in the same process, unless the operator has set it",
  async () => {
    const place = join(folder, "heap");
    await mkdir(place);
    for (const [given, found] of [
      [{}, "1073741824"],
      [{ BUN_JSC_forceRAMSize: "2147483648" }, "2147483648"],
    ] as const) {
      const env = { CARREL_DATA_DIR: join(place, "data"), CARREL_SERVER_PORT: "0", HOME: folder, ...given };
      const server = spawn(["serve", "--config", "/dev/null"], place, env);
      // Its reader stays: a server whose output nobody reads any more ends.
      const output = server.stdout.getReader();
      for (let out = ""; !out.includes("listens on"); ) {
        const { done, value } = await output.read();
        if (done) throw new Error(`the server ended: ${out}`);
        out += new TextDecoder().decode(value);
      }
      const read = async (name: string) => (await readFile(`/proc/${server.pid}/${name}`, "utf8")).split("\0");
      expect(await read("environ")).toContain(`BUN_JSC_forceRAMSize=${found}`);
      expect(await read("cmdline")).toEqual([binary, "serve", "--config", "/dev/null", ""]);
      expect((await read("comm"))[0]).toBe("carrel\n");
      server.kill();
      expect(await server.exited).toBe(0);
    }
  },
);

test("the licenses of what it carries are inside it", async () => {
  const env = { CARREL_DATA_DIR: join(folder, "data") };
  const { status, out, err } = await finished(["licenses", "--json"], join(folder, "alone"), env);
  expect([status, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toEqual(await collectLicenses(root));
});

test("it sends traces: OpenTelemetry is in the program, and loaded when it is asked for", async () => {
  const collector = startOtlpReceiver();
  const env = {
    CARREL_DATA_DIR: join(folder, "traced"),
    CARREL_SERVER_PORT: "0",
    CARREL_MODELS_EMBEDDING_MODEL: "static",
    CARREL_TRACING_ENDPOINT: collector.url,
  };
  const server = spawn([], folder, env);
  let out = "";
  for await (const chunk of server.stdout) {
    out += new TextDecoder().decode(chunk);
    if (out.includes("/docs\n")) break;
  }
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? "";
  const key = /crl_[0-9A-Za-z]{43}/.exec(out)?.[0] ?? "";
  const body = JSON.stringify({ query: "What is LayoutParser?" });
  await fetch(`${url}/api/search`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body });
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  await collector.stop();
  expect(collector.named("POST /api/search")).toHaveLength(1);
  expect(collector.named("retrieval.text")).toHaveLength(1);
});
