import { expect, test } from "bun:test";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fetchFromSocket, listenForOperator, socketPath } from "../../src/runtime/operator-socket.ts";
import { run } from "../commands/run.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = await temporaryFolder("socket");

const echo = async (request: Request) =>
  new Response(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);

for (const [name, dataDir] of [
  ["a short path", join(folder, "data")],
  ["a path longer than a socket's address may be", join(folder, "x".repeat(150))],
] as const)
  test(`${name}: listens there, for the owner alone, and leaves nothing behind`, async () => {
    await mkdir(dataDir);
    expect(await fetchFromSocket(dataDir, "/a", {})).toBeNull();
    const socket = await listenForOperator(dataDir, echo);
    expect((await stat(socketPath(dataDir))).mode & 0o777).toBe(0o600);
    const answer = await fetchFromSocket(dataDir, "/a", { method: "POST", body: "body" });
    expect(await answer?.text()).toBe("POST /a body");
    await socket.close();
    expect(await fetchFromSocket(dataDir, "/a", {})).toBeNull();
    expect(await readdir(dataDir)).toEqual([]);
  });

test("the socket of a server that was killed is no server, and gives way to the next", async () => {
  const dataDir = join(folder, "killed");
  await mkdir(dataDir);
  const module = join(import.meta.dir, "../../src/runtime/operator-socket.ts");
  const script = `import { listenForOperator } from ${JSON.stringify(module)};
    await listenForOperator(${JSON.stringify(dataDir)}, async () => new Response());
    process.kill(process.pid, "SIGKILL");`;
  await Bun.spawn([process.execPath, "-e", script]).exited;
  expect((await stat(socketPath(dataDir))).isSocket()).toBe(true);
  expect(await fetchFromSocket(dataDir, "/a", {})).toBeNull();
  const socket = await listenForOperator(dataDir, echo);
  expect(await (await fetchFromSocket(dataDir, "/b", {}))?.text()).toBe("GET /b ");
  await socket.close();
});

test("a body that waits to be read is not given up", async () => {
  const dataDir = join(folder, "slow");
  await mkdir(dataDir);
  const read = async (request: Request) => {
    const sizes: number[] = [];
    for await (const piece of request.body ?? []) {
      sizes.push(piece.length);
      // Longer than Bun's own limit of idle time.
      if (sizes.length === 1) await Bun.sleep(15_000);
    }
    return new Response(String(sizes.reduce((sum, size) => sum + size, 0)));
  };
  const socket = await listenForOperator(dataDir, read);
  const body = async function* () {
    for (let count = 0; count < 4; count += 1) {
      yield new Uint8Array(2_000_000);
      await Bun.sleep(100);
    }
  };
  const init = { method: "POST", body: body() as unknown as ReadableStream, duplex: "half", timeout: false };
  expect(await (await fetchFromSocket(dataDir, "/a", init as RequestInit))?.text()).toBe("8000000");
  await socket.close();
});

test("a command that waits for a server which does not answer can be ended", async () => {
  const dataDir = join(folder, "stuck");
  await mkdir(dataDir);
  const asked = Promise.withResolvers<void>();
  const socket = await listenForOperator(dataDir, async () => {
    asked.resolve();
    return await new Promise<Response>(() => {});
  });
  const stop = new AbortController();
  const waiting = run(["key", "list"], { env: { CARREL_DATA_DIR: dataDir }, stop: stop.signal });
  await asked.promise;
  stop.abort("SIGINT");
  expect(await waiting).toEqual({ status: 130, out: "", err: "" });
  await socket.close();
});
