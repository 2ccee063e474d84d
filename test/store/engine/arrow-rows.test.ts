import { expect, test } from "bun:test";
import type * as Arrow from "apache-arrow";
import fc from "fast-check";
import { toArrowTable } from "../../../src/store/engine/arrow-rows.ts";
import type { Cells } from "../../../src/store/engine/cells.ts";
import {
  boolean,
  type ColumnKind,
  float,
  integer,
  nullableFloat,
  nullableText,
  nullableVector,
  schemaOf,
  texts,
} from "../../../src/store/engine/columns.ts";

const { tableFromIPC, tableToIPC }: typeof Arrow = require("apache-arrow");

const schema = schemaOf({
  text: nullableText,
  float,
  nullableFloat,
  integer,
  boolean,
  texts,
  vector: nullableVector(3),
});

const anyText = fc.string({ unit: "binary", maxLength: 20 });
const anyFloat = fc.double({ noNaN: true });
const row: fc.Arbitrary<Cells> = fc.record({
  text: fc.option(anyText, { nil: null }),
  float: anyFloat,
  nullableFloat: fc.option(anyFloat, { nil: null }),
  integer: fc.integer(),
  boolean: fc.boolean(),
  texts: fc.array(anyText, { maxLength: 4 }),
  vector: fc.option(
    fc
      .array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 })
      .map((numbers) => Float32Array.from(numbers)),
    { nil: null },
  ),
});

const plain = (value: unknown): unknown =>
  typeof value === "object" && value !== null && Symbol.iterator in value ? [...(value as Iterable<unknown>)] : value;

test("cells of every type come back unchanged, also from the bytes that LanceDB gets", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      const table = toArrowTable(schema, rows);
      for (const copy of [table, tableFromIPC(tableToIPC(table, "file"))]) {
        expect(copy.numRows).toBe(rows.length);
        for (const { name } of schema.fields) {
          const column = Array.from(copy.getChild(name) ?? [], plain);
          expect(column).toEqual(rows.map((cells) => plain(cells[name])));
        }
      }
    }),
  );
});

test("halves of a surrogate pair in two rows stay two broken characters", () => {
  const table = toArrowTable(schemaOf({ text: nullableText }), [{ text: "a\ud83d" }, { text: "\ude00b" }]);
  expect(Array.from(table.getChild("text") ?? [])).toEqual(["a\ufffd", "\ufffdb"]);
});

test("a cell of another type is refused", () => {
  const refused = (column: ColumnKind, cell: Cells[string]) =>
    expect(() => toArrowTable(schemaOf({ column }), [{ column: cell }]));
  refused(nullableText, 1).toThrow("not a text");
  refused(float, "1").toThrow("not a number");
  refused(texts, "a").toThrow("not a list of texts");
  refused(nullableVector(3), new Float32Array(2)).toThrow("vector of the wrong length");
  expect(() => toArrowTable(schema, [{}])).toThrow("without column text");
});
