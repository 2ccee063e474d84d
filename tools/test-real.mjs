// `npm run test:real`: starts real model and parser servers, installing them where they are missing, and runs the
// adapters' suite and a whole journey against them. A server that runs already is used where CARREL_TEST_OLLAMA,
// CARREL_TEST_OPENAI or CARREL_TEST_UNSTRUCTURED name its address. CARREL_TEST_SERVERS: the folder they are installed in.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";

const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const folder = process.env.CARREL_TEST_SERVERS || join(cache, "carrel", "test-servers");
const servers = [
  { name: "Ollama", variable: "CARREL_TEST_OLLAMA", script: "start-ollama.sh" },
  { name: "llama-cpp-python", variable: "CARREL_TEST_OPENAI", script: "start-llama-cpp.sh" },
  { name: "Unstructured", variable: "CARREL_TEST_UNSTRUCTURED", script: "start-unstructured.sh" },
  { name: "OpenTelemetry collector", variable: "CARREL_TEST_COLLECTOR", script: "start-collector.sh" },
  // No server: what its script prints is where the program lies.
  { name: "tesseract", variable: "CARREL_TEST_TESSERACT", script: "tesseract.sh", isProgram: true },
  { name: "MCP clients", variable: "CARREL_TEST_MCP_CLIENTS", script: "mcp-clients.sh", isProgram: true },
  {
    name: "OpenAI's clients for Python",
    variable: "CARREL_TEST_PYTHON_CLIENTS",
    script: "python-clients.sh",
    isProgram: true,
  },
  { name: "Open WebUI", variable: "CARREL_TEST_OPEN_WEBUI", script: "open-webui.sh", isProgram: true },
  { name: "VS Code", variable: "CARREL_TEST_VS_CODE", script: "vs-code.sh", isProgram: true },
  { name: "generators of clients", variable: "CARREL_TEST_GENERATORS", script: "generators.sh", isProgram: true },
];

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** Starts a server of our own. @returns its address, null where that failed; what the script said has been shown */
const start = async ({ name, script, isProgram }) => {
  const port = await freePort();
  const began = Date.now();
  console.log(`# ${name}: starting in ${folder} (the first time it is built, which takes minutes)`);
  // Bash passes its standard error on, so that the building can be followed.
  const { status, stdout } = spawnSync("bash", [join(root, "test/real/servers", script), folder, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (isProgram) return status === 0 ? stdout.trim().split("\n").at(-1) : null;
  const pid = Number(stdout?.trim().split("\n").at(-1));
  if (status !== 0 || !(pid > 0)) return null;
  started.push(pid);
  console.log(`# ${name}: up after ${Math.round((Date.now() - began) / 1000)} s`);
  return `http://127.0.0.1:${port}`;
};

const started = [];
const stopAll = () => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid);
    } catch {
      // It is gone already.
    }
  }
};
process.on("exit", stopAll);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const run = (program, options, env) =>
  new Promise((resolve) => {
    const child = spawn(program, options, { cwd: root, stdio: "inherit", env });
    child.on("error", () => resolve(1));
    child.on("close", (status) => resolve(status ?? 1));
  });

ensureInstalled();
mkdirSync(folder, { recursive: true });
const env = { ...process.env, CARREL_TEST_SERVERS: folder };
const outcome = [];
for (const server of servers) {
  const given = process.env[server.variable];
  const address = given || (await start(server));
  if (address !== null) env[server.variable] = address;
  outcome.push({ ...server, address, given: Boolean(given) });
}
const suites = readdirSync(join(root, "test/real"))
  .filter((name) => name.endsWith(".ts") && name !== "servers.ts" && !name.startsWith("record"))
  .map((name) => `./test/real/${name}`);
// A real server loads a model first, on a machine that may be busy.
const options = ["test", "--timeout", "120000", ...suites];
const status = outcome.some(({ address }) => address !== null) ? await run(bunPath(), options, env) : 1;
for (const { name, address, given } of outcome)
  console.log(`# ${name}: ${address === null ? "could not be started" : `ran (${given ? "given" : "started here"})`}`);
process.exitCode = status === 0 && outcome.every(({ address }) => address !== null) ? 0 : 1;
