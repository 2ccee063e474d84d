import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfig } from "../../config/load.ts";
import { startServer } from "../../src/program/start-server.ts";

const root = join(import.meta.dir, "../..");
const fixture = (name: string): string => join(root, "test", "fixtures", "documents", name);

test("the example ingests a page and two files and gets its five answers with sources", async () => {
  const folder = mkdtempSync(join(tmpdir(), "carrel-example-"));
  const pages = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(Bun.file(fixture("ideas-page.html"))),
  });
  const config = defaultConfig();
  const server = await startServer({
    ...config,
    dataDir: folder,
    server: { ...config.server, port: 0 },
    fetch: { ...config.fetch, allowPrivateAddresses: true },
    log: { ...config.log, level: "silent" },
  });
  try {
    const example = Bun.spawn(
      [
        process.execPath,
        join(root, "examples", "ask-with-sources.ts"),
        `http://127.0.0.1:${pages.port}/ideas`,
        fixture("norwich-city.txt"),
        fixture("layout-parser-paper-fast.pdf"),
        server.url,
      ],
      { env: { ...process.env, CARREL_KEY: server.firstKey ?? "" }, stdout: "pipe", stderr: "pipe" },
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
  } finally {
    await server.stop();
    await pages.stop(true);
    rmSync(folder, { recursive: true, force: true });
  }
});
