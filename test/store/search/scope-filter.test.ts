import { expect, test } from "bun:test";
import { sampleDocument, tenantOf } from "../../../tools/samples/records.ts";
import { threadCpuMs } from "../../thread-cpu.ts";
import { openTemporaryStore } from "../open-temporary-store.ts";

/** The longest CPU time that this thread takes between two turns of the event loop while work runs. */
const longestGapMs = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let last = threadCpuMs();
  const look = () => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
};

test("an order comparison over much metadata lets other work run meanwhile", async () => {
  const { store, dispose } = await openTemporaryStore();
  const many = 1_000;
  const filler = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`entry ${at}`, ["some", "more", at]]));
  for (let done = 0; done < many; done += 100) {
    const documents = Array.from({ length: 100 }, (_, at) =>
      sampleDocument({ metadata: { number: done + at, filler }, status: "pending" }),
    );
    await Promise.all(documents.map((document) => store.documents.add(document, "text")));
  }
  const list = (metadata: object) =>
    store.documents.list(tenantOf(), { metadata: metadata as never }, { limit: 10, skip: 0, sortOrder: "desc" });
  let total = 0;
  const gapMs = await longestGapMs(async () => {
    ({ total } = await list({ number: { $gte: 400 } }));
  });
  expect(total).toBe(many - 400);
  expect(gapMs).toBeLessThan(100);
  await dispose();
});

test("a filter of as many values as are allowed is planned in little time", async () => {
  const { store, dispose } = await openTemporaryStore();
  await store.documents.add(sampleDocument({ metadata: { key0: "v7" }, status: "pending" }), "text");
  const values = Array.from({ length: 200 }, (_, at) => `v${at}`);
  const list = (keys: number) => {
    const metadata = Object.fromEntries(Array.from({ length: keys }, (_, at) => [`key${at}`, { $in: values }]));
    return store.documents.list(tenantOf(), { metadata }, { limit: 10, skip: 0, sortOrder: "desc" });
  };
  expect((await list(1)).total).toBe(1);
  const before = process.cpuUsage();
  expect((await list(32)).total).toBe(0);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(800);
  await dispose();
});
