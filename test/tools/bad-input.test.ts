import { afterAll, describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { pagePath, rowStart } from "../../tools/bad-input/page.ts";
import { startBadInputServer } from "../../tools/bad-input/server.ts";
import { groups, isInternalError, tryGroup } from "../../tools/bad-input/try-group.ts";

const server = await startBadInputServer(undefined);
afterAll(() => server.stop());

const page = await Bun.file(pagePath).text();

/** The rows of a section without their last column. */
const rowsOf = (title: string): string[] => {
  const section = page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| (?!sent |---).*\|$/gm)].map(([row]) =>
    row.split("|").slice(0, 3).join("|").concat("|"),
  );
};

describe("docs/bad-input.md says what bad input gets: else run `npx bun tools/bad-input/main.ts`", () => {
  for (const group of groups)
    test(group.title, async () => {
      const results = await tryGroup(group, server);
      expect(results.filter(isInternalError)).toEqual([]);
      // What a file could pull in from the machine, or a path of it.
      const told = ["root:x:0", "root:0", `${tmpdir()}/`, "/tmp/", "$bunfs"];
      expect(results.filter(({ detail }) => told.some((part) => detail.includes(part)))).toEqual([]);
      expect(results.map(rowStart)).toEqual(rowsOf(group.title));
    });
});

test("there are 200 of them", () => {
  expect(groups.flatMap(({ title }) => rowsOf(title)).length).toBeGreaterThanOrEqual(200);
});
