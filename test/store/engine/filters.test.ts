import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import fc from "fast-check";
import { schemaOf, text } from "../../../src/store/engine/columns.ts";
import { contains, equals, foldCase, isOneOf, visibleTo } from "../../../src/store/engine/filters.ts";
import { connect } from "../../../src/store/engine/lance.ts";

let folder: string;
let table: Table;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-filters-"));
  const { connection } = await connect(folder);
  table = await connection.createEmptyTable("values", schemaOf({ value: text, folded: text }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Strings that are made to break out of a quote, among any others. */
const hostile = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        "'",
        "''",
        "\\",
        "\\'",
        '"',
        "\0",
        "\n",
        "\r",
        "%",
        "_",
        "--",
        "/*",
        ";",
        "😀",
        "é",
        "' OR '1'='1",
      ),
    )
    .map((parts) => parts.join("")),
);

test("every stored string is found by its own filter, and by no other", async () => {
  const samples = [...new Set(fc.sample(hostile, { numRuns: 300, seed: 7 }).map((value) => value.toWellFormed()))];
  await table.add(samples.map((value) => ({ value, folded: foldCase(value) })));
  for (const value of samples) {
    const rows = await table.query().where(equals("value", value)).toArray();
    expect(rows.map((row: { value: string }) => row.value)).toEqual([value]);
  }
  expect(await table.countRows(isOneOf("value", samples))).toBe(samples.length);
  expect(await table.countRows(isOneOf("value", []))).toBe(0);
});

test("a substring filter finds what contains it in whatever case, wildcards being ordinary characters", async () => {
  const rows: { value: string; folded: string }[] = await table.query().toArray();
  const sought = fc.sample(hostile, { numRuns: 100, seed: 11 }).filter((value) => value !== "");
  for (const value of [...sought, "%", "_", "É", "SS"]) {
    const expected = rows.filter((row) => foldCase(row.value).includes(foldCase(value.toWellFormed()))).length;
    expect(await table.countRows(contains("folded", value))).toBe(expected);
  }
});

test.each([
  ["Κώστας", "Κώσ"],
  ["ΟΔΟΣΗΜΑΝΣΗ", "οδοσ"],
  ["ΟΔΟΣ", "οδοσ"],
  ["Οδός Ερμού", "ΟΔΌΣ"],
  ["GROẞE STRAẞE", "straße"],
  ["große Straße", "STRAẞE"],
  ["STRAẞE", "rass"],
])("%s contains %s, also in a row that an earlier version folded", async (name, sought) => {
  expect(foldCase(name)).toInclude(foldCase(sought));
  const earlier = name.normalize("NFC").toUpperCase().toLowerCase();
  await table.add([
    { value: `now ${name}`, folded: foldCase(name) },
    { value: `earlier ${name}`, folded: earlier },
  ]);
  const found = await table.query().where(contains("folded", sought)).toArray();
  const values = found.map((row: { value: string }) => row.value);
  expect(values).toContain(`now ${name}`);
  expect(values).toContain(`earlier ${name}`);
});

test("a tenant limited to a partition sees only that partition of its organization", () => {
  expect(visibleTo({ organizationId: "a'b", partitionId: null })).toBe("organizationId = 'a''b'");
  expect(visibleTo({ organizationId: "a", partitionId: "p" })).toBe("(organizationId = 'a') AND (partitionId = 'p')");
});
