import { describe, expect, test } from "bun:test";
import { createWorkerPool, type PoolOptions } from "../../../../providers/builtin/minilm/embedding.ts";
import type { WorkerThread } from "../../../../providers/builtin/minilm/worker-thread.ts";
import { ProviderError } from "../../../../providers/contract.ts";

/** Threads whose passes end when the test says so. */
function createFakeThreads() {
  const passes: { first: number; end: () => void; fail: (reason: string) => void }[] = [];
  let started = 0;
  async function start(): Promise<WorkerThread> {
    started += 1;
    let isAlive = true;
    let pending: PromiseWithResolvers<Float32Array> | null = null;
    return {
      run(pieces) {
        const result = Promise.withResolvers<Float32Array>();
        pending = result;
        const first = pieces[0] ?? 0;
        passes.push({
          first,
          end: () => result.resolve(Float32Array.of(first)),
          fail: (reason) => result.reject(new Error(reason)),
        });
        return result.promise;
      },
      async end() {
        isAlive = false;
        pending?.reject(new Error("ended"));
      },
      get isAlive() {
        return isAlive;
      },
    };
  }
  return { start, passes, startedCount: () => started };
}

function openPool(options: Partial<PoolOptions> = {}) {
  const threads = createFakeThreads();
  const pool = createWorkerPool({
    threads: 1,
    timeoutMs: 10_000,
    maxWaiting: 3,
    restMs: 60_000,
    start: threads.start,
    ...options,
  });
  const ask = (number: number, urgent = false, signal = new AbortController().signal) =>
    pool.run(Int32Array.of(number), urgent, signal);
  return { pool, ask, ...threads };
}

const turn = () => Bun.sleep(1);

describe("worker pool", () => {
  test("runs one pass a thread at a time, urgent ones first", async () => {
    const { ask, passes, pool } = openPool();
    const results = [ask(1), ask(2), ask(3, true)];
    for (let index = 0; index < 3; index += 1) {
      await turn();
      expect(passes.length).toBe(index + 1);
      passes[index]?.end();
    }
    expect((await Promise.all(results)).map((sum) => sum[0])).toEqual([1, 2, 3]);
    expect(passes.map((pass) => pass.first)).toEqual([1, 3, 2]);
    pool.close();
  });

  test("uses all its threads", async () => {
    const { ask, passes, pool } = openPool({ threads: 2 });
    const results = [ask(1), ask(2), ask(3)];
    await turn();
    expect(passes.length).toBe(2);
    for (const pass of passes) pass.end();
    await turn();
    passes[2]?.end();
    expect((await Promise.all(results)).length).toBe(3);
    pool.close();
  });

  test("a waiting pass that is called off never runs", async () => {
    const { ask, passes, pool } = openPool();
    const controller = new AbortController();
    const running = ask(1);
    const waiting = ask(2, false, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ kind: "aborted" });
    passes[0]?.end();
    await running;
    await turn();
    expect(passes.length).toBe(1);
    await expect(ask(4, false, controller.signal)).rejects.toMatchObject({ kind: "aborted" });
    pool.close();
  });

  test("turns callers away when too many wait, and takes them again later", async () => {
    const { ask, passes, pool } = openPool();
    const results = [ask(1), ask(2), ask(3), ask(4)];
    await expect(ask(5)).rejects.toMatchObject({ name: "ProviderError", kind: "rate_limited" });
    for (let index = 0; index < 4; index += 1) {
      await turn();
      passes[index]?.end();
    }
    await Promise.all(results);
    const later = ask(6);
    await turn();
    passes[4]?.end();
    expect(await later).toEqual(Float32Array.of(6));
    pool.close();
  });

  test("a pass that takes too long is refused, and its thread replaced", async () => {
    const { ask, passes, pool, startedCount } = openPool({ timeoutMs: 30 });
    await expect(ask(1)).rejects.toMatchObject({ kind: "timeout", message: expect.stringContaining("30 ms") });
    const next = ask(2);
    await turn();
    passes[1]?.end();
    expect(await next).toEqual(Float32Array.of(2));
    expect(startedCount()).toBe(2);
    pool.close();
  });

  test("a failed pass is told with its reason, and others go on", async () => {
    const { ask, passes, pool } = openPool();
    const failing = ask(1);
    const next = ask(2);
    await turn();
    passes[0]?.fail("out of memory");
    await expect(failing).rejects.toMatchObject({
      kind: "bad_answer",
      message: expect.stringContaining("out of memory"),
    });
    await turn();
    passes[1]?.end();
    expect(await next).toEqual(Float32Array.of(2));
    pool.close();
  });

  test("closing refuses what runs, waits and comes", async () => {
    const { ask, pool } = openPool();
    const results = [ask(1), ask(2)];
    await turn();
    pool.close();
    for (const result of await Promise.allSettled([...results, ask(3)])) {
      expect(result).toMatchObject({ status: "rejected", reason: { kind: "unreachable" } });
    }
  });

  test("a thread that does not start is told, and the next pass tries again", async () => {
    const threads = createFakeThreads();
    let count = 0;
    const start = async () => {
      count += 1;
      if (count === 1) throw new ProviderError("embedding", "model_missing", "no such library");
      return await threads.start();
    };
    const { pool, ask } = openPool({ start });
    await expect(ask(1)).rejects.toMatchObject({ kind: "model_missing", message: "no such library" });
    const next = ask(2);
    await turn();
    threads.passes[0]?.end();
    expect(await next).toEqual(Float32Array.of(2));
    pool.close();
  });

  test("no thread runs before there is work, and none after a rest", async () => {
    const rested = Promise.withResolvers<void>();
    const { pool, ask, passes, startedCount } = openPool({ threads: 2, restMs: 20, onRest: rested.resolve });
    expect([startedCount(), pool.isLoaded()]).toEqual([0, false]);
    for (const number of [1, 2]) {
      const result = ask(number);
      await turn();
      expect(pool.isLoaded()).toBe(true);
      passes[number - 1]?.end();
      await result;
    }
    expect(startedCount()).toBe(1);
    await rested.promise;
    expect(pool.isLoaded()).toBe(false);
    const again = ask(3);
    await turn();
    passes[2]?.end();
    expect(await again).toEqual(Float32Array.of(3));
    expect(startedCount()).toBe(2);
    pool.close();
  });

  test("is loaded without work when asked to, once for all who ask", async () => {
    const { pool, startedCount } = openPool({ threads: 2 });
    await Promise.all([pool.load(), pool.load()]);
    expect([startedCount(), pool.isLoaded()]).toEqual([1, true]);
    await pool.load();
    expect(startedCount()).toBe(1);
    pool.close();
  });
});
