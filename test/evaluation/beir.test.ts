import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBeirSet } from "../../src/evaluation/beir.ts";

const folder = await mkdtemp(join(tmpdir(), "carrel-beir-"));
await mkdir(join(folder, "qrels"));
await Bun.write(
  join(folder, "corpus.jsonl"),
  '{"_id": "d1", "title": "One", "text": "First."}\n\n{"_id": 2, "text": "Second."}\n',
);
await Bun.write(
  join(folder, "queries.jsonl"),
  '{"_id": "q1", "text": "Which?"}\n{"_id": "q2", "text": "Not judged"}\n',
);
await Bun.write(join(folder, "qrels", "test.tsv"), "query-id\tcorpus-id\tscore\r\nq1\td1\t2\nq1\t2\t0\n");
await Bun.write(join(folder, "answers.jsonl"), '{"_id": "q1", "answers": ["First"]}\n');
afterAll(() => rm(folder, { recursive: true, force: true }));

test("documents, judged questions and known answers are read", async () => {
  const set = await readBeirSet(folder);
  expect(set.documents).toEqual([
    { id: "d1", title: "One", text: "First." },
    { id: "2", title: "", text: "Second." },
  ]);
  expect(set.queries).toEqual([{ id: "q1", text: "Which?", answers: ["First"] }]);
  expect(set.judgments.get("q1")).toEqual(
    new Map([
      ["d1", 2],
      ["2", 0],
    ]),
  );
});

test("what is wrong is named with file and line", async () => {
  await Bun.write(join(folder, "qrels", "broken.tsv"), "q1\td1\tmuch\n");
  await expect(readBeirSet(folder, "broken")).rejects.toThrow("broken.tsv, line 1");
  await Bun.write(join(folder, "queries.jsonl"), '{"_id": "q1", "text": "Which?"}\n{"_id": "q2"\n');
  await expect(readBeirSet(folder)).rejects.toThrow("queries.jsonl, line 2: not JSON");
});
