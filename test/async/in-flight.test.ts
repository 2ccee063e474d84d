import { expect, test } from "bun:test";
import { createInFlight, type Held, type Holder, type InFlight } from "../../src/async/in-flight.ts";
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
const as = (kind: Holder["kind"], id: string) => (): Holder => ({ kind, id });
const key = (id: string) => as("key", id);

/** How many requests of so many bytes are taken at once. */
const takenOf = (inFlight: InFlight, holder: () => Holder | null, bytes: number): number => {
  for (let taken = 0; taken < 1_000; taken += 1) if (isRefused(inFlight.open(holder), bytes)) return taken;
  return Number.POSITIVE_INFINITY;
};

test("no key holds more than a quarter, in requests of whatever length; others go on", () => {
  for (const bytes of [1_000, 60_000, 100_000, 500_000]) {
    const inFlight = createInFlight(8_000_000);
    expect(takenOf(inFlight, key("a"), bytes) * bytes).toBeLessThanOrEqual(2_000_000);
    expect(inFlight.bytes).toBeLessThanOrEqual(2_000_000);
    expect(isRefused(inFlight.open(key("b")), bytes)).toBe(false);
  }
});

test("visitors share a part, of which no address holds more than a quarter; keys and signing in are apart", () => {
  const inFlight = createInFlight(16_000_000);
  const ofOne = takenOf(inFlight, as("visitor", "1.1.1.1"), 100_000);
  expect([ofOne > 0, ofOne * 100_000 <= 500_000]).toEqual([true, true]);
  expect(isRefused(inFlight.open(as("visitor", "1.1.1.2")), 100_000)).toBe(false);
  for (let host = 3; host < 50; host += 1) takenOf(inFlight, as("visitor", `1.1.1.${host}`), 100_000);
  expect(inFlight.bytes).toBeLessThanOrEqual(2_000_000);
  expect(isRefused(inFlight.open(as("visitor", "1.1.1.99")), 100_000)).toBe(true);
  expect(isRefused(inFlight.open(as("signing in", "1.1.1.1")), 100_000)).toBe(false);
  expect(isRefused(inFlight.open(key("a")), 1_000_000)).toBe(false);
});

test("after its end nothing is counted for a request", () => {
  const inFlight = createInFlight(1_000);
  const held = inFlight.open(key("a"));
  held.note(5_000);
  expect(inFlight.bytes).toBe(5_000);
  held.release();
  held.note(5_000);
  held.add(5_000);
  held.drop(1);
  held.release();
  expect(inFlight.bytes).toBe(0);
});
