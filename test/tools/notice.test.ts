import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { collectLicenses } from "../../tools/licenses/collect.ts";
import { notice } from "../../tools/notice.ts";

const root = join(import.meta.dir, "../..");
const parts = await collectLicenses(root);

// Not every system has an onnxruntime.
test.skipIf(!parts.some(({ name }) => name === "onnxruntime"))(
  "NOTICE is current: else run `npx bun tools/notice.ts`",
  () => {
    expect(readFileSync(join(root, "NOTICE"), "utf8")).toBe(notice(parts));
  },
);
