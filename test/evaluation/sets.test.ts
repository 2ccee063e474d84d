import { afterAll, expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readSets } from "../../src/evaluation/sets.ts";
import { writeTinySets } from "./tiny-sets.ts";

const sets = await writeTinySets();
afterAll(() => sets.remove());

test("the sets of a folder are read by name, what is none is passed over, and a set is read by itself", async () => {
  const read = await readSets(sets.folder);
  expect(read.map(({ name, questions }) => [name, questions.length])).toEqual([
    ["gardens", 4],
    ["manual", 1],
    ["ships", 3],
  ]);
  const [alone, ...others] = await readSets(join(sets.folder, "ships"));
  expect(others).toEqual([]);
  expect(alone?.questions[0]).toMatchObject({ id: "q-anchor", answers: ["four tonnes"] });
});

test("questions without an answer are read where the set has some", async () => {
  const folder = join(sets.folder, "ships");
  const file = join(folder, "absent.jsonl");
  expect((await readSets(folder))[0]?.absent).toEqual([]);
  await Bun.write(file, '{"_id": "x1", "text": "Who baked the captain\'s bread?"}\n');
  try {
    expect((await readSets(folder))[0]?.absent).toEqual([{ id: "x1", text: "Who baked the captain's bread?" }]);
  } finally {
    await rm(file);
  }
});

test("documents are scored by their best snippet, excerpts by the snippet that holds most of them", async () => {
  const [gardens, manual] = await readSets(sets.folder);
  const piece = (document: string, start = 0, end = 10) => ({ document, start, end });
  const rose = gardens?.questions.find(({ id }) => id === "q-rose");
  const pieces = [piece("bean"), piece("bean"), piece("rose")];
  expect(rose?.score({ pieces, refusedAbove: 1 })).toMatchObject({ ndcg10: 1 / Math.log2(3), recall5: 1 });
  expect(rose?.score({ pieces: [], refusedAbove: 0 })).toEqual({ ndcg10: 0, recall5: 0, recall10: 0, recall20: 0 });

  const text = await Bun.file(join(sets.folder, "manual/corpora/kiln.md")).text();
  const start = text.indexOf("Glaze melts");
  const [question] = manual?.questions ?? [];
  const most = { pieces: [piece("other", start, start + 99), piece("kiln", start, start + 20)], refusedAbove: 1 };
  expect(question?.score(most)).toMatchObject({ recall5: 1, ndcg10: 1 / Math.log2(3) });
  const least = { pieces: [piece("kiln", 0, start + 5)], refusedAbove: 1 };
  expect(question?.score(least)).toMatchObject({ recall5: 0, ndcg10: 0 });
});

test("what is no set, or lacks a file, is named", async () => {
  const empty = join(sets.folder, "empty");
  await mkdir(empty);
  await expect(readSets(empty)).rejects.toThrow("holds no set");
  await Bun.write(join(empty, "corpus.jsonl"), '{"_id": "a", "text": "A"}\n');
  await expect(readSets(empty)).rejects.toThrow("test.tsv in the set");
  await mkdir(join(empty, "qrels"));
  await Bun.write(join(empty, "qrels/test.tsv"), "q\ta\t1\n");
  await Bun.write(join(empty, "queries.jsonl"), '{"_id": "other", "text": "?"}\n');
  await expect(readSets(empty)).rejects.toThrow("no question that has a judgment");
  await rm(empty, { recursive: true });
});
