import { afterAll, expect, test } from "bun:test";
import { openLibrary } from "../../tools/samples/snippets.ts";

/** The default of `answers.refusalThreshold`. */
const wish = 0.5;
const library = await openLibrary();
await library.put(
  "errors",
  "Error code E18 means that the door is open. Error code E20 means that the filter is blocked.",
);
await library.put(
  "laser",
  "The PX-400 is a class 2 laser. The battery of the PX-400 lasts ten hours. It weighs 410 g.",
);
await library.put("sales", "Revenue in the region North was 1.2 million in 2023 and 1.4 million in 2024.");
await library.put("regions.csv", "region,year,units,revenue\nSouth,2022,1200,348000\nWest,2022,900,127000");
afterAll(() => library.close());

test.each([
  ["What does error code E18 mean?", "What does error code E99 mean?"],
  ["battery life of the PX-400", "battery life of the PX-500"],
  ["battery of the PX 400", "battery of the PX-4000"],
  ["revenue in the region North in 2024", "revenue in the region North in 2019"],
  ["revenue of South 2022", "revenue of South 2019"],
])("a question about a code that is there is answered, one about its neighbor is not: %s", async (there, absent) => {
  expect((await library.find(there, {})).refusedAbove).toBeGreaterThan(wish);
  expect((await library.find(absent, {})).refusedAbove).toBeLessThan(wish);
});
