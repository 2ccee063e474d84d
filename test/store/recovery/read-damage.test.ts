import { expect, test } from "bun:test";
import { ApiError } from "../../../src/domain/errors.ts";
import { createReadDamage } from "../../../src/store/recovery/read-damage.ts";

const taken = async (message: string, gone: ApiError | null = null) => {
  const mended: string[] = [];
  const noted: string[] = [];
  const register = {
    note: ({ where }: { where: string }) => void noted.push(where),
    error: async (detail: string) => new ApiError("data_damaged", detail),
  } as unknown as Parameters<typeof createReadDamage>[0];
  const damage = createReadDamage(
    register,
    async (table) => void mended.push(table),
    () => gone,
  );
  const error = await damage.unreadable("texts", new Error(message));
  return [error instanceof ApiError && error.code, noted, mended];
};

test("an index of which a file is gone is made again; what else is not found is no damage", async () => {
  const healed: unknown = ["data_damaged", ["texts"], ["texts"]];
  const left: unknown = [false, [], []];
  const within = (path: string) =>
    `lance error: LanceError(IO): Generic N/A error: Not found: /data/tables/texts.lance/${path}`;
  expect<unknown>(await taken(within("_indices/8995cd92/page_data.lance"))).toEqual(healed);
  expect<unknown>(await taken(within("data/0101.lance"))).toEqual(left);
  expect<unknown>(await taken("Table 'texts' was not found")).toEqual(left);
  expect<unknown>(await taken("lance error: Commit conflict for version 4")).toEqual(left);
  expect<unknown>(await taken("lance error: decoding failed")).toEqual(healed);
  const gone = new ApiError("storage_unavailable", "the data directory is not where it was");
  expect<unknown>(await taken(within("_indices/8995cd92/page_data.lance"), gone)).toEqual([
    "storage_unavailable",
    [],
    [],
  ]);
});
