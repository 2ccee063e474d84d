import { expect, test } from "bun:test";
import { parseDuration } from "../../config/values.ts";

test("times as the contract writes them", () => {
  expect(["500ms", "3s", "15m", "24h", "30d", " 1s "].map(parseDuration)).toEqual([
    500, 3_000, 900_000, 86_400_000, 2_592_000_000, 1_000,
  ]);
});

test("anything else is none", () => {
  for (const text of ["", "3", "s", "-3s", "1.5h", "3 s", "3S", "3w", "99999999999999d"])
    expect(parseDuration(text)).toBeNull();
});
