import { describe, expect, test } from "bun:test";
import { createThreadQueue } from "../../src/chats/thread-queue.ts";
import { ApiError } from "../../src/domain/errors.ts";

const never = new AbortController().signal;

describe("thread queue", () => {
  test("lets one thread's work in one after another, in order, and other threads' at once", async () => {
    const queue = createThreadQueue();
    const log: string[] = [];
    const work = async (thread: string, name: string) => {
      const turn = await queue.enter(thread, never);
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

  test("one who gives up while waiting does not hold the others up", async () => {
    const queue = createThreadQueue();
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

  test("does not begin for one who is gone already", async () => {
    const queue = createThreadQueue();
    await expect(queue.enter("a", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    (await queue.enter("a", never)).release();
  });

  test("refuses who would wait behind too many", async () => {
    const queue = createThreadQueue(2);
    const first = await queue.enter("a", never);
    const waiting = [queue.enter("a", never), queue.enter("a", never)];
    const refused = await queue.enter("a", never).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect((refused as ApiError).code).toBe("overloaded");
    expect((refused as ApiError).headers).toEqual({ "Retry-After": "5" });
    first.release();
    for (const turn of waiting) (await turn).release();
  });

  test("a turn released twice lets one in, not two", async () => {
    const queue = createThreadQueue();
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
