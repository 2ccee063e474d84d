import { expect, test } from "bun:test";
import { createClosers } from "../../src/store/closers.ts";

test("the last one is closed first, each once", async () => {
  const closed: string[] = [];
  const closers = createClosers();
  for (const name of ["lock", "tables"]) closers.add(() => void closed.push(name));
  await closers.close();
  await closers.close();
  expect(closed).toEqual(["tables", "lock"]);
});

test("where one fails the others are closed, and the first error is told", async () => {
  const closed: string[] = [];
  const closers = createClosers();
  closers.add(() => void closed.push("lock"));
  closers.add(() => Promise.reject(new Error("the disk is gone")));
  closers.add(() => {
    throw new Error("a table is broken");
  });
  expect(await closers.close().catch((error: unknown) => error)).toEqual(new Error("a table is broken"));
  expect(closed).toEqual(["lock"]);
});
