import { expect, test } from "bun:test";
import { createYielder, nextSlice } from "../../src/async/yield.ts";

/** Notes each turn of the event loop beside what a test notes. */
const noteTurns = (events: string[]): (() => void) => {
  let isOver = false;
  const note = (): void => {
    events.push("turn");
    if (!isOver) setImmediate(note);
  };
  setImmediate(note);
  return () => {
    isOver = true;
  };
};

/** The largest number of events between two turns. */
const mostInOneTurn = (events: readonly string[]): number =>
  Math.max(
    ...events
      .join("")
      .split("turn")
      .map((part) => part.length),
  );

const noteSlices = async (events: string[], name: string, count: number): Promise<void> => {
  for (let slice = 0; slice < count; slice++) {
    await nextSlice();
    events.push(name);
  }
};

test("one slice of all loops runs in a turn of the event loop", async () => {
  const events: string[] = [];
  const stop = noteTurns(events);
  await Promise.all(["a", "b", "c", "d"].map((name) => noteSlices(events, name, 5)));
  stop();
  expect(events.filter((event) => event !== "turn")).toHaveLength(20);
  expect(mostInOneTurn(events)).toBe(1);
});

test("loops take turns in their order", async () => {
  const events: string[] = [];
  await Promise.all(["a", "b", "c"].map((name) => noteSlices(events, name, 3)));
  expect(events.join("")).toBe("abcabcabc");
});

test("loops that yieldTurn share turns as well, and an aborted one ends at its turn", async () => {
  const events: string[] = [];
  const abort = new AbortController();
  const work = async (name: string, signal?: AbortSignal): Promise<void> => {
    const yieldTurn = createYielder(signal);
    for (let slice = 0; slice < 3; slice++) {
      let pause: Promise<void> | undefined;
      while (pause === undefined) pause = yieldTurn();
      await pause;
      events.push(name);
    }
  };
  const aborted = work("c", abort.signal);
  const others = Promise.all([work("a"), work("b")]);
  const stop = noteTurns(events);
  abort.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  await others;
  stop();
  expect(events.filter((event) => event !== "turn").join("")).toBe("ababab");
  expect(mostInOneTurn(events)).toBe(1);
});
