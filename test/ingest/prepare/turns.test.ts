import { describe, expect, test } from "bun:test";
import { ApiError } from "../../../src/domain/errors.ts";
import { createRecentTenants, createTurns } from "../../../src/ingest/prepare/turns.ts";

const never = new AbortController().signal;
const limits = { concurrency: 1, maxWaitingCallers: 3, maxWaitingCharacters: 1_000 };

/** Takes turns in the order given and notes in which order they come. */
const orderOf = async (asked: [organization: string, urgency: "interactive" | "background"][]): Promise<string[]> => {
  const turns = createTurns({ ...limits, maxWaitingCallers: 100 });
  const end = await turns.take("first", "interactive", 0, never);
  const order: string[] = [];
  const done = asked.map(async ([organization, urgency], at) => {
    const endTurn = await turns.take(organization, urgency, 0, never);
    order.push(`${organization}${at}`);
    endTurn();
  });
  end();
  await Promise.all(done);
  return order;
};

describe("turns", () => {
  test("are given to organizations in rotation", async () => {
    const order = await orderOf([
      ["a", "background"],
      ["a", "background"],
      ["a", "background"],
      ["b", "background"],
      ["c", "interactive"],
    ]);
    expect(order).toEqual(["a0", "b3", "c4", "a1", "a2"]);
  });

  test("are given by turns to waiting callers and to background work of one organization", async () => {
    const order = await orderOf([
      ["a", "background"],
      ["a", "background"],
      ["a", "background"],
      ["a", "interactive"],
      ["a", "interactive"],
    ]);
    expect(order).toEqual(["a3", "a0", "a4", "a1", "a2"]);
  });

  test("never exceed the concurrency, and ending one twice does no harm", async () => {
    const turns = createTurns({ ...limits, concurrency: 2 });
    const first = await turns.take("a", "interactive", 0, never);
    await turns.take("a", "interactive", 0, never);
    let third = false;
    const waiting = turns.take("a", "interactive", 0, never).then(() => {
      third = true;
    });
    await Promise.resolve();
    expect([third, turns.running, turns.waiting]).toEqual([false, 2, 1]);
    first();
    first();
    await waiting;
    expect([third, turns.running, turns.waiting]).toEqual([true, 2, 0]);
  });

  test("are at most half of them one organization's while the server works for others", async () => {
    let now = 0;
    const tenants = createRecentTenants(() => now);
    const turns = createTurns({ ...limits, concurrency: 4, spare: 4, maxWaitingCallers: 10, tenants });
    tenants.note("asking");
    const ends: (() => void)[] = [];
    const take = (organization: string) =>
      void turns.take(organization, "background", 0, never).then((end) => ends.push(end));
    for (let count = 0; count < 4; count += 1) take("hog");
    await Bun.sleep(0);
    expect([turns.running, turns.waiting]).toEqual([2, 2]);
    take("other");
    await Bun.sleep(0);
    expect([turns.running, turns.waiting]).toEqual([3, 2]);
    ends.shift()?.(); // the hog's share stays two
    await Bun.sleep(0);
    expect([turns.running, turns.waiting]).toEqual([3, 1]);
    now = 2_000; // all turns are its own again
    ends.pop()?.();
    await Bun.sleep(0);
    expect([turns.running, turns.waiting]).toEqual([3, 0]);
  });

  test("are spare for an organization that has none while another takes long, one each", async () => {
    const turns = createTurns({ ...limits, spare: 2 });
    const endLong = await turns.take("a", "background", 0, never);
    void turns.take("a", "background", 0, never);
    const end = await turns.take("b", "interactive", 0, never);
    await turns.take("c", "background", 0, never);
    let given = "";
    void turns.take("b", "interactive", 0, never).then(() => {
      given += "b";
    });
    void turns.take("d", "interactive", 0, never).then(() => {
      given += "d";
    });
    await Bun.sleep(0);
    expect([given, turns.running, turns.waiting]).toEqual(["", 3, 3]);
    end();
    await Bun.sleep(0);
    expect([given.length, turns.running]).toEqual([1, 3]);
    endLong();
  });

  test("refuse callers beyond the bound with Retry-After, but not background work", async () => {
    const turns = createTurns(limits);
    await turns.take("a", "interactive", 0, never);
    for (let waiting = 0; waiting < 3; waiting++) void turns.take("a", "interactive", 10, never);
    const refusal = await turns.take("a", "interactive", 0, never).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ code: "overloaded", status: 503, headers: { "Retry-After": "5" } });
    void turns.take("b", "interactive", 10, never);
    void turns.take("a", "background", 0, never);
    expect(turns.waiting).toBe(5);
  });

  test("refuse callers beyond the bound also where turns are free for others alone", async () => {
    const tenants = createRecentTenants(() => 0);
    const turns = createTurns({ ...limits, concurrency: 4, tenants });
    tenants.note("other");
    for (let count = 0; count < 2 + limits.maxWaitingCallers; count++) void turns.take("hog", "interactive", 0, never);
    expect([turns.running, turns.waiting]).toEqual([2, 3]);
    await expect(turns.take("hog", "interactive", 0, never)).rejects.toMatchObject({ code: "overloaded" });
    void turns.take("other", "interactive", 0, never);
    expect([turns.running, turns.waiting]).toEqual([3, 3]);
  });

  test("refuse callers that would hold too much text", async () => {
    const turns = createTurns(limits);
    await turns.take("a", "interactive", 5_000, never);
    void turns.take("a", "interactive", 900, never);
    await expect(turns.take("b", "interactive", 200, never)).rejects.toMatchObject({ code: "overloaded" });
  });

  test("are not waited for once the signal fires", async () => {
    const turns = createTurns(limits);
    const end = await turns.take("a", "interactive", 0, never);
    const leaving = new AbortController();
    const given = turns.take("a", "interactive", 10, leaving.signal);
    leaving.abort("gone");
    expect(await given.catch((reason: unknown) => reason)).toBe("gone");
    end();
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });
});
