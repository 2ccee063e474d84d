import { expect, test } from "bun:test";
import { generateKey, hashKey, isKey } from "../../src/access/key.ts";
import { readTime } from "../../src/domain/times.ts";
import { createKey } from "../../src/keys/keys.ts";
import { openTemporaryStore } from "../store/open-temporary-store.ts";

/** What callers see of keys stands in test/contract/keys and key-matrix. */

test("a key has 43 digits of base62, and no two are alike", () => {
  const keys = Array.from({ length: 500 }, generateKey);
  for (const key of keys) expect(isKey(key)).toBe(true);
  expect(new Set(keys).size).toBe(500);
  expect(new Set(keys.join("").slice(4)).size).toBe(63);
});

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

test("an expiry is read as ISO 8601 with time zone and nothing else", () => {
  expect(readTime("expiresAt", "2027-01-31T00:00Z")).toBe(Date.UTC(2027, 0, 31));
  expect(readTime("expiresAt", "2027-01-31T00:00:00.5+01:00")).toBe(Date.UTC(2027, 0, 30, 23, 0, 0, 500));
  for (const text of ["2027-01-31", "2027-01-31T00:00:00", "31.1.2027", "", "2027-13-01T00:00:00Z", "0"])
    expect(() => readTime("expiresAt", text)).toThrow("expiresAt");
});
