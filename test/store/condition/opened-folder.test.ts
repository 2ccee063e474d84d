import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { startTestServer, type TestServer } from "../../start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ingest = async (name: string): Promise<[number, string | undefined]> => {
  const response = await server.post("/api/ingest", { name, text: `The pump of ${name} is serviced every 400 hours.` });
  return [response.status, ((await response.json()) as { code?: string }).code];
};
const readiness = async () => ((await (await server.call("/health/ready")).json()) as { problems: string[] }).problems;

test("nothing is acknowledged while the data directory is away, and all is there when it is back", async () => {
  expect(await ingest("before")).toEqual([200, undefined]);
  const upload = new FormData();
  upload.set("file", new File(["The lift is serviced every 400 hours."], "lift.txt"));
  const { id } = (await server.ask("POST", "/api/ingest", { body: upload })).body;
  const moved = `${server.dataDir}-moved`;
  await rename(server.dataDir, moved);
  try {
    expect(await ingest("meanwhile")).toEqual([503, "storage_unavailable"]);
    // As LanceDB or a mount point does.
    await mkdir(join(server.dataDir, "tables"), { recursive: true });
    expect(await ingest("again")).toEqual([503, "storage_unavailable"]);
    for (const path of [
      "/api/document",
      `/api/document/${id}`,
      `/api/document/${id}/file`,
      "/api/chat",
      "/api/audit",
    ]) {
      const { status, body } = await server.ask("GET", path);
      // What is in memory may still be answered; nothing says that a record is not there.
      expect([path, status, body?.code]).toEqual(
        status === 200 ? [path, 200, undefined] : [path, 503, "storage_unavailable"],
      );
    }
    const asked = await server.ask("POST", "/api/query", { json: { query: "When is the pump serviced?" } });
    expect([200, 503]).toContain(asked.status);
    expect(await readiness()).toEqual(["not_writable"]);
    expect(existsSync(join(server.dataDir, "tables/documents.lance"))).toBe(false);
  } finally {
    await rename(server.dataDir, `${server.dataDir}-empty`);
    await rename(moved, server.dataDir);
  }
  expect(await ingest("after")).toEqual([200, undefined]);
  const names = (await (await server.call("/api/document")).json()) as { name: string }[];
  expect(names.map(({ name }) => name)).toEqual(["after", "lift.txt", "before"]);
  expect((await server.ask("GET", `/api/document/${id}/file`)).text).toContain("400 hours");
});
