import { describe, expect, test } from "bun:test";
import { createKeyedQueue } from "../../src/async/keyed-queue.ts";

const never = new AbortController().signal;

const createQueue = (maxWaiting = 100) =>
  createKeyedQueue({ maxWaiting, tooManyWaiting: () => new RangeError("too many") });

describe("keyed queue", () => {
  test("runs the work of one key one after another, in order, and that of other keys at once", async () => {
    const queue = createQueue();
    const log: string[] = [];
    const work = async (key: string, name: string) => {
      const turn = await queue.enter(key, never);
      log.push(`${name} in`);
      await Promise.resolve();
      log.push(`${name} out`);
      turn.release();
    };
    await Promise.all([work("a", "1"), work("a", "2"), work("a", "3")]);
    expect(log).toEqual(["1 in", "1 out", "2 in", "2 out", "3 in", "3 out"]);

    const held = await queue.enter("a", never);
    const other = await queue.enter("b", never);
    held.release();
    other.release();
  });

  test("a caller that gives up while waiting does not block the others", async () => {
    const queue = createQueue();
    const first = await queue.enter("a", never);
    const gone = new AbortController();
    const second = queue.enter("a", gone.signal);
    const third = queue.enter("a", never);
    gone.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    first.release();
    (await third).release();
    (await queue.enter("a", never)).release();
  });

  test("does not admit a caller that has given up already", async () => {
    const queue = createQueue();
    await expect(queue.enter("a", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    (await queue.enter("a", never)).release();
  });

  test("refuses a caller when too many wait", async () => {
    const queue = createQueue(2);
    const first = await queue.enter("a", never);
    const waiting = [queue.enter("a", never), queue.enter("a", never)];
    await expect(queue.enter("a", never)).rejects.toThrow(new RangeError("too many"));
    first.release();
    for (const turn of waiting) (await turn).release();
  });

  test("a turn released twice admits one caller, not two", async () => {
    const queue = createQueue();
    const first = await queue.enter("a", never);
    const second = queue.enter("a", never);
    let thirdIn = false;
    const third = queue.enter("a", never).then((turn) => {
      thirdIn = true;
      return turn;
    });
    first.release();
    first.release();
    const turn = await second;
    await Bun.sleep(0);
    expect(thirdIn).toBe(false);
    turn.release();
    (await third).release();
  });
});
