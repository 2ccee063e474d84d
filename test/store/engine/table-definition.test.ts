import { expect, test } from "bun:test";
import { toArrowTable } from "../../../src/store/engine/arrow-rows.ts";
import { type Cells, createRowReader, isStrings } from "../../../src/store/engine/cells.ts";
import {
  derived,
  float,
  group,
  integer,
  json,
  nullableJson,
  nullableText,
  oneOf,
  text,
} from "../../../src/store/engine/columns.ts";
import {
  columnsOf,
  DamagedRowError,
  defineTable,
  type TableDefinition,
} from "../../../src/store/engine/table-definition.ts";

interface Bird {
  name: string;
  ring: string | null;
  state: "resident" | "migrant";
  calls: string[];
  notes: string[] | null;
  size: { wing: number; eggs: number };
}

const birds = defineTable<Bird, "nameUpper">({
  name: "birds",
  key: "name",
  indexes: { name: "btree" },
  columns: {
    name: text,
    nameUpper: derived(text, ({ name }) => name.toUpperCase()),
    ring: nullableText,
    state: oneOf("resident", "migrant"),
    size: group({ wing: float, eggs: integer }),
    calls: json(isStrings),
    notes: nullableJson(isStrings),
  },
});

const heron: Bird = {
  name: "heron",
  ring: null,
  state: "resident",
  calls: ["fraank"],
  notes: null,
  size: { wing: 1.8, eggs: 4 },
};

const readerOfCells = (definition: TableDefinition<Bird>, cells: Cells) => {
  const [batch] = toArrowTable(definition.schema, [cells]).batches;
  if (batch === undefined) throw new Error("no batch");
  return createRowReader(batch).at(0);
};
const readerOf = (definition: TableDefinition<Bird>, bird: Bird) => readerOfCells(definition, definition.encode(bird));

test("columns stand in the table in the order of the definition, groups in their place", () => {
  expect(columnsOf(birds)).toEqual([
    "name",
    "nameUpper",
    "ring",
    "state",
    "wing",
    "eggs",
    "calls",
    "notes",
    "checksum",
  ]);
  expect(birds.schema.fields.filter(({ nullable }) => nullable).map(({ name }) => name)).toEqual([
    "ring",
    "notes",
    "checksum",
  ]);
});

test("a record comes back as it was, and derived columns are written beside it", () => {
  const noted: Bird = { ...heron, ring: "r1", notes: ["shy"] };
  for (const bird of [heron, noted]) expect(birds.decode(readerOf(birds, bird))).toEqual(bird);
  expect(readerOf(birds, heron).string("nameUpper")).toBe("HERON");
});

test("a stored value that the record does not allow is refused", () => {
  const extinct = { ...heron, state: "extinct" } as unknown as Bird;
  expect(() => birds.decode(readerOf(birds, extinct))).toThrow("the column state in the store has an unknown value");
  const silent = { ...heron, calls: "none" } as unknown as Bird;
  expect(() => birds.decode(readerOf(birds, silent))).toThrow("a JSON column holds a value of another type");
});

test("a row with another cell than was written is refused; one without a checksum is taken as it is", () => {
  const cells = birds.encode({ ...heron, notes: ["shy"] });
  const read = (changed: object) => () => birds.decode(readerOfCells(birds, { ...cells, ...changed }));
  expect(read({})()).toEqual({ ...heron, notes: ["shy"] });
  for (const changed of [{ name: "herom" }, { nameUpper: "HEROM" }, { ring: "r" }, { notes: null }, { checksum: 1 }])
    expect(read(changed)).toThrow(DamagedRowError);
  expect(read({ name: "egret", checksum: null })().name).toBe("egret");
});

test("the compiler refuses a column that is missing or of another type", () => {
  const table = { name: "birds", key: null, indexes: {} };
  defineTable<{ name: string; wing: number }>({
    ...table,
    // @ts-expect-error: wing is a number
    columns: { name: text, wing: text },
  });
  // @ts-expect-error: wing has no column
  defineTable<{ name: string; wing: number }>({ ...table, columns: { name: text } });
  // @ts-expect-error: the record has no beak
  defineTable<{ name: string }>({ ...table, columns: { name: text, beak: text } });
});
