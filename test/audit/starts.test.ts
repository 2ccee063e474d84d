import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultConfig } from "../../config/load.ts";
import { Secret } from "../../config/secret.ts";
import { generateKey } from "../../src/access/key.ts";
import { leaveRestoredNote } from "../../src/audit/notes.ts";
import { freePort } from "../free-port.ts";
import { type ConfigChange, startTestServer, type TestServer, testConfig } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";

const folder = await temporaryFolder("audit-starts");
const adminKey = generateKey();

interface Entry {
  id: string;
  action: string;
  createdAt: string;
  actor: { kind: string };
  details: Record<string, unknown>;
}

const entriesOf = async (server: TestServer, action: string, key = server.key): Promise<Entry[]> =>
  (await server.ask("GET", `/api/audit?action=${action}`, { key })).body;

test("settings that differ from those of the last start are named, without their values", async () => {
  const dataDir = join(folder, "settings");
  const changed = async (change: ConfigChange): Promise<unknown[]> => {
    const server = await startTestServer(change, { adminKey }, dataDir);
    const found = await entriesOf(server, "settings.changed");
    await server.stop();
    return found.map(({ actor, details }) => [actor.kind, details.settings]);
  };
  const { models } = defaultConfig();
  const withKey = (text: string): ConfigChange => ({
    models: { answer: { ...models.answer, apiKey: new Secret(text) } },
  });
  expect(await changed(withKey("hunter2-one"))).toEqual([]); // there was no start before
  expect(await changed(withKey("hunter2-one"))).toEqual([]);
  const first = ["start", ["models.answer.apiKey"]];
  expect(await changed(withKey("hunter2-two"))).toEqual([first]);
  expect(await changed({ ...withKey("hunter2-two"), ingest: { concurrency: 3 } })).toEqual([
    ["start", ["ingest.concurrency"]],
    first,
  ]);
  expect(await readFile(join(dataDir, "settings-seen.json"), "utf8")).not.toContain("hunter2");
});

test("settings that were read again while it ran are not told twice", async () => {
  const dataDir = join(folder, "reloaded");
  const server = await startTestServer({}, { adminKey }, dataDir);
  const change: ConfigChange = { answers: { refusalThreshold: 0.7 } };
  const next = testConfig(dataDir, change);
  expect((await server.reload(next)).live).toEqual(["answers.refusalThreshold"]);
  await server.stop();
  const again = await startTestServer(change, { adminKey }, dataDir);
  expect(await entriesOf(again, "settings.reloaded")).toHaveLength(1);
  expect(await entriesOf(again, "settings.changed")).toEqual([]);
});

test("a restore is told to every organization once, with its time", async () => {
  const dataDir = join(folder, "restored");
  const before = await startTestServer({}, { adminKey }, dataDir);
  const other = await before.issueKey({ organization: "Other", role: "admin" });
  await before.stop();
  const leftAt = Date.now();
  await leaveRestoredNote(dataDir, "backup.restored", { backup: "0198c5a0" });
  for (const _ of ["first", "second"]) {
    const server = await startTestServer({}, { adminKey }, dataDir);
    const found = [await entriesOf(server, "backup.restored"), await entriesOf(server, "backup.restored", other)];
    await server.stop();
    for (const entries of found)
      expect(entries).toMatchObject([{ actor: { kind: "operator" }, details: { backup: "0198c5a0" } }]);
    expect(Date.parse(found[0]?.[0]?.createdAt ?? "") - leftAt).toBeLessThan(5_000);
    expect(found[0]?.[0]?.id).not.toBe(found[1]?.[0]?.id);
    expect(await readdir(dataDir)).not.toContain("restored.json");
  }
});

test("a restore is told before the server is ready", async () => {
  const dataDir = join(folder, "restored-at-once");
  const before = await startTestServer({}, { adminKey }, dataDir);
  const keys = [adminKey];
  for (let other = 1; other <= 20; other += 1)
    keys.push(await before.issueKey({ organization: `Other ${other}`, role: "admin" }));
  await before.stop();
  await leaveRestoredNote(dataDir, "backup.restored", { backup: "0198c5a0" });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const starting = startTestServer({ server: { port } }, { adminKey }, dataDir);
  await until(() =>
    fetch(`${url}/health/ready`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  const found = keys.map(async (key) => {
    const path = `${url}/api/audit?action=backup.restored`;
    const answer = await fetch(path, { headers: { authorization: `Bearer ${key}` } });
    return (await answer.json()) as Entry[];
  });
  expect((await Promise.all(found)).map(({ length }) => length)).toEqual(keys.map(() => 1));
  await (await starting).stop();
});
