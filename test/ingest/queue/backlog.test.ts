import { describe, expect, test } from "bun:test";
import { createBacklog } from "../../../src/ingest/queue/backlog.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";

const limits = { maxPerOrganization: 3, maxCharacters: 10 };
const any = () => true;
const drain = (backlog: ReturnType<typeof createBacklog>): (string | undefined)[] => {
  const ids: (string | undefined)[] = [];
  for (let next = backlog.take(any); next !== null; next = backlog.take(any)) ids.push(next.id);
  return ids;
};

describe("backlog", () => {
  test("gives the organizations in rotation, each oldest first", () => {
    const backlog = createBacklog(limits);
    for (const id of ["a1", "a2", "a3", "b1"]) backlog.add({ id, organizationId: id.slice(0, 1) });
    expect(drain(backlog)).toEqual(["a1", "b1", "a2", "a3"]);
  });

  test("passes over organizations that may not start", () => {
    const backlog = createBacklog(limits);
    for (const id of ["a1", "b1"]) backlog.add({ id, organizationId: id.slice(0, 1) });
    expect(backlog.take((organization) => organization !== "a")?.id).toBe("b1");
    expect(backlog.take((organization) => organization !== "a")).toBeNull();
    expect(backlog.size).toBe(1);
  });

  test("holds a document once, and forgets it when removed", () => {
    const backlog = createBacklog(limits);
    backlog.add({ id: "a1", organizationId: "a" });
    backlog.add({ id: "a1", organizationId: "a" });
    expect(backlog.size).toBe(1);
    expect([backlog.remove("a1"), backlog.remove("a1"), backlog.has("a1")]).toEqual([true, false, false]);
    expect(drain(backlog)).toEqual([]);
  });

  test("leaves documents beyond the bound to the store, and names their organizations once the rest is taken", () => {
    const backlog = createBacklog(limits);
    for (let at = 0; at < 5; at++) backlog.add({ id: `a${at}`, organizationId: "a" });
    expect([backlog.size, backlog.exhausted()]).toEqual([3, []]);
    drain(backlog);
    expect(backlog.exhausted()).toEqual(["a"]);
    backlog.setMore("a", false);
    expect(backlog.exhausted()).toEqual([]);
  });

  test("keeps accepted texts up to the bound only", () => {
    const backlog = createBacklog(limits);
    const document = sampleDocument();
    for (const id of ["a1", "a2"]) {
      backlog.add({ id, organizationId: "a", accepted: { document, text: "sixsix" } });
    }
    expect(backlog.take(any)?.accepted?.text).toBe("sixsix");
    expect(backlog.take(any)?.accepted).toBeUndefined();
    backlog.add({ id: "a3", organizationId: "a", accepted: { document, text: "ten chars." } });
    expect(backlog.take(any)?.accepted?.text).toBe("ten chars.");
  });
});
