import { expect, test } from "bun:test";
import fc from "fast-check";
import { ApiError } from "../../../src/domain/errors.ts";
import { createWriteQueue, lastByKey, planWrites, type Write } from "../../../src/store/engine/write-queue.ts";

const add = (scope: string): { write: Write } => ({
  write: { kind: "add", scopes: [scope], durable: true, rows: [{ id: scope }] },
});
const remove = (scope: string): { write: Write } => ({
  write: { kind: "remove", scopes: [scope], durable: true, column: "id", values: [scope] },
});
const alone: { write: Write } = { write: { kind: "alone", work: async () => undefined } };
const kindsOf = (entries: { write: Write }[]): string[] =>
  planWrites(entries).map((group) => `${group.kind} ${group.members.length}`);

test("writes of different scopes share commits across each other", () => {
  expect(kindsOf([add("a"), remove("b"), add("c"), remove("d"), add("e")])).toEqual(["add 3", "remove 2"]);
});

test("writes of one scope keep their order", () => {
  expect(kindsOf([add("a"), remove("a"), add("a")])).toEqual(["add 1", "remove 1", "add 1"]);
});

test("work that runs alone separates the writes before and after it", () => {
  expect(kindsOf([add("a"), alone, add("b")])).toEqual(["add 1", "alone 1", "add 1"]);
});

test("every write is planned once, and the order within a scope is kept", () => {
  const write = fc
    .tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom(add, remove))
    .map(([scope, make]) => make(scope));
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          write,
          fc.constant(0).map(() => ({ ...alone })),
        ),
      ),
      (entries) => {
        const planned = planWrites(entries).flatMap((group) => group.members);
        expect(new Set(planned)).toEqual(new Set(entries));
        expect(planned.length).toBe(entries.length);
        const ofScope = (list: { write: Write }[], scope: string) =>
          list.filter(({ write }) => !("scopes" in write) || write.scopes.includes(scope));
        for (const scope of ["a", "b", "c"]) expect(ofScope(planned, scope)).toEqual(ofScope(entries, scope));
      },
    ),
  );
});

test("of several upserts of one key the last one counts", () => {
  const rows = [
    { id: "a", n: 1 },
    { id: "b", n: 2 },
    { id: "a", n: 3 },
  ];
  expect(lastByKey(rows, "id")).toEqual([
    { id: "a", n: 3 },
    { id: "b", n: 2 },
  ]);
});

test("writes that wait while a commit runs become one commit; a full queue refuses more", async () => {
  const sizes: number[] = [];
  const release = Promise.withResolvers<void>();
  const queue = createWriteQueue(
    async (group) => {
      sizes.push(group.members.length);
      if (sizes.length === 1) await release.promise;
    },
    async () => undefined,
  );
  const first = queue.push(add("first").write);
  await Bun.sleep(5); // the first commit runs now
  const waiting = Array.from({ length: 10_000 }, (_, index) => queue.push(add(`${index}`).write));
  const refused = await queue.push(add("one too many").write).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect((refused as ApiError).code).toBe("overloaded");
  release.resolve();
  await Promise.all([first, ...waiting]);
  expect(sizes).toEqual([1, 10_000]);
});

test("while work runs beside, rows are added and all else waits; then its end runs alone", async () => {
  const events: string[] = [];
  const commit = async ({ kind, members }: { kind: string; members: readonly { write: Write }[] }) => {
    const scopes = members.flatMap(({ write }) => ("scopes" in write ? write.scopes : []));
    events.push([kind, ...scopes].join(" "));
    for (const { write } of members) if (write.kind === "alone") await write.work();
  };
  const queue = createWriteQueue(commit, async () => undefined);
  const work = Promise.withResolvers<void>();
  const beside = queue.push({
    kind: "beside",
    work: () => {
      events.push("begin");
      return work.promise;
    },
    finish: async () => void events.push("end"),
  });
  await Bun.sleep(5);
  const held = [queue.push(remove("r").write), queue.push({ ...add("x").write, kind: "upsert", rows: [] } as Write)];
  await Bun.sleep(5);
  await queue.push(add("a").write);
  const behind = queue.push(add("r").write);
  await queue.push(add("b").write);
  expect(events).toEqual(["begin", "add a", "add b"]);
  work.resolve();
  await Promise.all([beside, behind, ...held]);
  expect(events.slice(3, 4)).toEqual(["end"]);
  expect(events.slice(4).sort()).toEqual(["add r", "remove r", "upsert x"]);
  expect(events.indexOf("remove r")).toBeLessThan(events.indexOf("add r"));
  await queue.settle();
});

