import { afterAll, describe, expect, test } from "bun:test";
import { copyFile, lstat, mkdir, readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import ignore from "@balena/dockerignore";
import { parse } from "yaml";
import { loadConfig } from "../../config/load.ts";
import { bundledFiles } from "../../tools/bundle.ts";
import { compiledBinary } from "../compiled-binary.ts";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";

/** The files of `deploy/`: checked by the programs that read them, where these are installed; proxies are run. */

const root = join(import.meta.dir, "../..");
const folder = await temporaryFolder("deploy");
const text = (path: string) => Bun.file(join(root, "deploy", path)).text();
const has = (program: string) => Bun.which(program, { PATH: `${process.env.PATH}:/usr/sbin` });
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

const succeeds = (command: readonly string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { stdio: ["ignore", "pipe", "pipe"] });
  expect([exitCode, exitCode === 0 ? "" : `${stdout}${stderr}`]).toEqual([0, ""]);
};

/** Copies what Docker would send as the context of a build. @returns the paths of the files */
const copyContext = async (to: string, rules: string): Promise<string[]> => {
  const matcher = ignore().add(rules);
  // They hold most of the files here; nothing of them may pass.
  const large = ["node_modules", ".git", "dist"];
  expect(large.filter((name) => !matcher.ignores(`${name}/file`))).toEqual([]);
  const copied: string[] = [];
  for (const top of await readdir(root)) {
    if (large.includes(top)) continue;
    const isFolder = (await lstat(join(root, top))).isDirectory();
    const below = isFolder ? await readdir(join(root, top), { recursive: true, withFileTypes: true }) : [];
    const files = below.flatMap((entry) =>
      entry.isFile() ? [relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/")] : [],
    );
    for (const path of (isFolder ? files : [top]).filter((each) => !matcher.ignores(each))) {
      await mkdir(dirname(join(to, path)), { recursive: true });
      await copyFile(join(root, path), join(to, path));
      copied.push(path);
    }
  }
  return copied;
};

test("settings in compose.yaml are settings", async () => {
  const { services } = parse(await text("compose.yaml")) as { services: Record<string, { environment?: object }> };
  const env = services.carrel?.environment as Record<string, string>;
  const { config } = await loadConfig({ env, cwd: folder });
  expect(config.models.answer).toMatchObject({ provider: "ollama", baseUrl: "http://ollama:11434" });
});

test("the image's settings are settings, and it is not root", async () => {
  const dockerfile = await text("Dockerfile");
  const block = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1] ?? "";
  const env = Object.fromEntries([...block.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
  const { config } = await loadConfig({ env, cwd: folder });
  expect(config).toMatchObject({ dataDir: "/data", server: { host: "0.0.0.0", port: 7373 } });
  expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
});

test("the image is built of what the ignore file lets through, and asks its own program how it is", async () => {
  const dockerfile = await text("Dockerfile");
  const context = join(folder, "context");
  const copied = await copyContext(context, await text("Dockerfile.dockerignore"));
  // What the image's build stage copies, installs and runs; no Docker is needed for it.
  const stage = /^FROM \S+ AS build\n([\s\S]*?)\nFROM /m.exec(dockerfile)?.[1] ?? "";
  const steps = stage.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(steps).toEqual([
    "WORKDIR /source",
    "COPY package.json package-lock.json ./",
    "RUN npm ci --ignore-scripts --no-audit --no-fund",
    "COPY . .",
    "RUN npm run build",
  ]);
  expect(copied).toContain("package-lock.json");
  expect(copied.filter((path) => path.includes("node_modules/") || path.startsWith("."))).toEqual([]);
  // `npm run build` in it has all that the binary is made of, and all that makes it.
  const buildIn = (folder: string) => import(join(folder, "tools/build.mjs"));
  const { sourceFiles, sourcesHash } = await buildIn(root);
  const parts = (await bundledFiles(root)).map((path) => relative(root, path).replaceAll("\\", "/"));
  expect(parts.filter((path) => !path.includes("node_modules/") && !sourceFiles().includes(path))).toEqual([]);
  expect((await buildIn(context)).sourcesHash()).toBe(sourcesHash());
  const bundle = await Bun.build({
    entrypoints: [join(context, "tools/compile.ts")],
    target: "bun",
    packages: "external",
  });
  expect(bundle.logs).toEqual([]);
  const binary = join(
    root,
    /^COPY --from=build \/source\/(\S+) \/usr\/local\/bin\/carrel$/m.exec(dockerfile)?.[1] ?? "",
  );
  expect(binary).toBe(await compiledBinary());
  const check = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? "[]";
  const [program, ...command] = JSON.parse(check) as string[];
  expect([program, ...command]).toEqual(["carrel", "health"]);
  const env = { CARREL_DATA_DIR: join(folder, "data"), CARREL_SERVER_PORT: String(await freePort()) };
  const asked = Bun.spawnSync([binary, ...command], { cwd: folder, env });
  expect([asked.exitCode, asked.stderr.toString()]).toEqual([1, expect.stringContaining("connection refused")]);
});

test.skipIf(!has("hadolint"))("hadolint finds nothing in the Dockerfile", () => {
  succeeds(["hadolint", join(root, "deploy/Dockerfile")]);
});

test.skipIf(!has("systemd-analyze"))("systemd takes the unit, and calls its exposure OK", async () => {
  const unit = join(folder, "carrel.service");
  // The program itself is not installed here.
  await Bun.write(unit, (await text("systemd/carrel.service")).replace("/usr/local/bin/carrel", "/bin/true"));
  succeeds(["systemd-analyze", "verify", unit]);
  succeeds(["systemd-analyze", "security", "--offline=true", "--threshold=20", unit]);
});

/** In Carrel's place: tells the headers it got, and streams a second event when the first has arrived. */
const startUpstream = (port: number) => {
  const arrived = Promise.withResolvers<void>();
  const seen: Headers[] = [];
  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    idleTimeout: 30,
    fetch(request) {
      seen.push(request.headers);
      if (request.method === "POST") return request.text().then((body) => new Response(String(body.length)));
      const events = async function* () {
        yield "event: delta\ndata: 1\n\n";
        await arrived.promise;
        yield "event: done\ndata: 2\n\n";
      };
      return new Response(events() as unknown as ReadableStream, { headers: { "content-type": "text/event-stream" } });
    },
  });
  ends.push(() => server.stop(true));
  return { arrived: arrived.resolve, seen };
};

