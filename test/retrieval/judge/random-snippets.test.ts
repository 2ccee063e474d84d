import { expect, test } from "bun:test";
import { createRandomSamples } from "../../../src/retrieval/judge/random-snippets.ts";
import type { SnippetView } from "../../../src/store/contract.ts";

const tenant = { organizationId: "o", partitionId: null };

/** Views whose sample is one snippet, named by how many samples were taken before. @param made samples without a model's vector */
const sampledViews = (vectorSet: { id: string } | null = null, made = 0) => {
  let taken = 0;
  let count = 10;
  let open = 0;
  let fails = false;
  const openSnippets = (): SnippetView => {
    open += 1;
    return {
      index: { id: "i" },
      vectorSet,
      sample: async () => {
        if (fails) throw new Error("the disk is gone");
        taken += 1;
        const vector = new Float32Array([1]);
        const modelVector = vectorSet !== null && taken > made ? vector : null;
        return [{ documentId: `${taken}`, titleTerms: "", vector, modelVector }];
      },
      count: async () => ({ documents: count, snippets: count }),
      addModelVectors: async (hits: unknown) => hits,
      close: () => {
        open -= 1;
      },
    } as unknown as SnippetView;
  };
  return {
    openSnippets,
    taken: () => taken,
    open: () => open,
    hold: (snippets: number) => {
      count = snippets;
    },
    fail: (value: boolean) => {
      fails = value;
    },
  };
};

test("a question waits for the first sample only; an old one is used while the next is taken", async () => {
  const views = sampledViews();
  let nowMs = 1;
  const samples = createRandomSamples(views, () => nowMs);
  const view = views.openSnippets();
  const ask = async () => (await samples.of(view, tenant))[0]?.documentId;
  expect(await ask()).toBe("1");
  nowMs += 59_000;
  expect(await ask()).toBe("1");
  expect(views.taken()).toBe(1);
  nowMs += 2_000;
  expect(await ask()).toBe("1");
  await Bun.sleep(1);
  expect(await ask()).toBe("2");
  expect(views.open()).toBe(1); // the view of the questions; the one of the second sample is closed
  nowMs += 700_000;
  expect(await ask()).toBe("3"); // far too old: waited for
});

test("a failure of the first sample is the question's, one of a later sample is not; neither is kept", async () => {
  const views = sampledViews();
  let nowMs = 1;
  const samples = createRandomSamples(views, () => nowMs);
  const view = views.openSnippets();
  views.fail(true);
  await expect(samples.of(view, tenant)).rejects.toThrow("the disk is gone");
  views.fail(false);
  expect(await samples.of(view, tenant)).toHaveLength(1);
  nowMs += 61_000;
  views.fail(true);
  expect((await samples.of(view, tenant))[0]?.documentId).toBe("1");
  await Bun.sleep(1);
  expect((await samples.of(view, tenant))[0]?.documentId).toBe("1");
  views.fail(false);
  await Bun.sleep(1);
  await samples.of(view, tenant);
  await Bun.sleep(1);
  expect((await samples.of(view, tenant))[0]?.documentId).toBe("2");
});

test("while a model's vectors are made a sample is soon taken anew, and an old one is not used", async () => {
  const views = sampledViews({ id: "s" }, 2);
  let nowMs = 1;
  const samples = createRandomSamples(views, () => nowMs);
  const view = views.openSnippets();
  const ask = async () => (await samples.of(view, tenant))[0]?.documentId;
  expect(await ask()).toBe("1");
  nowMs += 6_000;
  expect(await ask()).toBe("1");
  await Bun.sleep(1);
  expect(await ask()).toBe("2");
  nowMs += 40_000;
  expect(await ask()).toBe("3");
  // The third has the vector.
  nowMs += 59_000;
  expect(await ask()).toBe("3");
  expect(views.taken()).toBe(3);
});

test("a sample of a tenant that had far fewer snippets, or far more, is not used", async () => {
  const views = sampledViews();
  views.hold(0);
  const samples = createRandomSamples(views, () => 1);
  const view = views.openSnippets();
  const ask = async () => (await samples.of(view, tenant))[0]?.documentId;
  expect([await ask(), await ask()]).toEqual(["1", "1"]);
  for (const [snippets, expected] of [
    [4, "2"],
    [6, "2"],
    [7, "3"],
    [5, "3"],
    [4, "4"],
  ] as const) {
    views.hold(snippets);
    expect(await ask()).toBe(expected);
  }
});
