import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { socketPath } from "../../src/runtime/operator-socket.ts";
import { lockDataDir } from "../../src/store/disk/lock.ts";
import { loadLibc } from "../../src/system/libc.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { run } from "./run.ts";

/** A server that is killed, or reaches the end of its drain time, while a command waits for it. */

const folder = await temporaryFolder("lost");
const dataDir = await temporaryFolder("starting");

const alive = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
const words = "carrel: The server stopped meanwhile: look at its log, and run the command again.\n";

test.each([
  ["before it answers", ""],
  ["within its answer", 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{"kind":"organiz\r\n'],
])("ends %s: each command says so, without a stack", async (_, answer) => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (head) => {
      if (head.toString().startsWith("GET /health/live")) socket.end(alive);
      else if (answer === "") socket.destroy();
      else socket.write(answer, () => socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath(folder), resolve));
  const target = await temporaryFolder("lost-target");
  await Bun.write(join(target, "note.md"), "# A note");
  for (const argv of [
    ["key", "list"],
    ["backup", join(target, "backups")],
    ["export", join(target, "export")],
    ["ask", "What is it?"],
    ["ingest", join(target, "note.md")],
    ["embedder", "status"],
  ])
    expect([argv[0], await run(argv, { env: { CARREL_DATA_DIR: folder } })]).toEqual([
      argv[0] as string,
      { status: 1, out: "", err: words },
    ]);
  await rm(target, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

test("a command beside a server that is just starting waits for it", async () => {
  const env = { CARREL_DATA_DIR: dataDir };
  // It has the data directory, and no socket yet.
  const lock = await lockDataDir(dataDir, loadLibc());
  const listed = run(["key", "list"], { env });
  expect(await Promise.race([listed, Bun.sleep(1_000)])).toBeUndefined();
  await lock.release(true);
  expect(await listed).toMatchObject({ status: 0, out: expect.stringContaining("PARTITION") });
});
