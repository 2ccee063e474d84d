import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ApiError } from "../../../src/domain/errors.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, type TemporaryStore } from "../open-temporary-store.ts";

let temporary: TemporaryStore;
const tenant = tenantOf();
beforeAll(async () => {
  temporary = await openTemporaryStore();
});
afterAll(() => temporary.dispose());

const bytesOf = (text: string) => new TextEncoder().encode(text);
const drafts = () => readdir(join(temporary.dataDir, "files", "drafts"));

test("a stream is stored under the hash of its content, and read back", async () => {
  const { blobs } = temporary.store;
  const chunks = [bytesOf("one "), bytesOf("two")];
  const stored = await blobs.put(
    new ReadableStream({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
    7,
  );
  expect(stored).toEqual({ hash: new Bun.CryptoHasher("sha256").update("one two").digest("hex"), bytes: 7 });
  expect(await blobs.read(stored.hash)).toEqual(Buffer.from("one two"));
  const opened = await blobs.open(stored.hash);
  expect(opened?.bytes).toBe(7);
  expect(await new Response(opened?.stream).text()).toBe("one two");
  await blobs.release(stored.hash);
  expect(await blobs.read(stored.hash)).toBeNull();
  expect(await blobs.open(stored.hash)).toBeNull();
});

test("one byte too many is refused and leaves nothing behind", async () => {
  const { blobs } = temporary.store;
  const refused = await blobs.put(bytesOf("12345678"), 7).catch((error: unknown) => error);
  expect((refused as ApiError).code).toBe("document_too_large");
  expect(await drafts()).toEqual([]);
});

test("a text that is not a hash reaches no file", async () => {
  const { blobs } = temporary.store;
  expect(await blobs.read("../secret")).toBeNull();
  expect(await blobs.open("../../etc/passwd")).toBeNull();
});

test("a file that is there is held without its bytes, as often as it is asked", async () => {
  const { blobs } = temporary.store;
  const { hash } = await blobs.put(bytesOf("held again"), 100);
  expect([await blobs.hold(hash), await blobs.hold("0".repeat(64)), await blobs.hold("../secret")]).toEqual([
    true,
    false,
    false,
  ]);
  await blobs.release(hash);
  expect(await blobs.read(hash)).not.toBeNull();
  await blobs.release(hash);
  expect([await blobs.read(hash), await blobs.hold(hash)]).toEqual([null, false]);
});

test("a file is removed with its last document, and stays while another names it or it was just put", async () => {
  const { blobs, documents, indexes } = temporary.store;
  const publish = async (text: string) => {
    const { hash } = await blobs.put(bytesOf(text), 100);
    const document = sampleDocument({ sourceKind: "file", blobHash: hash });
    await documents.publish(document, text, sampleSnippets(document, [indexes.active().id], [text]));
    return document;
  };
  const [first, second] = [await publish("shared"), await publish("shared")];
  const hash = first.blobHash ?? "";
  await documents.remove(tenant, first.id);
  expect(await blobs.read(hash)).not.toBeNull();
  const [again] = await Promise.all([blobs.put(bytesOf("shared"), 100), documents.remove(tenant, second.id)]);
  expect(again.hash).toBe(hash);
  expect(await blobs.read(hash)).not.toBeNull();
  const third = sampleDocument({ blobHash: hash, status: "pending" });
  await documents.add(third, null);
  await documents.remove(tenant, third.id);
  expect(await blobs.read(hash)).toBeNull();
});

test("concurrent puts, stores and removals: a file that a document names always exists", async () => {
  const { blobs, documents } = temporary.store;
  const round = async (index: number) => {
    const { hash } = await blobs.put(bytesOf("contended"), 100);
    const document = sampleDocument({ blobHash: hash, status: "pending", name: `${index}` });
    await documents.add(document, null);
    expect(await blobs.read(hash)).not.toBeNull();
    await documents.remove(tenant, document.id);
    return hash;
  };
  const [hash = ""] = await Promise.all(Array.from({ length: 12 }, (_, index) => round(index)));
  expect(await blobs.read(hash)).toBeNull();
});

test("a replaced file is removed; the same file put again for its document stays with the document", async () => {
  const { blobs, documents, indexes } = temporary.store;
  const document = sampleDocument({ sourceKind: "file" });
  const publish = async (text: string) => {
    const { hash } = await blobs.put(bytesOf(text), 100);
    const next = { ...document, revision: Bun.randomUUIDv7(), blobHash: hash };
    await documents.publish(next, text, sampleSnippets(next, [indexes.active().id], [text]));
    return hash;
  };
  const old = await publish("version one");
  expect(await publish("version one")).toBe(old);
  const current = await publish("version two");
  expect(await blobs.read(old)).toBeNull();
  expect(await blobs.read(current)).not.toBeNull();
  await documents.remove(tenant, document.id);
  expect(await blobs.read(current)).toBeNull();
});
