import { expect, test } from "bun:test";
import { Field, Schema, Utf8 } from "apache-arrow";
import fc from "fast-check";
import { toArrowTable } from "../../src/store/cells.ts";

const schema = new Schema([new Field("text", new Utf8(), true)]);

test("texts and nulls come back as they were, whatever stands beside them", () => {
  const cell = fc.option(fc.string({ unit: "binary" }), { nil: null });
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 20 }), (cells) => {
      const table = toArrowTable(
        schema,
        cells.map((text) => ({ text })),
      );
      expect(Array.from(table.getChild("text") ?? [])).toEqual(cells);
    }),
  );
});

test("halves of a surrogate pair in two rows stay two broken characters", () => {
  const table = toArrowTable(schema, [{ text: "a\ud83d" }, { text: "\ude00b" }]);
  expect(Array.from(table.getChild("text") ?? [])).toEqual(["a\ufffd", "\ufffdb"]);
});

test("what is no text is refused", () => {
  expect(() => toArrowTable(schema, [{ text: 1 }])).toThrow("not a text");
  expect(() => toArrowTable(schema, [{}])).toThrow("without column text");
});
