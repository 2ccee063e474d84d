import { expect, test } from "bun:test";
import type { WebhookDelivery } from "../../src/domain/records.ts";
import { createHeldDeliveries } from "../../src/webhooks/held-deliveries.ts";

const record = (id: string) => ({ id }) as WebhookDelivery;

test("ready deliveries are taken once each, in the order in which they became ready", () => {
  const held = createHeldDeliveries();
  held.addReady("a", record("a"));
  held.addReady("b", null);
  expect(held.size).toBe(2);
  expect(held.takeReady()).toEqual({ id: "a", record: record("a") });
  expect(held.takeReady()).toEqual({ id: "b", record: null });
  expect(held.takeReady()).toBeNull();
});

test("waiting deliveries become ready when they are due, or when their receiver is back", () => {
  const held = createHeldDeliveries();
  held.addWaiting("due", { dueAt: 10, gotNoAnswer: false });
  held.addWaiting("refused", { dueAt: 30, gotNoAnswer: false });
  held.addWaiting("unreachable", { dueAt: 40, gotNoAnswer: true });
  expect(held.nextDueAt(0)).toBe(10);
  held.readyDue(10, false);
  expect(held.takeReady()?.id).toBe("due");
  expect(held.takeReady()).toBeNull();
  expect(held.nextDueAt(10)).toBe(30);
  held.readyDue(10, true);
  expect(held.takeReady()?.id).toBe("unreachable");
  expect(held.has("refused")).toBe(true);
});

test("what a wrong clock put years away is due", () => {
  const held = createHeldDeliveries();
  const now = Date.UTC(2026, 0, 1);
  held.addWaiting("soon", { dueAt: now + 1_000, gotNoAnswer: false });
  held.addWaiting("in ten years", { dueAt: Date.UTC(2036, 0, 1), gotNoAnswer: false });
  expect(held.nextDueAt(now)).toBe(now);
  held.readyDue(now, false);
  expect(held.takeReady()?.id).toBe("in ten years");
  expect(held.takeReady()).toBeNull();
  expect(held.nextDueAt(now)).toBe(now + 1_000);
});

test("of many ready deliveries only the first 500 keep their record", () => {
  const held = createHeldDeliveries();
  for (let index = 0; index < 501; index++) held.addReady(String(index), record(String(index)));
  // A record that is replaced makes no room for a second one.
  held.addReady("0", record("0"));
  const taken = Array.from({ length: 501 }, () => held.takeReady());
  expect(taken.filter((one) => one !== null && one.record !== null)).toHaveLength(500);
});
