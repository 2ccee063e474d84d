import { expect, test } from "bun:test";
import { changeUnderKills } from "./change-under-kills.ts";

test("killed at random moments of a change it resumes, answers throughout, and ends with the new model only", async () => {
  const documents = 200;
  const { rounds, questions } = await changeUnderKills({ documents, kills: 3, delayMs: 120, longestLifeMs: 800 });
  expect(rounds.length).toBe(3);
  expect(questions).toBeGreaterThanOrEqual(50);
}, 120_000);
