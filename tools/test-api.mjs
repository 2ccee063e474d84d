// `npm run test:api`: schemathesis makes requests from the OpenAPI document of the compiled binary, valid and invalid
// ones, and holds the answers against it. Arguments go to schemathesis: `npm run test:api -- --seed 5 --max-examples 50`.
// The last line is `N passed, N failed`: requests, and different failures.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { binary, buildIfChanged } from "./build.mjs";
import { ensureInstalled, root, stop } from "./install.mjs";

const schemathesisVersion = "4.32.5";
/** Whether each line of a text is JSON is more than a schema can say of it. */
const schemathesisConfig = `[[operations]]
include-operation-id = ["importRecords"]
checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409, 413, 429, "5xx"]
`;
/** Longest request: on a busy machine one may take longer than the ten seconds that schemathesis gives it. */
const requestSeconds = "60";
/** Longest run. */
const maxRunMs = 30 * 60_000;
const adminKey = `crl_${"testapi".repeat(7).slice(0, 43)}`;

const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const venv = join(cache, "carrel", `schemathesis-${schemathesisVersion}`);
const program = join(venv, "bin", "schemathesis");
const folder = mkdtempSync(join(tmpdir(), "carrel-test-api-"));
const children = [];

process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const installSchemathesis = () => {
  if (existsSync(program)) return;
  mkdirSync(venv, { recursive: true });
  for (const [command, ...options] of [
    ["python3", "-m", "venv", venv],
    [join(venv, "bin", "pip"), "install", "--quiet", `schemathesis==${schemathesisVersion}`],
  ]) {
    if (spawnSync(command, options, { stdio: "inherit", timeout: 600_000 }).status === 0) continue;
    rmSync(venv, { recursive: true, force: true });
    stop(`${command} failed: Python 3.10 or newer with venv is needed, and the first time the network.`);
  }
};

/** A site to be ingested. @returns its address */
const serveSite = () =>
  new Promise((resolve) => {
    const server = createServer(({ url, headers }, response) => {
      const site = `http://${headers.host}`;
      const files = {
        "/robots.txt": ["text/plain", `User-agent: *\nAllow: /\nSitemap: ${site}/sitemap.xml\n`],
        "/sitemap.xml": ["application/xml", `<urlset><url><loc>${site}/page</loc></url></urlset>`],
      };
      const page = "<!doctype html><title>Hours</title><main><p>In winter the reading room opens at nine.</p></main>";
      const [type, body] = files[url] ?? ["text/html", page];
      response.writeHead(200, { "content-type": type }).end(body);
    });
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`));
    server.unref();
  });

/** The server under test, over a store of its own. @returns its address */
const serveCarrel = () =>
  new Promise((resolve) => {
    const settings = {
      CARREL_ADMIN_KEY: adminKey,
      CARREL_DATA_DIR: join(folder, "data"),
      CARREL_SERVER_PORT: "0",
      CARREL_FETCH_ALLOW_PRIVATE_ADDRESSES: "true",
      CARREL_LOG_LEVEL: "error",
    };
    const child = spawn(binary, ["serve"], { cwd: folder, env: { ...process.env, ...settings } });
    children.push(child);
    let output = "";
    const read = (chunk) => {
      output += chunk;
      const address = output.match(/listens on (http:\/\/\S+)/)?.[1];
      if (address) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.stderr.pipe(process.stderr);
    child.on("exit", (code) => {
      process.exitCode = 1;
      stop(`The server ended with status ${code}.`);
    });
  });

const ownKeyId = async (address) => {
  const response = await fetch(`${address}/api/key`, { headers: { authorization: `Bearer ${adminKey}` } });
  return (await response.json())[0].id;
};

/** @returns what schemathesis found, null where it did not get to its end */
const run = (address, env) =>
  new Promise((resolve) => {
    const report = join(folder, "report.json");
    const config = join(folder, "schemathesis.toml");
    writeFileSync(config, schemathesisConfig);
    const options = [
      ...[
        "--config-file",
        config,
        "run",
        `${address}/openapi.full.json`,
        "--header",
        `Authorization: Bearer ${adminKey}`,
      ],
      ...["--checks", "all", "--phases", "examples,coverage,fuzzing,stateful", "--continue-on-failure"],
      ...[
        "--request-timeout",
        requestSeconds,
        "--max-examples",
        "20",
        "--report",
        "json",
        "--report-json-path",
        report,
        "--no-color",
      ],
      ...process.argv.slice(2),
    ];
    const child = spawn(program, options, { cwd: folder, env: { ...process.env, ...env }, stdio: "inherit" });
    children.push(child);
    const timer = setTimeout(() => child.kill("SIGKILL"), maxRunMs);
    child.on("exit", () => {
      clearTimeout(timer);
      resolve(existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null);
    });
  });

ensureInstalled();
if (buildIfChanged() !== 0) stop("The binary could not be built.");
installSchemathesis();
const [site, address] = [await serveSite(), await serveCarrel()];
const found = await run(address, {
  CARREL_TEST_SITE: site,
  CARREL_TEST_KEY_ID: await ownKeyId(address),
  SCHEMATHESIS_HOOKS: join(root, "tools/schemathesis/hooks.py"),
});
const { generated = 0, with_failures = 0, unique_failures = 0, errored = 0 } = found?.test_cases ?? {};
const failed = unique_failures + Math.max(errored, found?.operations.errored ?? 0) + (found?.complete ? 0 : 1);
console.log(`${generated - with_failures - errored} passed, ${failed} failed`);
process.exit(failed === 0 && generated > 0 ? 0 : 1);
