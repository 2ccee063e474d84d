import { expect, test } from "bun:test";
import { createCrawlQueue } from "../../src/sites/crawl-queue.ts";

test("each address is visited once, in order, and no more than the limit allows", () => {
  const queue = createCrawlQueue("a", 3);
  queue.add("b", 1);
  queue.add("b", 2);
  queue.add("a", 1);
  queue.add("c", 1);
  queue.add("d", 1);
  expect([queue.next(), queue.next(), queue.next()]).toEqual([
    { url: "a", depth: 0 },
    { url: "b", depth: 1 },
    { url: "c", depth: 1 },
  ]);
  expect(queue.isEmpty).toBe(true);
  expect(queue.next()).toBeUndefined();
});

test("an address that a redirect leads to is claimed once, and not queued afterwards", () => {
  const queue = createCrawlQueue("a", 10);
  expect(queue.claim("b")).toBe(true);
  expect(queue.claim("b")).toBe(false);
  queue.next();
  queue.add("b", 1);
  expect(queue.isEmpty).toBe(true);
});