test("commits beside work keep their pace: what comes meanwhile shares the next one, at the latest when the work ends", async () => {
  const sizes: number[] = [];
  const queue = createWriteQueue(
    async ({ members }) => void sizes.push(members.length),
    async () => undefined,
    { begin: () => undefined, waitMs: () => (sizes.length < 2 ? 0 : 60_000), noteCommit: () => undefined },
  );
  const work = Promise.withResolvers<void>();
  const beside = queue.push({ kind: "beside", work: () => work.promise, finish: async () => undefined });
  await Bun.sleep(5);
  await queue.push(add("a").write);
  await queue.push(add("b").write);
  const late = settledOf(queue.push(add("c").write));
  await Bun.sleep(20);
  const later = queue.push(add("d").write);
  await Bun.sleep(20);
  expect([late(), sizes]).toEqual(["waiting", [1, 1]]);
  work.resolve();
  await Promise.all([beside, later]);
  expect(sizes).toEqual([1, 1, 2]);
  await queue.settle();
});

test("work beside that fails fails its own promise, runs its end, and lets the held writes go on", async () => {
  const events: string[] = [];
  const queue = createWriteQueue(
    async ({ kind }) => void events.push(kind),
    async () => undefined,
  );
  const work = Promise.withResolvers<void>();
  const beside = queue.push({ kind: "beside", work: () => work.promise, finish: async () => void events.push("end") });
  await Bun.sleep(5);
  const second = queue.push({
    kind: "beside",
    work: async () => void events.push("second"),
    finish: async () => undefined,
  });
  const removal = queue.push(remove("r").write);
  await queue.push(add("a").write);
  work.reject(new Error("broken"));
  await expect(beside).rejects.toThrow("broken");
  await Promise.all([second, removal]);
  expect(events).toEqual(["add", "end", "second", "remove"]);
  await queue.settle();
});

test("a failed commit fails its own writes and no others", async () => {
  const queue = createWriteQueue(
    async (group) => {
      if (group.kind === "remove") throw new Error("broken");
    },
    async () => undefined,
  );
  const results = await Promise.allSettled([
    queue.push(add("a").write),
    queue.push(remove("b").write),
    queue.push(add("c").write),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  await queue.settle();
});

const settledOf = (promise: Promise<void>): (() => string) => {
  let state = "waiting";
  promise.then(
    () => {
      state = "done";
    },
    () => {
      state = "failed";
    },
  );
  return () => state;
};

test("a durable write is done when a sync that began after its commit has ended, and not before", async () => {
  const events: string[] = [];
  const syncs: PromiseWithResolvers<void>[] = [];
  const queue = createWriteQueue(
    async ({ members }) => void events.push(`commit ${members.length}`),
    () => {
      events.push("sync");
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
  );
  const first = settledOf(queue.push(add("first").write));
  const passing = settledOf(
    queue.push({ kind: "remove", scopes: ["passing"], durable: false, column: "id", values: ["a"] }),
  );
  await Bun.sleep(20);
  expect(events).toEqual(["commit 1", "sync", "commit 1"]);
  expect([first(), passing()]).toEqual(["waiting", "done"]);

  // The next commit goes on beside the sync, and has a sync of its own.
  const second = settledOf(queue.push(add("second").write));
  await Bun.sleep(20);
  expect(events.slice(3)).toEqual(["commit 1", "sync"]);
  syncs[0]?.resolve();
  await Bun.sleep(5);
  expect([first(), second()]).toEqual(["done", "waiting"]);

  // Whoever waits for a sync that fails is told so, and the queue can be settled.
  const settled = settledOf(queue.settle());
  await Bun.sleep(5);
  expect(settled()).toBe("waiting");
  syncs[1]?.reject(new Error("the disk is gone"));
  await Bun.sleep(5);
  expect([second(), settled()]).toEqual(["failed", "done"]);
});
