import { expect, test } from "bun:test";
import { openTemporaryStore } from "./open-temporary-store.ts";

test("one calibration is kept for each organization, the last one", async () => {
  const { store, dispose } = await openTemporaryStore();
  try {
    const calibration = {
      organizationId: "a",
      fittedWith: "[1]",
      snippets: 12,
      questions: 7,
      coefficients: [0.5, -1.25],
      answerable: [-2, 0, 3.5],
      fittedAt: 1_700_000_000_000,
    };
    expect(await store.calibrations.list()).toEqual([]);
    await store.calibrations.put({ ...calibration, snippets: 3 });
    await store.calibrations.put(calibration);
    await store.calibrations.put({ ...calibration, organizationId: "b" });
    const listed = await store.calibrations.list();
    expect(listed.sort((x, y) => (x.organizationId < y.organizationId ? -1 : 1))).toEqual([
      calibration,
      { ...calibration, organizationId: "b" },
    ]);
  } finally {
    await dispose();
  }
});
