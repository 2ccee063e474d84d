import { expect, test } from "bun:test";
import type { DocumentRecord } from "../../../src/domain/records.ts";
import { createIdsByValue } from "../../../src/store/documents/ids-by-value.ts";
import type { StoreTable } from "../../../src/store/engine/store-table.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";

test("the table is read once, however many documents are looked up and written", async () => {
  const stored = sampleDocument({ id: "stored", externalId: "x" });
  const reads: string[] = [];
  const opened = Promise.withResolvers<void>();
  const row = { string: (column: keyof DocumentRecord) => String(stored[column]) };
  const table = {
    scan: async (_: unknown, { where }: { where: string }, use: (row: unknown) => void) => {
      reads.push(where);
      await opened.promise;
      use(row);
      return [];
    },
  } as unknown as StoreTable<DocumentRecord>;
  const gone = new Set<string>();
  const lookup = createIdsByValue(table, "externalId", (id) => !gone.has(id));
  const { organizationId } = stored;
  const find = (value: string) => lookup.find(organizationId, value);
  lookup.note(sampleDocument({ id: "before", externalId: "x" })); // the table has it when it is read
  const first = find("x");
  lookup.note(sampleDocument({ id: "meanwhile", externalId: "x" }));
  opened.resolve();
  expect(new Set(await first)).toEqual(new Set(["meanwhile", "stored"]));
  for (let at = 0; at < 100; at++) {
    lookup.note(sampleDocument({ id: `id ${at}`, externalId: `value ${at}` }));
    expect(await find(`value ${at}`)).toEqual([`id ${at}`]);
  }
  expect(await find("unknown")).toEqual([]);
  // One that is deleted and comes again, day after day, does not become many.
  for (let day = 0; day < 100; day++) {
    lookup.note(sampleDocument({ id: `day ${day}`, externalId: "daily" }));
    expect((await find("daily"))?.at(-1)).toBe(`day ${day}`);
    gone.add(`day ${day}`);
  }
  for (let at = 0; at < 33; at++) lookup.note(sampleDocument({ id: `same ${at}`, externalId: "same" }));
  expect(await find("same")).toBeNull();
  expect(reads).toEqual(["externalId IS NOT NULL"]);
});
