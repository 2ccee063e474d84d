import { expect, test } from "bun:test";
import type { Store } from "../../../src/store/contract.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { until } from "../../until.ts";
import { openTemporaryStore } from "../open-temporary-store.ts";

const publish = async (
  { documents, indexes }: Store,
  texts: readonly string[],
  change: Parameters<typeof sampleDocument>[0] = {},
): Promise<void> => {
  const document = sampleDocument({ name: "handbook", ...change });
  await documents.publish(document, texts.join("\n"), sampleSnippets(document, [indexes.active().id], texts));
};

test("near terms of texts and names, those of other tenants left out", async () => {
  const { store, dispose } = await openTemporaryStore();
  await publish(store, ["warranti period", "warranti month", "warrant"], { partitionId: "p1" });
  await publish(store, ["deliveri"], { name: "warrants", partitionId: "p2" });
  await publish(store, ["warrantx"], { organizationId: "other" });
  const similar = async (tenant = tenantOf(), forms = ["warrantz"]): Promise<string[]> => {
    const view = store.openSnippets();
    try {
      return await view.similarTerms(tenant, forms, 1);
    } finally {
      view.close();
    }
  };

  expect(await similar()).toEqual(["warranti", "warrant", "warrants"]);
  expect(await similar(tenantOf("organization-1", "p2"))).toEqual(["warrants"]);
  expect(await similar(tenantOf("other"))).toEqual(["warrantx"]);
  expect(await similar(tenantOf(), ["deliver", "delivry"])).toEqual(["deliveri"]);

  await publish(store, ["warrantq"]);
  expect(await similar()).toContain("warrantq");
  await dispose();
});

test("in a tenant with more terms than are counted, the index finds them", async () => {
  const { store, dispose } = await openTemporaryStore({ countLimits: { counts: 5_000, ofTenant: 1_000 } });
  const filler = (part: number): string => Array.from({ length: 250 }, (_, at) => `t${part}x${at}`).join(" ");
  /** More than LanceDB looks at: each differs in two letters from the word that is asked for. */
  const pairs = [..."abcdef"].flatMap((one) => [..."abcdefghkl"].map((other) => one + other));
  const further = pairs.map((pair) => `re${pair}ztri`).join(" ");
  const long = "abcdefghij".repeat(5);
  const texts = [
    ...Array.from({ length: 11 }, (_, part) => filler(part)),
    "warranti period",
    further,
    "registri",
    long,
  ];
  await publish(store, texts, { name: "guarantee" });
  const similar = async (form: string, errors = 1): Promise<string[]> => {
    const view = store.openSnippets();
    try {
      return await view.similarTerms(tenantOf(), [form], errors);
    } finally {
      view.close();
    }
  };
  await until(async () => (await similar("waranti")).length > 0);
  expect(await similar("waranti")).toEqual(["warranti"]);
  expect(await similar("warratni")).toEqual(["warranti"]);
  expect(await similar("garantee")).toEqual(["guarantee"]);
  expect(await similar("regiztri", 2)).toEqual(["registri"]);
  expect(await similar(`${long}k`, 2)).toEqual([]);
  expect(await similar("guzranteei", 2)).toEqual(["guarantee"]);
  expect(await similar("mortgage")).toEqual([]);
  await dispose();
});
