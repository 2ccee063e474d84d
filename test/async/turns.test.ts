import { describe, expect, test } from "bun:test";
import { createFairQueue, createTurns } from "../../src/async/turns.ts";

const never = new AbortController().signal;

describe("fair queue", () => {
  const drain = (queue: ReturnType<typeof createFairQueue<string>>): string[] => {
    const drained: string[] = [];
    for (let next = queue.next(); next !== null; next = queue.next()) {
      drained.push(next);
      queue.remove(next.slice(0, 1), next);
    }
    return drained;
  };

  test("gives owners in rotation, each oldest first", () => {
    const queue = createFairQueue<string>();
    for (const entry of ["a1", "a2", "a3", "b1", "c1"]) queue.add(entry.slice(0, 1), entry);
    expect([queue.size, queue.countOf("a"), queue.countOf("d")]).toEqual([5, 3, 0]);
    expect(drain(queue)).toEqual(["a1", "b1", "c1", "a2", "a3"]);
    expect([queue.size, queue.countOf("a")]).toEqual([0, 0]);
  });

  test("gives one that begins to wait its turn before the one that had the last", () => {
    const queue = createFairQueue<string>();
    for (const entry of ["a1", "a2", "b1"]) queue.add(entry.slice(0, 1), entry);
    expect([queue.next(), queue.remove("a", "a1")]).toEqual(["a1", true]);
    queue.add("c", "c1");
    expect(drain(queue)).toEqual(["b1", "c1", "a2"]);
  });

  test("gives the lanes of an owner in rotation", () => {
    const queue = createFairQueue<string>(["x", "y"]);
    for (const entry of ["ay1", "ay2", "ay3", "ax1", "ax2"]) queue.add("a", entry, entry.slice(1, 2));
    expect([queue.countOf("a"), queue.countOf("a", "x")]).toEqual([5, 2]);
    expect(drain(queue)).toEqual(["ax1", "ay1", "ax2", "ay2", "ay3"]);
  });

  test("passes over what may not come, which keeps its place", () => {
    const queue = createFairQueue<string>();
    for (const entry of ["a1", "a2", "b1"]) queue.add(entry.slice(0, 1), entry);
    expect(queue.next((owner) => owner !== "a")).toBe("b1");
    expect(
      queue.next(
        () => true,
        (entry) => entry !== "a1",
      ),
    ).toBe("a2");
    expect(queue.next(() => false)).toBeNull();
    expect([queue.remove("a", "a1"), queue.remove("a", "a1"), queue.remove("c", "c1")]).toEqual([true, false, false]);
    expect(drain(queue)).toEqual(["b1", "a2"]);
  });
});

const limits = { concurrency: 1, maxWaiting: 3, maxWaitingSize: 1_000, tooManyWait: () => new RangeError("too many") };

describe("turns", () => {
  test("are given in rotation, never exceed the concurrency, and ending one twice does no harm", async () => {
    const turns = createTurns({ ...limits, concurrency: 2 });
    const ends = [await turns.take("a", never), await turns.take("a", never)];
    const order: string[] = [];
    const take = async (owner: string, name: string) => {
      ends.push(await turns.take(owner, never));
      order.push(name);
    };
    const waiting = [take("a", "a1"), take("a", "a2"), take("b", "b1")];
    await Bun.sleep(0);
    expect([order, turns.running, turns.waiting]).toEqual([[], 2, 3]);
    ends[0]?.();
    ends[0]?.();
    await Bun.sleep(0);
    expect([order, turns.running, turns.waiting]).toEqual([["b1"], 2, 2]);
    for (let at = 1; at < 5; at += 1) {
      ends[at]?.();
      await Bun.sleep(0);
    }
    await Promise.all(waiting);
    expect([order, turns.running, turns.waiting]).toEqual([["b1", "a1", "a2"], 0, 0]);
  });

  test("of an owner are one after another where it may have one, and those of others at once", async () => {
    const turns = createTurns({ ...limits, concurrency: Number.POSITIVE_INFINITY, maxOf: () => 1 });
    const log: string[] = [];
    const work = async (name: string) => {
      const end = await turns.take("a", never);
      log.push(`${name} in`);
      await Promise.resolve();
      log.push(`${name} out`);
      end();
    };
    await Promise.all([work("1"), work("2"), work("3")]);
    expect(log).toEqual(["1 in", "1 out", "2 in", "2 out", "3 in", "3 out"]);
    await turns.take("a", never);
    await turns.take("b", never);
    expect(turns.running).toBe(2);
  });

  test("are spare for an owner that has none while another takes long, one each", async () => {
    const turns = createTurns({ ...limits, spare: 2 });
    const endLong = await turns.take("a", never);
    void turns.take("a", never);
    const end = await turns.take("b", never);
    await turns.take("c", never);
    let given = "";
    void turns.take("b", never).then(() => {
      given += "b";
    });
    void turns.take("d", never).then(() => {
      given += "d";
    });
    await Bun.sleep(0);
    expect([given, turns.running, turns.waiting]).toEqual(["", 3, 3]);
    end();
    await Bun.sleep(0);
    expect([given.length, turns.running]).toEqual([1, 3]);
    endLong();
  });

  test("are refused to callers beyond the bounds, but to patient ones", async () => {
    const turns = createTurns(limits);
    await turns.take("a", never, { size: 5_000 });
    for (const size of [10, 10, 10]) void turns.take("a", never, { size });
    await expect(turns.take("a", never)).rejects.toThrow(new RangeError("too many"));
    void turns.take("b", never, { size: 900 });
    await expect(turns.take("c", never, { size: 100 })).rejects.toThrow(new RangeError("too many"));
    void turns.take("a", never, { isPatient: true, size: 5_000 });
    expect(turns.waiting).toBe(5);
  });

  test("are not waited for once the signal fires", async () => {
    const turns = createTurns(limits);
    const end = await turns.take("a", never);
    const leaving = new AbortController();
    const given = turns.take("a", leaving.signal, { size: 990 });
    const next = turns.take("a", never);
    leaving.abort("gone");
    expect(await given.catch((reason: unknown) => reason)).toBe("gone");
    expect(await turns.take("b", AbortSignal.abort("gone")).catch((reason: unknown) => reason)).toBe("gone");
    end();
    (await next)();
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
    await turns.take("a", never);
    void turns.take("a", never);
    void turns.take("a", never, { size: 1_000 }); // the size of the one that left is not counted
    expect(turns.waiting).toBe(2);
  });
});
