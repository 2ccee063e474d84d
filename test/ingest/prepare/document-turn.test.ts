import { expect, test } from "bun:test";
import { ApiError } from "../../../src/domain/errors.ts";
import { createDocumentTurns, createRecentTenants } from "../../../src/ingest/prepare/document-turn.ts";

const never = new AbortController().signal;

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

test("an organization has at most half of the turns while the server works for others", async () => {
  let now = 0;
  const tenants = createRecentTenants(() => now);
  const turns = createDocumentTurns(4, tenants);
  const counts = async () => {
    await Bun.sleep(0);
    return [turns.large.running, turns.large.waiting];
  };
  tenants.note("asking");
  const ends: (() => void)[] = [];
  const take = (organizationId: string) =>
    void turns
      .take("large", { organizationId, urgency: "background", characters: 0 }, never)
      .then((end) => ends.push(end));
  for (let count = 0; count < 4; count += 1) take("hog");
  expect(await counts()).toEqual([2, 2]);
  take("other");
  expect(await counts()).toEqual([3, 2]);
  ends.shift()?.(); // the hog's share stays two
  expect(await counts()).toEqual([3, 1]);
  now = 2_000; // all turns are its own again
  ends.pop()?.();
  expect(await counts()).toEqual([3, 0]);
});

test("too many callers of an organization are told when to come again, background work waits", async () => {
  const turns = createDocumentTurns(1);
  const take = (organizationId: string, urgency: "interactive" | "background") =>
    turns.take("large", { organizationId, urgency, characters: 0 }, never);
  for (let count = 0; count < 1_001; count += 1) void take("a", "interactive");
  const refusal = await take("a", "interactive").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ code: "overloaded", status: 503, headers: { "Retry-After": "5" } });
  void take("a", "background");
  void take("b", "interactive"); // has a turn of its own
  expect([turns.large.running, turns.large.waiting]).toEqual([2, 1_001]);
});
