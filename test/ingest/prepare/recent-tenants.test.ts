import { expect, test } from "bun:test";
import { createRecentTenants } from "../../../src/ingest/prepare/turns.ts";

test("another organization is there for two seconds after its last request", () => {
  let now = 0;
  const tenants = createRecentTenants(() => now);
  const others = () => ["a", "b", "c"].map((id) => tenants.hasOthersThan(id));
  expect(others()).toEqual([false, false, false]);
  tenants.note("a");
  expect(others()).toEqual([false, true, true]);
  tenants.note("b");
  expect(others()).toEqual([true, true, true]);
  now = 1_500;
  tenants.note("a");
  tenants.note("a");
  expect(others()).toEqual([true, true, true]);
  now = 2_000; // b's request is two seconds ago
  expect(others()).toEqual([false, true, true]);
  now = 3_500;
  expect(others()).toEqual([false, false, false]);
});
