import { expect, test } from "bun:test";
import { durationWords, relativeTime, sizeWords } from "../../src/web/browser/console/components/words.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 0, 31, 12);

// In whatever language the test runs: what the platform says for these numbers.
const words = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

test("times are told from now, in the unit that fits, and as a day after a week", () => {
  expect(relativeTime(now - 20_000, now)).toBe(words.format(0, "second"));
  expect(relativeTime(now - 40_000, now)).toBe(words.format(-1, "minute"));
  expect(relativeTime(now - 59 * minuteMs, now)).toBe(words.format(-59, "minute"));
  expect(relativeTime(now - 5 * hourMs, now)).toBe(words.format(-5, "hour"));
  expect(relativeTime(now + dayMs, now)).toBe(words.format(1, "day"));
  expect(relativeTime(now - 7 * dayMs, now)).toBe(day.format(now - 7 * dayMs));
});

test("sizes and lengths of time keep to one unit", () => {
  expect([0, 999, 1_000, 1_500_000, 2.5e12].map(sizeWords).map((text) => text.replace(/\s.*/, ""))).toEqual([
    "0",
    "999",
    "1",
    "1.5",
    "2.5",
  ]);
  expect([48, 1_240, 90_000].map(durationWords).map((text) => Number.parseFloat(text))).toEqual([48, 1.2, 2]);
});
