import { describe, expect, test } from "bun:test";
import { createWatchedThread } from "../../../src/async/threads/watched-thread.ts";

const never = new AbortController().signal;
const start = (maxIdleMs?: number) =>
  createWatchedThread<string, string>({
    ...(maxIdleMs === undefined ? {} : { maxIdleMs }),
    path: "test/async/threads/test-worker.ts",
    name: "test",
    maxSliceMs: 1_000,
    tookTooLong: () => new Error("too long"),
  });
const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: Error) => error.message,
  );

describe("a watched thread", () => {
  test("answers, and says what failed", async () => {
    const thread = start();
    expect(await Promise.all(["one", "two"].map((word) => thread.ask(word, never)))).toEqual([
      "one again",
      "two again",
    ]);
    expect(await failureOf(thread.ask("throw", never))).toBe("it was told to fail");
  });

  test("what holds it fails alone: the others are asked again on a new one", async () => {
    const thread = start();
    const others = [thread.ask("rest one", never), thread.ask("rest two", never)];
    const held = thread.ask("hang", never);
    const later = thread.ask("later", never);
    expect(await failureOf(held)).toBe("too long");
    expect(await Promise.all([...others, later])).toEqual(["rest one again", "rest two again", "later again"]);
    expect(await thread.ask("afterwards", never)).toBe("afterwards again");
  });

  test("one that holds it and is not wanted any more does not stop the next one", async () => {
    const thread = start();
    const abort = new AbortController();
    const given = thread.ask("hang", abort.signal);
    await Bun.sleep(200);
    abort.abort(new Error("given up"));
    expect(await failureOf(given)).toBe("given up");
    expect(await thread.ask("next", never)).toBe("next again");
  });

  test("one with nothing to do is ended, and started again with the next request", async () => {
    const thread = start(100);
    const first = await thread.ask("which", never);
    expect(await thread.ask("which", never)).toBe(first);
    let next = first;
    for (let tries = 0; next === first && tries < 20; tries += 1) {
      await Bun.sleep(500);
      next = await thread.ask("which", never);
    }
    expect(next).not.toBe(first);
  });

  test("one that works is not idle, however long it takes", async () => {
    const thread = start(1);
    await thread.ask("first", never);
    expect(await thread.ask("rest", never)).toBe("rest again");
  });
});
