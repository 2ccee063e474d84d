import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { anchors, links, pages, pathInRepository, readPage } from "./markdown.ts";

test("links between the pages lead to a file and, where one is named, to a heading of it", async () => {
  const broken: string[] = [];
  for (const page of await pages()) {
    for (const link of links(await readPage(page))) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      const isThere = existsSync(pathInRepository(target));
      if (!isThere || (anchor !== undefined && !anchors(await readPage(target)).has(anchor)))
        broken.push(`${page}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});
