import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SnippetView } from "../../../src/store/contract.ts";
import { createRevisionRegister } from "../../../src/store/segments/revisions.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, type TemporaryStore } from "../open-temporary-store.ts";

const tenant = tenantOf();
const scope = { documentId: null, partitionId: null, metadata: null };
const text = (view: SnippetView, term = "apple") =>
  view.searchText(tenant, scope, [{ term, weight: 1 }], { limit: 100, titleWeight: 0, headingWeight: 0 });
const vectors = (view: SnippetView) => view.searchVectors(tenant, scope, new Float32Array(8).fill(1), 100);

describe("replacing a document", () => {
  let temporary: TemporaryStore;
  beforeAll(async () => {
    temporary = await openTemporaryStore();
  });
  afterAll(() => temporary.dispose());

  test("fifty times under a tight loop of questions: each sees exactly one revision, whole", async () => {
    const { store } = temporary;
    const indexId = store.indexes.active().id;
    const document = sampleDocument();
    const bystander = sampleDocument();
    const publish = (revision: string, name: string) => {
      const next = { ...document, revision, name };
      const snippets = sampleSnippets(next, [indexId], ["apple one", "apple two", "apple three"]);
      return store.documents.publish(next, name, snippets);
    };
    await store.documents.publish(bystander, "apple", sampleSnippets(bystander, [indexId], ["apple"]));
    await publish(document.revision, "first");
    let running = true;
    let questions = 0;
    const seen = new Set<string>();
    const ask = async (): Promise<void> => {
      while (running) {
        const view = store.openSnippets();
        const [byText, byVector] = await Promise.all([text(view), vectors(view)]);
        const around = await view.neighbors(tenant, document.id, 0, 10);
        view.close();
        questions += 1;
        const revisionsOf = (hits: { documentId: string; revision: string }[]) =>
          hits.filter((hit) => hit.documentId === document.id).map((hit) => hit.revision);
        const [revision] = revisionsOf(byText);
        if (revision !== undefined) seen.add(revision);
        expect(revision).toBeDefined();
        for (const found of [revisionsOf(byText), revisionsOf(byVector), revisionsOf(around)]) {
          expect(found).toEqual([revision ?? "", revision ?? "", revision ?? ""]);
        }
        expect(byText.filter((hit) => hit.documentId === bystander.id)).toHaveLength(1);
      }
    };
    const askers = [ask(), ask()];
    for (let round = 0; round < 50; round += 1) await publish(Bun.randomUUIDv7(), `round ${round}`);
    running = false;
    await Promise.all(askers);
    expect(questions).toBeGreaterThan(20);
    expect(seen.size).toBeGreaterThan(5);
  });

  test("a view that was open before goes on seeing the old revision; one opened after sees the new", async () => {
    const { store } = temporary;
    const indexId = store.indexes.active().id;
    const document = sampleDocument();
    const next = { ...document, revision: Bun.randomUUIDv7() };
    await store.documents.publish(document, "pear", sampleSnippets(document, [indexId], ["pear old"]));
    const before = store.openSnippets();
    await store.documents.publish(next, "pear", sampleSnippets(next, [indexId], ["pear new"]));
    const after = store.openSnippets();
    expect((await text(before, "pear")).map((hit) => hit.text)).toEqual(["pear old"]);
    expect((await text(after, "pear")).map((hit) => hit.text)).toEqual(["pear new"]);
    before.close();
    after.close();
    await expect(text(before, "pear")).rejects.toThrow("closed");
  });

  test("a new name, metadata and partition reach document and snippets together", async () => {
    const { store } = temporary;
    const document = sampleDocument({ metadata: { colour: "red", externalId: "e1" }, externalId: "e1" });
    const snippets = sampleSnippets(document, [store.indexes.active().id], ["quince"]);
    await store.documents.publish(document, "quince text", snippets);
    const changed = await store.documents.relabel(tenant, document.id, {
      name: { name: "Orchard", titleTerms: "orchard" },
      metadata: { colour: "blue" },
      partitionId: "partition-1",
    });
    expect(changed).toMatchObject({
      name: "Orchard",
      metadata: { colour: "blue" },
      partitionId: "partition-1",
      externalId: null,
    });
    expect(await store.documents.get(tenant, document.id)).toEqual(changed);
    expect(await store.documents.getText(changed ?? document)).toBe("quince text");
    const view = store.openSnippets();
    const found = async (metadata: Record<string, string>, partitionId: string | null) =>
      (
        await view.searchText(tenant, { documentId: null, partitionId, metadata }, [{ term: "orchard", weight: 1 }], {
          limit: 5,
          titleWeight: 1,
          headingWeight: 0,
        })
      ).map(({ id, titleTerms }) => [id, titleTerms]);
    expect(await found({ colour: "blue" }, "partition-1")).toEqual([[snippets[0]?.id ?? "", "orchard"]]);
    expect(await found({ colour: "red" }, null)).toEqual([]);
    view.close();
  });

  test("a new name leaves the terms of the cover, which stand behind those of the name", async () => {
    const { store } = temporary;
    const document = sampleDocument({ name: "scan 17" });
    const [snippet] = sampleSnippets(document, [store.indexes.active().id], ["medlar"]);
    if (snippet === undefined) throw new Error("there is one snippet");
    await store.documents.publish(document, "medlar", [{ ...snippet, titleTerms: "scan 17 norwell 2019" }]);
    const titleAfter = async (titleTerms: string, formerTitleTerms: string): Promise<string | undefined> => {
      await store.documents.relabel(tenant, document.id, { name: { name: titleTerms, titleTerms, formerTitleTerms } });
      const view = store.openSnippets();
      const [snippet] = await view.neighbors(tenant, document.id, 0, 0);
      view.close();
      return snippet?.titleTerms;
    };
    expect(await titleAfter("report", "scan 17")).toBe("report norwell 2019");
    expect(await titleAfter("book", "report")).toBe("book norwell 2019");
    // Terms of another name than the one before: nothing is known to be the cover's.
    expect(await titleAfter("last", "boo")).toBe("last");
  });

  test("a removed document is gone from every search, its texts with it", async () => {
    const { store } = temporary;
    const document = sampleDocument();
    await store.documents.publish(document, "fig", sampleSnippets(document, [store.indexes.active().id], ["fig"]));
    expect(await store.documents.remove(tenantOf("other"), document.id)).toBe(false);
    expect(await store.documents.remove(tenant, document.id)).toBe(true);
    expect(await store.documents.remove(tenant, document.id)).toBe(false);
    const view = store.openSnippets();
    expect(await text(view, "fig")).toEqual([]);
    view.close();
    while ((await store.documents.getText(document)) !== null) await Bun.sleep(10);
  });

  test("vectors that do not fit are refused and leave nothing behind; missing ones are found by text alone", async () => {
    const { store } = temporary;
    const indexId = store.indexes.active().id;
    const document = sampleDocument();
    const publish = (vector: Float32Array | null) =>
      store.documents.publish(
        document,
        "plum",
        sampleSnippets(document, [indexId], ["plum"], () => vector),
      );
    await expect(publish(new Float32Array(7))).rejects.toThrow("7 numbers");
    await expect(publish(new Float32Array(8).fill(Number.NaN))).rejects.toThrow("finite");
    expect(await store.documents.get(tenant, document.id)).toBeNull();
    await publish(null);
    const view = store.openSnippets();
    expect((await text(view, "plum")).map((hit) => hit.vector)).toEqual([null]);
    expect((await vectors(view)).some((hit) => hit.documentId === document.id)).toBe(false);
    await expect(view.searchVectors(tenant, scope, new Float32Array(3), 5)).rejects.toThrow("3 numbers");
    view.close();
  });
});

describe("the register of revisions", () => {
  test("what is born after a view opened is never seen by it, nor what was replaced before", async () => {
    const register = createRevisionRegister();
    register.begin("old");
    register.commit("old", null);
    const early = register.open();
    register.begin("new");
    const middle = register.open();
    expect([early.sees("new"), middle.sees("new")]).toEqual([false, false]);
    expect([early.excluded(), middle.excluded()]).toEqual([["new"], ["new"]]);
    register.commit("new", "old");
    const late = register.open();
    expect([early.sees("old"), early.sees("new")]).toEqual([true, false]);
    expect([late.sees("old"), late.sees("new")]).toEqual([false, true]);
    let mayDelete = false;
    const closed = register.viewsClosed().then(() => {
      mayDelete = true;
    });
    early.close();
    late.close();
    await Bun.sleep(1);
    expect(mayDelete).toBe(false);
    middle.close();
    await closed;
    register.forget("old");
    expect(register.hiddenCount()).toBe(0);
  });
});
