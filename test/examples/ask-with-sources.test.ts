import { expect, test } from "bun:test";
import { join } from "node:path";
import { serve } from "../serve.ts";
import { startTestServer } from "../start-server.ts";

const root = join(import.meta.dir, "../..");
const fixture = (name: string): string => join(root, "test", "fixtures", "documents", name);

test("the example ingests a page and two files and gets its five answers with sources", async () => {
  const pages = serve(() => new Response(Bun.file(fixture("ideas-page.html"))));
  const server = await startTestServer({ fetch: { allowPrivateAddresses: true } });
  const example = Bun.spawn(
    [
      process.execPath,
      join(root, "examples", "ask-with-sources.ts"),
      `${pages.url}/ideas`,
      fixture("norwich-city.txt"),
      fixture("layout-parser-paper-fast.pdf"),
      server.url,
    ],
    { env: { ...process.env, CARREL_KEY: server.key }, stdout: "pipe", stderr: "pipe" },
  );
  const [output, errors] = await Promise.all([
    new Response(example.stdout).text(),
    new Response(example.stderr).text(),
  ]);
  expect(errors).toBe("");
  expect(await example.exited).toBe(0);
  const parts = output.split(/^(?=What|When|For|Where)/m).slice(1);
  expect(parts).toHaveLength(5);
  for (const [index, expected] of [
    "notice anomalies",
    "26 June 1968",
    "All I want for Christmas",
    "LayoutParser",
    "frontiers of knowledge",
  ].entries())
    expect(parts[index]).toContain(expected);
  for (const part of parts) expect(part).toMatch(/^ {2}\[\d+\] .+/m);
});
