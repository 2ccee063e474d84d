import { expect, test } from "bun:test";
import { changeUnderKills } from "../../bench/embedder/change-under-kills.ts";

test("killed at random moments of a change it resumes, answers throughout, and ends with the new model only", async () => {
  const documents = 300;
  const { rounds, questions } = await changeUnderKills({ documents, kills: 5, delayMs: 250, maxLifeMs: 300 });
  expect(rounds.map(({ doneWhenKilled }) => doneWhenKilled > 0 && doneWhenKilled < documents)).toEqual(
    Array(5).fill(true),
  );
  expect(rounds.every(({ doneWhenKilled, doneAtNextStart }) => doneAtNextStart >= doneWhenKilled)).toBe(true);
  // 50 after the change; at least one in the life of each process that was killed.
  expect(questions).toBeGreaterThanOrEqual(55);
});
