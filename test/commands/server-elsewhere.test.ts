import { expect, test } from "bun:test";
import { readdir, readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { externalIdOfFile } from "../../src/folders/target.ts";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { eventually } from "../until.ts";
import { type Run, run } from "./run.ts";

const folder = await temporaryFolder("elsewhere");
const server = await startTestServer();
const key = server.key;
await Bun.write(join(folder, "notes/pump.md"), "# Pump\n\nThe primary pump is serviced every 400 hours.\n");
await Bun.write(join(folder, "notes/fan.md"), "# Fan\n\nThe fan is made by Ziehl.\n");

const env = (): Record<string, string> => ({ CARREL_KEY: key, CARREL_DATA_DIR: join(folder, "no-data") });
const carrel = (...argv: string[]): Promise<Run> => run([...argv, "--server", server.url], { cwd: folder, env: env() });
const listed = async (): Promise<{ id: string; name: string; metadata: { externalId: string } }[]> =>
  JSON.parse((await carrel("list", "--json")).out);

test("documents of a server elsewhere are put in, listed, asked, exported, imported and deleted", async () => {
  expect((await carrel("list")).out).toMatch(/^ID +STATUS +ADDED +NAME\n$/);
  expect(await listed()).toEqual([]);
  expect(await carrel("ingest", "notes", "--partition", "Shelf")).toMatchObject({
    status: 0,
    err: "2 processed, 0 unchanged, 0 skipped, 0 failed\n",
  });
  expect((await carrel("ingest", "notes/pump.md")).err).toContain("0 failed");
  const documents = await listed();
  expect(documents.map(({ name }) => name).sort()).toEqual(["fan.md", "pump.md"]);
  const pump = documents.find(({ name }) => name === "pump.md");
  // Another machine with the same path has other documents.
  const path = join(folder, "notes/pump.md");
  expect(pump?.metadata.externalId).toBe(externalIdOfFile(path, hostname()));
  expect(externalIdOfFile(path, hostname())).not.toBe(externalIdOfFile(path));

  expect((await carrel("list", "--partition", "Shelf")).out.trimEnd().split("\n").slice(1)).toEqual(
    documents.map(({ id, name }) => expect.stringMatching(new RegExp(`^${id}  processed +20[^ ]+Z  ${name}$`))),
  );
  expect((await carrel("list", "--partition", "None")).err).toContain('There is no partition "None".');
  expect((await carrel("ask", "How often is the primary pump serviced?")).out).toContain("400 hours");
  expect((await carrel("ask", "Who makes the fan?", "--document", "fan.md")).out).toContain("Ziehl");
  expect((await carrel("ask", "Who?", "--document", "none.md")).err).toContain('There is no document "none.md".');

  const target = join(folder, "exported");
  expect((await carrel("export", target)).out).toContain("2 documents with 2 files");
  expect(await readdir(join(target, "files"))).toHaveLength(2);
  expect((await carrel("import", target)).out).toContain("documents   0 added, 2 already here");

  expect((await carrel("delete", "fan.md")).out).toMatch(/^Deleted /);
  expect((await carrel("delete", "fan.md")).err).toContain('There is no document "fan.md".');
  for (const text of ["one", "two"]) await server.ask("POST", "/api/ingest", { json: { name: "twice", text } });
  expect((await carrel("delete", "twice")).err).toMatch(
    /2 documents are called "twice": name one by its id \(.+, .+\)/,
  );
  const twice = (await listed()).find(({ name }) => name === "twice")?.id ?? "";
  expect(JSON.parse((await carrel("delete", twice, "--json")).out)).toEqual({ id: twice, deleted: true });
  expect((await carrel("import", target)).out).toContain("documents   1 added, 1 already here");
  expect(await readdir(folder)).not.toContain("no-data");
});

test("a folder is followed on a server elsewhere, beside the documents of the same folder of another machine", async () => {
  const watched = join(folder, "watched");
  await Bun.write(join(watched, "a.md"), "The anchor weighs 40 kg.");
  // As the store's own machine would know it: this client must not remove it.
  const { id: local } = (
    await server.ask("POST", "/api/ingest", {
      json: {
        name: "local",
        text: "local",
        metadata: { externalId: externalIdOfFile(join(watched, "gone.md")) },
      },
    })
  ).body;
  const stop = new AbortController();
  const watching = run(["ingest", watched, "--watch", "--server", server.url], { env: env(), stop: stop.signal });
  await eventually(async () => expect((await listed()).map(({ name }) => name)).toContain("a.md"));
  await rm(join(watched, "a.md"));
  await eventually(async () => expect((await listed()).map(({ name }) => name)).not.toContain("a.md"));
  stop.abort();
  await watching;
  expect((await listed()).map(({ id }) => id)).toContain(local);
});

test("what is missing for a server elsewhere is named", async () => {
  const refused = async (argv: string[], variables: Record<string, string> = env()) => {
    const { status, err } = await run(argv, { cwd: folder, env: variables });
    return [status, err];
  };
  const at = ["--server", server.url];
  expect(await refused(["list", ...at], {})).toEqual([2, expect.stringContaining("set the variable CARREL_KEY")]);
  expect(await refused(["list", "--server", "localhost:7373"])).toEqual([
    2,
    expect.stringContaining("--server takes an address"),
  ]);
  expect(await refused(["list", "--server", "http://127.0.0.1:9"])).toEqual([
    1,
    expect.stringContaining("cannot be reached"),
  ]);
  expect(await refused(["list", ...at, "--organization", "other"])).toEqual([
    2,
    expect.stringContaining("--organization does not go with --server"),
  ]);
  expect(await refused(["ask", "Who?", "notes/fan.md", ...at])).toEqual([
    2,
    expect.stringContaining("--server do not go with them"),
  ]);
  expect(await refused(["list", ...at], { CARREL_KEY: `crl_${"x".repeat(43)}` })).toEqual([
    1,
    expect.stringContaining("key"),
  ]);
  const reader = (await server.ask("POST", "/api/key", { json: { name: "reader" } })).body.key;
  expect((await refused(["delete", "pump.md", ...at], { CARREL_KEY: reader }))[0]).toBe(1);
  expect(await readFile(join(folder, "notes/pump.md"), "utf8")).toContain("pump");
});
