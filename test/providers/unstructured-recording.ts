import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningServer } from "./replay.ts";

export interface RecordedFile {
  status: number;
  response: string;
}

/** Fixtures whose answers are recorded: tables, pages, mail, scans, locked, broken and unknown files. */
export const recordedFiles = [
  "docx-tables.docx",
  "fake-power-point-table.pptx",
  "stanley-cups.xlsx",
  "fake-email-attachment.eml",
  "korean-text-with-tables.pdf",
  "umlauts-non-utf8.md",
  "password.pdf",
  "password_protected.xlsx",
  "single_table.pdf",
  "empty.xlsx",
  "simple.zip",
  "DA-1p.png",
] as const;

/**
 * Old formats, which a server reads only with LibreOffice beside it. Recorded are a refusal of a server without it
 * (simple.doc) and an answer of one with it (fake-power-point.ppt).
 */
export const oldFormats = ["simple.doc", "fake-power-point.ppt"] as const;

export const recordingPath = join(import.meta.dir, "recorded/unstructured.json");

/**
 * Gives the recorded answer by the file's name. After a 500 it closes the connection without a word, as the real one
 * does: a client that keeps connections would fail on its next call.
 */
export const startUnstructuredReplay = (seen: { form: Record<string, string>; bytes: Uint8Array }[]): RunningServer => {
  const recorded = JSON.parse(readFileSync(recordingPath, "utf8")) as Record<string, RecordedFile>;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (new URL(request.url).pathname !== "/general/v0/general") return new Response("{}", { status: 404 });
      const form = await request.formData();
      const file = form.get("files") as File;
      const fields = [...form.entries()]
        .filter(([name]) => name !== "files")
        .map(([name, value]) => [name, `${value}`]);
      seen.push({ form: Object.fromEntries(fields), bytes: new Uint8Array(await file.arrayBuffer()) });
      const found = recorded[file.name];
      if (!found) return new Response("not recorded", { status: 599 });
      const headers = { "content-type": "application/json", ...(found.status === 500 ? { connection: "close" } : {}) };
      return new Response(found.response, { status: found.status, headers });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
};
