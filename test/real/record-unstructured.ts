/**
 * Records what a real Unstructured server answers to the fixtures that the adapter's test uses:
 *
 *     CARREL_TEST_UNSTRUCTURED=http://127.0.0.1:8000 bun test/real/record-unstructured.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oldFormats, type RecordedFile, recordedFiles, recordingPath } from "../providers/unstructured-recording.ts";

const target = process.env.CARREL_TEST_UNSTRUCTURED;
if (!target) throw new Error("set CARREL_TEST_UNSTRUCTURED to the address of a real Unstructured server");

const before = JSON.parse(readFileSync(recordingPath, "utf8")) as Record<string, RecordedFile>;
const recorded: Record<string, RecordedFile> = {};
for (const name of recordedFiles) {
  const form = new FormData();
  const bytes = readFileSync(join(import.meta.dir, "../fixtures/documents", name));
  form.append("files", new Blob([bytes], { type: "application/octet-stream" }), name);
  form.append("strategy", "fast");
  const answer = await fetch(`${target}/general/v0/general`, {
    method: "POST",
    body: form,
    // After a 500 the server closes the connection without saying so.
    keepalive: false,
  });
  recorded[name] = { status: answer.status, response: await answer.text() };
}
// What is said of these depends on what is installed beside the server: their recordings stay.
for (const name of oldFormats) if (before[name] !== undefined) recorded[name] = before[name];
writeFileSync(recordingPath, `${JSON.stringify(recorded, null, 1)}\n`);
