import { expect, test } from "bun:test";
import { join } from "node:path";
import { hasOpenssl, makeCertificate } from "../program/tls/make-certificate.ts";
import { serve } from "../serve.ts";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { run } from "./run.ts";

const folder = await temporaryFolder("health");

interface Told {
  /** Exit status. */
  exit: number;
  /** Standard error. */
  err: string;
  status: string;
  problems: string[];
  asked: string | null;
}

/** `carrel health` where `carrel.yaml` holds these settings. */
const health = async (settings: object): Promise<Told> => {
  await Bun.write(join(folder, "carrel.yaml"), JSON.stringify(settings));
  const { status: exit, out, err } = await run(["health", "--json"], { cwd: folder });
  return { exit, err, ...(JSON.parse(out) as Omit<Told, "exit" | "err">) };
};

test.skipIf(!hasOpenssl)("health: a server that runs is found by its socket, and by its address with TLS", async () => {
  const tls = makeCertificate(join(folder, "tls"), "carrel.example.org");
  const server = await startTestServer({ server: { port: 0, tls: { hstsMaxAgeSeconds: 0, ...tls } } });
  try {
    // By the socket: neither port nor certificate matters.
    expect(await health({ dataDir: server.dataDir, server: { port: 1 } })).toMatchObject({
      exit: 0,
      asked: "carrel.sock",
    });
    // A probe that cannot see the data directory. `0.0.0.0` is where it listens, and nobody's address.
    const seen = { dataDir: join(folder, "other"), server: { host: "0.0.0.0", port: server.port, tls } };
    const byAddress = await health(seen);
    expect(byAddress).toMatchObject({ exit: 0, asked: `https://127.0.0.1:${server.port}`, problems: [] });
    const words = await run(["health"], { cwd: folder });
    expect(words).toEqual({ status: 0, out: `The server is ready (https://127.0.0.1:${server.port}).\n`, err: "" });
    server.program.deps.lifecycle.drain(0);
    expect(await health(seen)).toMatchObject({ exit: 1, err: expect.stringContaining("The server is draining") });
  } finally {
    await server.stop();
  }
  expect((await health({ dataDir: server.dataDir, server: { port: server.port } })).exit).toBe(1);
});

test("health: why a server is not healthy", async () => {
  let answer = async () => Response.json({ status: "unready", problems: ["disk_full"], models: [] }, { status: 503 });
  const other = serve(() => answer());
  const settings = { dataDir: join(folder, "other"), server: { port: other.port } };
  const where = other.url;
  const said = async (): Promise<[number, string]> => {
    const { exit, err } = await health(settings);
    return [exit, err];
  };
  expect(await said()).toEqual([1, `carrel: The server is unready (${where}): disk_full.\n`]);
  answer = async () => new Response("<h1>It works!</h1>");
  expect(await said()).toEqual([1, `carrel: The server is unreachable (${where}): another program answers there.\n`]);
  answer = () => new Promise(() => {});
  expect(await said()).toEqual([1, `carrel: The server is unreachable (${where}): no answer within 3 s.\n`]);
  await other.stop();
  expect(await said()).toEqual([
    1,
    `carrel: The server is unreachable (${where}): connection refused: it does not run.\n`,
  ]);
  // An answer cannot be asked for where the port is not known.
  expect(await health({ ...settings, server: { port: 0 } })).toMatchObject({ exit: 1, asked: null });
  // Faults of the settings are named as for any command.
  const broken = await run(["health"], { cwd: folder, env: { CARREL_SERVER_PROT: "1" } });
  expect([broken.status, broken.out]).toEqual([1, ""]);
  expect(broken.err).toContain("CARREL_SERVER_PROT");
});
