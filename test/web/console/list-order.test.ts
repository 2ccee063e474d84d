import { describe, expect, test } from "bun:test";
import {
  type ListOrder,
  nextOrder,
  orders,
  sortDocuments,
  wholeList,
} from "../../../src/web/browser/console/views/documents/list-query.ts";
import { loadMatching, loadPage, maxMatching } from "../../../src/web/browser/console/views/documents/load-list.ts";
import type { Document } from "../../../src/web/browser/shared/api.ts";

const documentOf = (fields: Partial<Document>): Document =>
  ({ id: fields.name, tokens: 0, status: "processed", warnings: [], ...fields }) as Document;

/** Newest first. */
const shelf = [
  documentOf({ name: "part 10", tokens: 5 }),
  documentOf({ name: "Zoo", tokens: null, status: "pending" }),
  documentOf({ name: "part 2", tokens: 900 }),
  documentOf({ name: "Ärger", tokens: 40, status: "failed" }),
];

describe("orders", () => {
  test.each([
    ["newest", ["part 10", "Zoo", "part 2", "Ärger"]],
    ["oldest", ["Ärger", "part 2", "Zoo", "part 10"]],
    ["a-z", ["Ärger", "part 2", "part 10", "Zoo"]],
    ["z-a", ["Zoo", "part 10", "part 2", "Ärger"]],
    ["longest", ["part 2", "Ärger", "part 10", "Zoo"]],
    ["shortest", ["Zoo", "part 10", "Ärger", "part 2"]],
    ["open", ["Ärger", "Zoo", "part 10", "part 2"]],
    ["done", ["part 10", "part 2", "Zoo", "Ärger"]],
  ] as [ListOrder, string[]][])("%s", (order, names) => {
    expect(sortDocuments(shelf, order).map(({ name }) => name)).toEqual(names);
  });

  test("a click on another column begins with its first order, a second one turns it round", () => {
    expect(nextOrder("name", "newest")).toBe("a-z");
    expect(nextOrder("name", "a-z")).toBe("z-a");
    expect(nextOrder("name", "z-a")).toBe("a-z");
    expect(nextOrder("added", "longest")).toBe("newest");
    expect(new Set(orders).size).toBe(8);
  });
});

/** A server with so many documents; the names go down while they get older. */
const serverWith = (total: number, asked: string[] = []) => ({
  async list<Item>(_: string, query: Record<string, unknown> = {}) {
    const { skip, limit, sortOrder } = query as { skip: number; limit: number; sortOrder: string };
    asked.push(`${skip}${sortOrder}`);
    const all = Array.from({ length: total }, (_each, at) => documentOf({ name: `n${total - at}` }));
    if (sortOrder === "asc") all.reverse();
    return { items: all.slice(skip, skip + limit) as Item[], total };
  },
});
const never = new AbortController().signal;

describe("what matches, over all pages", () => {
  test("is loaded once each, at most as many as the bound", async () => {
    const some = await loadMatching(serverWith(250), { ...wholeList, page: 2 });
    expect([some.total, some.items.length, some.items[0]?.name, some.items[249]?.name]).toEqual([
      250,
      250,
      "n250",
      "n1",
    ]);
    const asked: string[] = [];
    const most = await loadMatching(serverWith(12_345, asked), { ...wholeList, order: "oldest" });
    expect([most.total, most.items.length, most.items[0]?.name]).toEqual([12_345, maxMatching, "n1"]);
    expect(asked).toEqual(Array.from({ length: 10 }, (_, at) => `${at * 100}asc`));
  });

  test("is counted once where a new document moves the pages meanwhile", async () => {
    let calls = 0;
    const moving = {
      async list<Item>(_: string, query: Record<string, unknown> = {}) {
        calls += 1;
        const all = Array.from({ length: 150 + calls }, (_each, at) => documentOf({ name: `n${150 + calls - at}` }));
        const skip = Number(query.skip);
        return { items: all.slice(skip, skip + 100) as Item[], total: all.length };
      },
    };
    const { items } = await loadMatching(moving, wholeList);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });
});

describe("a page of the list", () => {
  test("in another order than by time holds what comes there among all that match", async () => {
    const second = await loadPage(serverWith(250), { ...wholeList, order: "a-z", page: 2 }, never);
    expect([second.items.length, second.items[0]?.name, second.total]).toEqual([100, "n101", 250]);
    const last = await loadPage(serverWith(250), { ...wholeList, order: "z-a", page: 3 }, never);
    expect(last.items.map(({ name }) => name).slice(-2)).toEqual(["n2", "n1"]);
  });

  test("of more than the bound comes by time", async () => {
    const whole = await loadPage(serverWith(1_001), { ...wholeList, order: "a-z" }, never);
    expect([whole.items[0]?.name, whole.items.length, whole.total]).toEqual(["n1001", 100, 1_001]);
    const asked: string[] = [];
    const { items, total } = await loadPage(serverWith(1_001, asked), { ...wholeList, order: "a-z", page: 3 }, never);
    expect([items[0]?.name, items.length, total]).toEqual(["n801", 100, 1_001]);
    // The first page tells that there are too many: the others are not asked for.
    expect(asked).toEqual(["0", "200"]);
  });

  test("by time takes one request", async () => {
    const asked: string[] = [];
    await loadPage(serverWith(9_000, asked), { ...wholeList, order: "oldest", page: 4 }, never);
    expect(asked).toEqual(["300asc"]);
  });
});
