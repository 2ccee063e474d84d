import { resolve } from "node:path";
import { startWorkerProcess } from "../../src/parse/process/worker-pool.ts";

/** A server that dies at once while its parsing process is in an endless loop; prints that process's id first. */
const command = [process.execPath, resolve(import.meta.dir, process.argv[2] ?? "")];
const worker = startWorkerProcess(command, {
  timeoutMs: 60_000,
  ocrTimeoutMs: 0,
  maxMemoryBytes: 1e9,
  maxTextLength: 1e6,
});
const request = {
  name: "x",
  mimeType: null,
  baseUrl: null,
  charset: null,
  maxUnpackedBytes: 1,
  maxPages: 1,
  maxTextLength: 1,
  ocr: null,
};
worker
  .parse({ bytes: new Uint8Array(1), name: "x", mimeType: null }, request, new AbortController().signal)
  .catch(() => {});
await Bun.sleep(400);
console.log(worker.pid);
process.kill(process.pid, "SIGKILL");
