import { expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { findSources } from "../../src/commands/ingest/find-sources.ts";
import { putDocuments } from "../../src/commands/ingest/ingest.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const cwd = await temporaryFolder("sources");

const write = (path: string) => Bun.write(join(cwd, path), "text");
const shown = async (...paths: string[]) =>
  (await Array.fromAsync(findSources(paths, { cwd }))).map(({ kind, shown }) => [kind, shown]);

test("a data directory of Carrel, its own or another's, is no source", async () => {
  await Promise.all(["here/a.md", "here/lock", "here/secret"].map(write));
  await Promise.all(["here/data/lock", "here/data/secret", "here/data/files/ab/abcd"].map(write));
  await mkdir(join(cwd, "here/data/tables"));
  expect(await shown("here")).toEqual([
    ["file", "here/a.md"],
    ["file", "here/lock"],
    ["file", "here/secret"],
  ]);
  expect(await shown("here/data")).toEqual([]);
});

test("what goes while a folder is gone through does not end the command", async () => {
  await Promise.all(["going/a.md", "going/b/c.md", "going/d.md", "going/e.md"].map(write));
  const sources = findSources(["going", "nowhere"], { cwd });
  expect((await sources.next()).value).toMatchObject({ shown: "going/a.md" });
  await rm(join(cwd, "going/b"), { recursive: true });
  await rm(join(cwd, "going/d.md"));
  expect((await Array.fromAsync(sources)).map(({ kind, shown }) => [kind, shown])).toEqual([
    ["file", "going/e.md"],
    ["missing", "nowhere"],
  ]);
});

test("a file that goes before its turn is passed over", async () => {
  await write("turn/a.md");
  const sources = await Array.fromAsync(findSources(["turn", "turn/a.md"], { cwd }));
  await rm(join(cwd, "turn/a.md"));
  const client = { send: () => Promise.reject(new Error("nothing is to be sent")), close: async () => {} };
  const results: string[][] = [];
  const given = (async function* () {
    yield* sources;
  })();
  await putDocuments(client, given, {}, ({ status, source }) => void results.push([status, source]));
  expect(results.sort()).toEqual([
    ["failed", "turn/a.md"],
    ["skipped", "turn/a.md"],
  ]);
});
