import { expect, test } from "bun:test";
import { createInFlight, type Held } from "../../src/async/in-flight.ts";
import { ApiError } from "../../src/domain/errors.ts";

const refusedWith = (work: () => void): ApiError | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
};
const isRefused = (held: Held, bytes: number): boolean => refusedWith(() => held.add(bytes)) !== null;
const caller = () => false;
const visitor = () => true;

test("all requests together hold no more than the bound; what one lets go another may hold", () => {
  const inFlight = createInFlight(1_000_000);
  const [first, second] = [inFlight.open(caller), inFlight.open(caller)];
  first.add(600_000);
  const refusal = refusedWith(() => second.add(500_000));
  expect([refusal?.status, refusal?.headers["retry-after"]]).toEqual([503, "5"]);
  expect(inFlight.bytes).toBe(600_000);
  second.add(400_000);
  first.drop(200_000);
  second.add(200_000);
  first.release();
  second.release();
  expect(inFlight.bytes).toBe(0);
});

test("one that holds something alone may hold more, and then nobody else", () => {
  const inFlight = createInFlight(1_000_000);
  const [long, other] = [inFlight.open(caller), inFlight.open(caller)];
  long.add(900_000);
  long.add(5_000_000);
  expect(isRefused(other, 1)).toBe(true);
  long.release();
  expect(isRefused(other, 1)).toBe(false);
});

test("short requests have room beside long ones", () => {
  const inFlight = createInFlight(1_000_000);
  inFlight.open(caller).add(1_000_000);
  expect(isRefused(inFlight.open(caller), 60_000)).toBe(false);
  expect(isRefused(inFlight.open(caller), 60_000)).toBe(true);
});

test("visitors share a part, and leave the rest to those who have a key", () => {
  const inFlight = createInFlight(800_000);
  const visitors = Array.from({ length: 8 }, () => inFlight.open(visitor));
  const admitted = visitors.filter((held) => !isRefused(held, 30_000));
  expect(admitted.length).toBe(3);
  expect(isRefused(inFlight.open(caller), 700_000)).toBe(false);
  for (const held of admitted) held.release();
  expect(isRefused(visitors[7] as Held, 30_000)).toBe(false);
});

test("after its end nothing is counted for a request", () => {
  const inFlight = createInFlight(1_000);
  const held = inFlight.open(caller);
  held.note(5_000);
  expect(inFlight.bytes).toBe(5_000);
  held.release();
  held.note(5_000);
  held.add(5_000);
  held.drop(1);
  held.release();
  expect(inFlight.bytes).toBe(0);
});
