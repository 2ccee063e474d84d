import { expect, test } from "bun:test";
import {
  chatSchema,
  documentSchema,
  formatVersion,
  manifestSchema,
  messageSchema,
  partitionSchema,
} from "../../src/portability/format.ts";
import { readPage } from "./markdown.ts";

/** The first cells and the last of the rows of a section's table. */
const rowsOf = async (name: string): Promise<{ fields: string; says: string }[]> => {
  const page = await readPage("docs/export.md");
  const section = page.split(/^### /m).find((one) => one.startsWith(`${name}\n`)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => ({ fields: row.split("|")[1] ?? "", says: (row.split("|").at(-2) ?? "").trim() }));
};

test.each([
  ["manifest.json", manifestSchema],
  ["partitions.ndjson", partitionSchema],
  ["documents.ndjson", documentSchema],
  ["chats.ndjson", chatSchema],
  ["messages.ndjson", messageSchema],
] as const)("docs/export.md lists the fields of %s, no more and no less", async (name, schema) => {
  const listed = (await rowsOf(name)).flatMap(({ fields }) =>
    [...fields.matchAll(/`(\w+)`/g)].map(([, field]) => field as string),
  );
  expect(listed.sort()).toEqual(Object.keys(schema.properties).sort());
});

test("the page and the example name the current version of the format", async () => {
  const row = (await rowsOf("manifest.json")).find(({ fields }) => fields.includes("formatVersion"));
  expect(row?.says).toBe(String(formatVersion));
  expect(await readPage("examples/read-export.mjs")).toContain(`formatVersion !== ${formatVersion}`);
});
