import { expect, test } from "bun:test";
import { hashKey } from "../../src/access/key.ts";
import { createKey } from "../../src/keys/keys.ts";
import { openTemporaryStore } from "../store/open-temporary-store.ts";

test("a key is stored as its SHA-256 alone", async () => {
  const { store, dispose } = await openTemporaryStore();
  const tenant = { organizationId: (await store.organizations.upsert("default")).id, partitionId: null };
  const given = { name: "secret", role: "reader", userId: "u", partitionId: null, expiresAt: null } as const;
  const { key } = await createKey(store, tenant, given);
  const stored = store.keys.getByHash(hashKey(key));
  expect(stored).toMatchObject({ name: "secret", hash: hashKey(key) });
  expect(JSON.stringify(stored)).not.toContain(key.slice(4));
  expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  await dispose();
});
