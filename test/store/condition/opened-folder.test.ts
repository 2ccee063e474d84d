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
  const moved = `${server.dataDir}-moved`;
  await rename(server.dataDir, moved);
  try {
    expect(await ingest("meanwhile")).toEqual([503, "storage_unavailable"]);
    // As LanceDB or a mount point does.
    await mkdir(join(server.dataDir, "tables"), { recursive: true });
    expect(await ingest("again")).toEqual([503, "storage_unavailable"]);
    expect(await readiness()).toEqual(["not_writable"]);
    expect(existsSync(join(server.dataDir, "tables/documents.lance"))).toBe(false);
  } finally {
    await rename(server.dataDir, `${server.dataDir}-empty`);
    await rename(moved, server.dataDir);
  }
  expect(await ingest("after")).toEqual([200, undefined]);
  const names = (await (await server.call("/api/document")).json()) as { name: string }[];
  expect(names.map(({ name }) => name)).toEqual(["after", "before"]);
});
