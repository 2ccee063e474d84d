import { expect, test } from "bun:test";
import { createKeyedMutex } from "../../../src/async/keyed-mutex.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import type { StoredText } from "../../../src/store/documents/document-rows.ts";
import { createPendingTexts, isStagedTextId, stagedTextId } from "../../../src/store/documents/pending-texts.ts";
import type { StoreTable } from "../../../src/store/engine/store-table.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";

/** A table in memory; `isFull` says which texts find no space. */
const createTexts = (isFull: (id: string) => boolean) => {
  const stored = new Map<string, string>();
  const texts = {
    async upsert(_scope: unknown, rows: readonly StoredText[]) {
      for (const { id, text } of rows) {
        if (isFull(id)) throw new ApiError("storage_unavailable", "the disk is full");
        stored.set(id, text);
      }
    },
    async remove(_scope: unknown, _column: string, ids: readonly string[]) {
      for (const id of ids) stored.delete(id);
    },
    async find({ where }: { where: string }) {
      return [...stored].filter(([id]) => where.includes(`'${id}'`)).map(([id, text]) => ({ id, text }));
    },
  } as unknown as StoreTable<StoredText>;
  const pendingTexts = createPendingTexts(texts, createKeyedMutex(), () => undefined);
  return { stored, pendingTexts };
};

const before = { ...sampleDocument({ name: "before", status: "pending" }), revision: null };
const after = { ...before, name: "after" };

test("no space for the text in its place: the change is made all the same, and the text follows when it is read", async () => {
  let full = true;
  const { stored, pendingTexts } = createTexts((id) => full && !isStagedTextId(id));
  stored.set(before.id, "former text");
  expect(await pendingTexts.replace(before, after, "new text", async () => "written")).toBe("written");
  expect(Object.fromEntries(stored)).toEqual({ [before.id]: "former text", [stagedTextId(after)]: "new text" });
  expect(pendingTexts.areSettled()).toBe(false);
  await expect(pendingTexts.read(after)).rejects.toThrow("the disk is full");
  await expect(pendingTexts.settle(after)).rejects.toThrow("the disk is full");
  full = false;
  expect(await pendingTexts.read(after)).toBe("new text");
  expect(Object.fromEntries(stored)).toEqual({ [before.id]: "new text" });
  expect(pendingTexts.areSettled()).toBe(true);
});

test("a record that cannot be written leaves the former text, and nothing of the new one", async () => {
  const { stored, pendingTexts } = createTexts(() => false);
  stored.set(before.id, "former text");
  const failing = pendingTexts.replace(before, after, "new text", () => Promise.reject(new Error("no record")));
  await expect(failing).rejects.toThrow("no record");
  expect(Object.fromEntries(stored)).toEqual({ [before.id]: "former text" });
  expect(pendingTexts.areSettled()).toBe(true);
});

test("the id tells by which record a text came, and nothing else", () => {
  const id = stagedTextId({ ...before, metadata: { a: 1, b: [null, "ä"] } });
  expect(stagedTextId({ ...before, metadata: { b: [null, "ä"], a: 1 }, status: "failed", attempts: 2 })).toBe(id);
  for (const change of [{ name: "x" }, { updatedAt: before.updatedAt + 1 }, { partitionId: "p" }, { blobHash: "h" }])
    expect(stagedTextId({ ...before, ...change })).not.toBe(stagedTextId(before));
});
