import { afterAll, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { sameSignalMs } from "../../src/commands/line/command-line.ts";
import { until } from "../until.ts";

/** A real `npm start` of the real `tools/start.mjs`, with a program in the server's place that notes its signals. */

const tools = join(import.meta.dir, "../../tools");
const isPossible = process.platform !== "win32" && Bun.which("npm") !== null && Bun.which("node") !== null;

const program = (name: string, source: string): void =>
  writeFileSync(join(folder, name), `#!/usr/bin/env node\n${source}`, { mode: 0o755 });

const folder = mkdtempSync(join(tmpdir(), "carrel-start-"));
mkdirSync(join(folder, "tools"));
for (const name of ["start.mjs", "npm-process.mjs"]) copyFileSync(join(tools, name), join(folder, "tools", name));
writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { start: manifest.scripts.start } }));
writeFileSync(
  join(folder, "tools/install.mjs"),
  "export const ensureInstalled = () => {};\nexport const stop = (message) => { throw new Error(message); };\n",
);
writeFileSync(
  join(folder, "tools/build.mjs"),
  `export const binary = ${JSON.stringify(join(folder, "server.cjs"))};\nexport const buildIfChanged = () => 0;\n`,
);
program(
  "server.cjs",
  `const { appendFileSync, writeFileSync } = require("node:fs");
const signals = ${JSON.stringify(join(folder, "signals"))};
let first = 0;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    // A later second signal ends the real server at once.
    first ||= Date.now();
    appendFileSync(signals, Date.now() - first > ${sameSignalMs} ? "late\\n" : signal + "\\n");
    // Requests are finished before the end.
    setTimeout(() => { appendFileSync(signals, "drained\\n"); process.exit(0); }, ${sameSignalMs + 400});
  });
setInterval(() => {}, 1000);
writeFileSync(${JSON.stringify(join(folder, "server.pid"))}, String(process.pid));
`,
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const text = (name: string): string => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");

const startByNpm = async () => {
  for (const name of ["signals", "server.pid"]) rmSync(join(folder, name), { force: true });
  const { npm_lifecycle_event: _, ...env } = process.env;
  const npm = Bun.spawn(["npm", "start"], { cwd: folder, env, stdio: ["ignore", "ignore", "ignore"], detached: true });
  await until(() => text("server.pid") !== "", "server started");
  return { npm, server: Number(text("server.pid")) };
};

const endings = [
  { what: "SIGTERM to npm", signal: "SIGTERM", toGroup: false },
  { what: "SIGHUP to npm", signal: "SIGHUP", toGroup: false },
  { what: "SIGKILL to npm", signal: "SIGKILL", toGroup: false },
  // What a terminal does at Ctrl-C, and what a supervisor does.
  { what: "SIGINT to npm and all it started", signal: "SIGINT", toGroup: true },
  { what: "SIGTERM to npm and all it started", signal: "SIGTERM", toGroup: true },
] as const;

for (const { what, signal, toGroup } of endings)
  test.skipIf(!isPossible)(`${what} stops the server gracefully`, async () => {
    const { npm, server } = await startByNpm();
    try {
      process.kill(toGroup ? -npm.pid : npm.pid, signal);
      await until(() => !isAlive(server), "server ended");
      expect(text("signals")).toMatch(toGroup ? new RegExp(`^(${signal}\\n)+drained\\n$`) : /^SIGTERM\ndrained\n$/);
      await npm.exited;
    } finally {
      for (const pid of [npm.pid, server]) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    }
  });

test.skipIf(!isPossible)(
  "SIGHUP to the script means a closed terminal: the server is stopped, not reloaded",
  async () => {
    for (const name of ["signals", "server.pid"]) rmSync(join(folder, name), { force: true });
    const { npm_lifecycle_event: _, ...env } = process.env;
    const script = Bun.spawn(["node", "tools/start.mjs"], { cwd: folder, env, stdio: ["ignore", "ignore", "ignore"] });
    await until(() => text("server.pid") !== "", "server started");
    const server = Number(text("server.pid"));
    try {
      script.kill("SIGHUP");
      await until(() => !isAlive(server), "server ended");
      expect(text("signals")).toBe("SIGTERM\ndrained\n");
    } finally {
      for (const pid of [script.pid, server]) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    }
  },
);

test.skipIf(!isPossible)("the server goes on while npm does", async () => {
  const { npm, server } = await startByNpm();
  try {
    await Bun.sleep(1500);
    expect(isAlive(server)).toBe(true);
    expect(text("signals")).toBe("");
  } finally {
    npm.kill("SIGTERM");
    await until(() => !isAlive(server), "server ended");
  }
});

test.skipIf(!isPossible)("started without npm, the server outlives who started it", async () => {
  rmSync(join(folder, "server.pid"), { force: true });
  const { npm_lifecycle_event: _, ...env } = process.env;
  // The shell ends at once and leaves the script behind.
  Bun.spawnSync(["sh", "-c", "node tools/start.mjs >/dev/null 2>&1 </dev/null &"], { cwd: folder, env });
  await until(() => text("server.pid") !== "", "server started");
  const server = Number(text("server.pid"));
  try {
    await Bun.sleep(1000);
    expect(isAlive(server)).toBe(true);
  } finally {
    process.kill(server, "SIGKILL");
  }
});
