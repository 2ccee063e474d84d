import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../src/store/engine/lance.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { byChance } from "../../../src/store/search/mean-lengths.ts";
import { snippetRows } from "../../../src/store/search/snippet-rows.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

test("a sample takes its share of small documents and of a large one, the same rows each time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-sample-"));
  const { lance, connection } = await connect(folder);
  const opener = await createTableOpener(lance, connection, silentLog);
  const table = await opener.open(snippetRows("x", 8), passiveHooks);
  const half = 6_000;
  const texts = Array.from({ length: half }, () => "text");
  const rows = sampleSnippets(sampleDocument(), ["x"], texts).map(({ vectors: _, ...snippet }) => ({
    ...snippet,
    metadataPairs: [],
    vector: null,
  }));
  const revisionOf = (at: number): string => `${Bun.hash.crc32(`a${at}`)}-${Bun.hash.wyhash(`${at}`).toString(16)}`;
  await table.add("x", [
    ...rows.map((row, at) => ({ ...row, position: 0, revision: revisionOf(at) })),
    ...rows.map((row) => ({ ...row, revision: revisionOf(half) })),
  ]);

  const wanted = 1_000;
  const where = byChance(wanted, 2 * half);
  if (where === null) throw new Error("all rows");
  const read = () =>
    table.scan(["revision", "position"], { where }, (row) => [row.string("revision"), row.number("position")]);
  const sample = await read();
  expect(await read()).toEqual(sample);
  const ofLarge = sample.filter(([revision]) => revision === revisionOf(half)).length;
  const ofSmall = sample.length - ofLarge;
  for (const part of [ofLarge, ofSmall]) {
    expect(part).toBeGreaterThan(0.4 * wanted);
    expect(part).toBeLessThan(0.75 * wanted);
  }
  expect(byChance(wanted, wanted)).toBeNull();
  connection.close();
  await rm(folder, { recursive: true, force: true });
});
