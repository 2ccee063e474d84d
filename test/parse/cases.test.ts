import { expect, test } from "bun:test";
import { casesFolder, faultsOf, readCase, readCases } from "../../tools/samples/file-cases.ts";

/** Cases that are not read as they should be yet. */
const failing: readonly string[] = [];

test("every case of a file that was read wrongly is read as expected, but for those known to fail", async () => {
  const cases = await readCases(casesFolder);
  const failed: string[] = [];
  const details: string[] = [];
  for (const one of cases) {
    const faults = faultsOf(await readCase(one), one.expected);
    if (faults.length === 0) continue;
    failed.push(one.name);
    if (!failing.includes(one.name)) details.push(`${one.name}: ${faults.join("; ")}`);
  }
  expect(cases.length).toBeGreaterThan(80);
  expect(details).toEqual([]);
  expect(failed).toEqual([...failing]);
});