const checkProxy = async (url: string, upstream: ReturnType<typeof startUpstream>) => {
  const options = { tls: { rejectUnauthorized: false }, headers: { "x-forwarded-for": "203.0.113.9" } };
  const response = await fetch(`${url}/events`, options);
  let received = "";
  for await (const chunk of response.body ?? []) {
    received += new TextDecoder().decode(chunk);
    // Were it collected first, this would never come.
    if (received.includes("data: 1")) upstream.arrived();
  }
  expect(received).toContain("data: 2");
  const body = "x".repeat(20_000_000);
  expect(await (await fetch(`${url}/file`, { ...options, method: "POST", body })).text()).toBe("20000000");
  // The proxy's own word comes last, after what a client claims, or alone.
  expect(upstream.seen[0]?.get("x-forwarded-for")?.split(",").at(-1)?.trim()).toBe("127.0.0.1");
  expect(upstream.seen[0]?.get("x-forwarded-proto")).toBe(new URL(url).protocol.slice(0, -1));
};

const start = async (command: readonly string[], url: string): Promise<void> => {
  const child = Bun.spawn([...command], { env: { ...process.env, HOME: folder }, stdio: ["ignore", "ignore", "pipe"] });
  ends.push(async () => {
    child.kill("SIGTERM");
    await child.exited;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text());
    return await fetch(url, { method: "POST", tls: { rejectUnauthorized: false } }).then(
      () => true,
      () => false,
    );
  }, `${command[0]} answers`);
};

describe("a proxy passes streams and files on at once, and says who the client is", () => {
  test.skipIf(!has("nginx") || !has("openssl"))("nginx", async () => {
    const [plain, secure, upstreamPort] = [await freePort(), await freePort(), await freePort()];
    const upstream = startUpstream(upstreamPort);
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
    succeeds(
      `openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=carrel.example.org -keyout ${key} -out ${certificate}`.split(
        " ",
      ),
    );
    const site = (await text("proxy/nginx.conf"))
      .replace("listen 80", `listen 127.0.0.1:${plain}`)
      .replace("listen 443", `listen 127.0.0.1:${secure}`)
      .replace("127.0.0.1:7373", `127.0.0.1:${upstreamPort}`)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
    await Bun.write(join(folder, "site.conf"), site);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
    await Bun.write(
      join(folder, "nginx.conf"),
      `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary} include ${folder}/site.conf; }`,
    );
    const nginx = has("nginx") ?? "nginx";
    succeeds([nginx, "-t", "-c", join(folder, "nginx.conf")]);
    await start([nginx, "-c", join(folder, "nginx.conf")], `https://127.0.0.1:${secure}/`);
    upstream.seen.length = 0;
    await checkProxy(`https://127.0.0.1:${secure}`, upstream);
  });

  test.skipIf(!has("caddy"))("Caddy", async () => {
    const file = join(root, "deploy/proxy/Caddyfile");
    succeeds(["caddy", "validate", "--adapter", "caddyfile", "--config", file]);
    const [port, upstreamPort] = [await freePort(), await freePort()];
    const upstream = startUpstream(upstreamPort);
    const here = (await text("proxy/Caddyfile"))
      .replace("carrel.example.org {", `http://127.0.0.1:${port} {`)
      .replace("127.0.0.1:7373", `127.0.0.1:${upstreamPort}`);
    await Bun.write(join(folder, "Caddyfile"), `{\n\tadmin off\n}\n${here}`);
    const command = ["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
    await start(command, `http://127.0.0.1:${port}/`);
    upstream.seen.length = 0;
    await checkProxy(`http://127.0.0.1:${port}`, upstream);
  });
});
