import { expect, test } from "bun:test";
import type { LanceTable } from "../../../src/store/engine/lance.ts";
import { createTableCommits } from "../../../src/store/engine/table-commits.ts";
import { createTableActivity } from "../../../src/store/engine/table-reads.ts";
import type { Write } from "../../../src/store/engine/write-queue.ts";
import { organizationRows } from "../../../src/store/records/accounts.ts";
import { passiveHooks } from "../open-temporary-store.ts";

const tooLate =
  "lance error: Too many concurrent writers. Attempted 2 times, but failed on retry_timeout of 30.000 seconds.";

/** Commits one row by a table whose first attempts fail. @returns how many were made */
const attemptsOf = async (failures: readonly string[]): Promise<{ attempts: number; mayHaveStrays: boolean }> => {
  let attempts = 0;
  const lance = {
    async add() {
      attempts += 1;
      const failure = failures[attempts - 1];
      if (failure !== undefined) throw new Error(failure);
    },
  } as unknown as LanceTable;
  const activity = createTableActivity();
  activity.noteNoStrayFiles();
  const { commit } = createTableCommits(organizationRows, lance, passiveHooks, activity);
  const rows = [organizationRows.encode({ id: "o", name: "o", createdAt: 0 })];
  const write: Write = { kind: "add", scopes: ["o"], durable: true, rows, supersedes: false };
  await commit({ kind: "add", members: [{ write }], scopes: new Set(["o"]) } as Parameters<typeof commit>[0]);
  return { attempts, mayHaveStrays: activity.mayHaveStrayFiles() };
};

test("added rows whose commit upkeep came before are committed again, and what was left is removed later", async () => {
  expect(await attemptsOf([])).toEqual({ attempts: 1, mayHaveStrays: false });
  expect(await attemptsOf([tooLate, "Commit conflict for version 7"])).toEqual({ attempts: 3, mayHaveStrays: true });
});

test("not without end, and not after another failure", async () => {
  await expect(attemptsOf(new Array(9).fill(tooLate))).rejects.toThrow("Too many concurrent writers");
  await expect(attemptsOf(["No space left on device"])).rejects.toThrow("No space left");
});
