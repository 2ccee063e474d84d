import { expect, test } from "bun:test";
import { createKnownDocuments, type KnownDocument } from "../../../src/store/documents/known-documents.ts";

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
