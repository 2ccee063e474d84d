import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { FileParser } from "../../providers/contract.ts";
import { generateKey } from "../../src/access/key.ts";
import type { DocumentRecord } from "../../src/domain/records.ts";
import { maxStarts } from "../../src/ingest/queue/process-document.ts";
import { formOf } from "../call-server.ts";
import { serveDocuments, waitForDocument } from "../documents/serve-documents.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("a file whose reading kills the server is failed after three times, and costs no other document", async () => {
  const dataDir = await temporaryFolder("killing");
  const key = generateKey();
  const run = async (...texts: string[]) => {
    const command = [process.execPath, join(import.meta.dir, "killing-reader.ts"), dataDir, key, ...texts];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "ignore", timeout: 60_000 });
    const printed = await new Response(child.stdout).text();
    return { code: await child.exited, printed };
  };
  let deaths = 0;
  let last = await run("harmless one", "harmless two", "harmless three", "deadly");
  while (last.printed === "" && deaths < 10) {
    deaths += 1;
    last = await run();
  }
  const documents = JSON.parse(last.printed) as { name: string; status: string; error: string | null }[];
  expect(deaths).toBe(maxStarts);
  const told = Object.fromEntries(documents.map(({ name, status, error }) => [name, [status, error]]));
  expect(told).toEqual({
    "harmless one.txt": ["processed", null],
    "harmless two.txt": ["processed", null],
    "harmless three.txt": ["processed", null],
    "deadly.txt": ["failed", expect.stringContaining("3 times")],
  });
  await rm(dataDir, { recursive: true, force: true });
});

describe("an attempt", () => {
  test("is not made where three were cut off; a retry starts counting anew, and is stored before the reading", async () => {
    const seen: (DocumentRecord | null)[] = [];
    let id = "";
    const tenant = () => ({ organizationId: server.organizationId, partitionId: null });
    const parser: FileParser = {
      async parse() {
        seen.push(await server.store.documents.get(tenant(), id));
        return { text: "What the file says.", pages: [], title: null, mimeType: "text/plain", warnings: [] };
      },
    };
    const server = await serveDocuments({ paused: true, parser });
    const form = formOf({ async: "true", file: new File(["anything"], "file.txt", { type: "text/plain" }) });
    id = (await server.call("POST", "/api/ingest", { body: form })).body.id;
    const untilDone = () => waitForDocument(server, id);
    await server.store.documents.patch(tenant(), id, { begun: maxStarts });
    await server.ingest.start();
    expect(await untilDone()).toMatchObject({ status: "failed", error: expect.stringContaining("3 times") });
    expect(seen).toEqual([]);
    expect((await server.call("POST", `/api/document/${id}/retry`)).status).toBe(200);
    expect(await untilDone()).toMatchObject({ status: "processed", error: null });
    expect(seen).toMatchObject([{ status: "processing", begun: 1 }]);
    expect(await server.store.documents.get(tenant(), id)).toMatchObject({ begun: 0 });
  });
});
