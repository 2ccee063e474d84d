import { expect, test } from "bun:test";
import { createGarbageCollection } from "../../src/http/handler.ts";

test("after long requests memory is tidied up once for all that end together; after short ones never", async () => {
  let collected = 0;
  const tidyUpAfter = createGarbageCollection(() => {
    collected += 1;
  });
  tidyUpAfter(1_000_000);
  await Bun.sleep(2_100);
  expect(collected).toBe(0);
  for (let request = 0; request < 5; request += 1) tidyUpAfter(60_000_000);
  await Bun.sleep(2_100);
  expect(collected).toBe(1);
  tidyUpAfter(60_000_000);
  await Bun.sleep(2_100);
  expect(collected).toBe(2);
});
