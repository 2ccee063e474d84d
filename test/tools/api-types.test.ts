import { expect, test } from "bun:test";
import { version } from "../../src/domain/version.ts";
import { apiTypes } from "../../tools/write-api-types.ts";

const written = (path: string) => Bun.file(new URL(`../../${path}`, import.meta.url)).text();

test("the types of the API are those of the OpenAPI document", async () => {
  expect(await written("clients/typescript/src/api.ts")).toBe(await apiTypes());
});

test("the client's package has the version of the program whose types it has", async () => {
  expect(JSON.parse(await written("clients/typescript/package.json"))).toMatchObject({ version });
});
