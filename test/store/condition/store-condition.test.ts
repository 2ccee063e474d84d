import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolderSizes } from "../../../src/store/condition/store-condition.ts";
import { changeFolders } from "../../changing-folders.ts";
import { startTestServer, type TestServer } from "../../start-server.ts";

const folder = await mkdtemp(join(tmpdir(), "carrel-sizes-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("each part is counted once, with what is deep inside it; links and what is gone are not", async () => {
  await mkdir(join(folder, "tables/a/tables"), { recursive: true });
  await mkdir(join(folder, "files"));
  await writeFile(join(folder, "tables/a/one"), new Uint8Array(100));
  await writeFile(join(folder, "tables/a/tables/two"), new Uint8Array(20));
  await writeFile(join(folder, "lock"), new Uint8Array(3));
  await symlink(join(folder, "tables"), join(folder, "files/link"));
  const sizes = createFolderSizes(folder, ["tables", "files"]);
  expect(await sizes()).toEqual({ tables: 120, files: 0, other: 3 });
  // Measured a moment ago: a scrape does not walk the folder again.
  await writeFile(join(folder, "files/three"), new Uint8Array(7));
  expect(await sizes()).toEqual({ tables: 120, files: 0, other: 3 });
  expect(await createFolderSizes(join(folder, "gone"), ["tables"])()).toEqual({ tables: 0, other: 0 });
});

test("folders that go while they are read are no error", async () => {
  const changing = join(folder, "changing");
  const end = changeFolders(changing);
  for (let walk = 0; walk < 500; walk++) expect(await createFolderSizes(changing, [])()).toEqual({ other: 0 });
  await end();
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { isKept: true });
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
