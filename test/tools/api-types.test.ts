import { expect, test } from "bun:test";
import { apiTypes } from "../../tools/write-api-types.ts";

test("the pages' types of the API are those of the OpenAPI document", async () => {
  const written = await Bun.file(new URL("../../src/web/browser/shared/api.ts", import.meta.url)).text();
  expect(written).toBe(await apiTypes());
});
