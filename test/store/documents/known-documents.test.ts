import { expect, test } from "bun:test";
import type { DocumentRecord } from "../../../src/domain/records.ts";
import {
  createIdsByValue,
  createKnownDocuments,
  type KnownDocument,
} from "../../../src/store/documents/known-documents.ts";
import type { StoreTable } from "../../../src/store/engine/store-table.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";

const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

test("pages are those of a sorted list, whatever was added, replaced and removed", () => {
  const next = random(7);
  const drawn = (id: number): KnownDocument => ({
    id: `d${id}`,
    organizationId: next() < 0.7 ? "one" : "other",
    createdAt: Math.floor(next() * 40), // many are created in one millisecond
  });
  const there = new Map(Array.from({ length: 60 }, (_, id) => [`d${id}`, drawn(id)]));
  const known = createKnownDocuments([...there.values()]);
  for (let step = 0; step < 400; step++) {
    const document = drawn(Math.floor(next() * 90));
    if (next() < 0.4) {
      there.delete(document.id);
      known.remove(document.id);
    } else {
      there.set(document.id, document);
      known.note(document);
    }
    const organizationId = next() < 0.5 ? "one" : "other";
    const sorted = [...there.values()]
      .filter((one) => one.organizationId === organizationId)
      .sort((one, two) => one.createdAt - two.createdAt || (one.id < two.id ? -1 : 1))
      .map(({ id }) => id);
    const [skip, limit] = [Math.floor(next() * 50), Math.floor(next() * 20)];
    const page = (sortOrder: "asc" | "desc") => known.page(organizationId, { skip, limit, sortOrder });
    expect(page("asc")).toEqual({ items: sorted.slice(skip, skip + limit), total: sorted.length });
    expect(page("desc").items).toEqual(sorted.toReversed().slice(skip, skip + limit));
    expect(known.size).toBe(there.size);
    expect(known.organizationOf(document.id)).toBe(there.get(document.id)?.organizationId ?? null);
  }
});

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
