import type { ParseRequest } from "../../src/parse/process/worker-pool.ts";
import { readFrames, writeFrame } from "../../src/system/child-process.ts";

/** A parsing process that does what a hostile file might make it do; the file's name says what. */
for await (const { head } of readFrames(Bun.stdin.stream() as AsyncIterable<Uint8Array>, 1e9)) {
  const { name } = head as ParseRequest;
  if (name === "endless") for (;;);
  if (name === "sleep") await Bun.sleep(60_000);
  if (name === "child") {
    const script = `const held = []; for (;;) { held.push(new Uint8Array(16 * 1048576).fill(1)); await Bun.sleep(5); }`;
    await Bun.spawn([process.execPath, "-e", script]).exited;
  }
  if (name === "memory") {
    const held: Uint8Array[] = [];
    for (;;) {
      held.push(new Uint8Array(16 * 1_048_576).fill(1));
      await Bun.sleep(1);
    }
  }
  if (name === "crash") process.kill(process.pid, "SIGSEGV");
  if (name === "exit") process.exit(3);
  const write = (bytes: Uint8Array) => process.stdout.write(bytes);
  if (name === "nonsense") write(new TextEncoder().encode("this is not a frame, but it is long enough"));
  if (name === "flood") for (;;) write(writeFrame({ kind: "parsed" }, new Uint8Array(5_000_000)));
  if (name === "pictures") {
    write(writeFrame({ kind: "reading", ocrMs: 60_000 }));
    await Bun.sleep(5_500);
  }
  if (name === "pages") {
    const pages = 9;
    const lies = [{ page: 0 }, { page: 1.5 }, { page: "1" }, { page: 10 }, { page: 1, pages: 101 }, {}];
    const reached = [...lies, { page: 2 }, { page: 1 }, { page: 2 }, { page: 3, text: "x".repeat(1_000) }];
    for (const each of reached) write(writeFrame({ kind: "page", pages, ...each }));
  }
  const answer = name === "environment" ? Object.keys(process.env).sort().join(" ") : String(process.pid);
  const file = { title: null, pages: [], mimeType: "text/plain", warnings: [] };
  write(writeFrame({ kind: "parsed", file }, new TextEncoder().encode(answer)));
}
