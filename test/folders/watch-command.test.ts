import { describe, expect, test } from "bun:test";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../../src/commands/line/program.ts";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";

const top = await temporaryFolder("watch");

const watch = (dataDir: string, ...argv: string[]) => {
  const stop = new AbortController();
  const written = { out: "", err: "" };
  const status = runProgram(["ingest", ...argv, "--watch"], {
    env: { CARREL_LOG_LEVEL: "silent", CARREL_DATA_DIR: dataDir },
    cwd: top,
    write: (text) => {
      written.out += text;
    },
    writeError: (text) => {
      written.err += text;
    },
    columns: 80,
    isTerminal: false,
    onReload: () => undefined,
    embedded: null,
    stop: stop.signal,
  });
  return {
    written,
    until: (pattern: RegExp): Promise<void> =>
      until(() => pattern.test(written.out + written.err), `${pattern} is written`),
    async end(): Promise<number> {
      stop.abort("SIGINT");
      return await status;
    },
  };
};

describe("carrel ingest --watch", () => {
  test("beside a server: new, changed, moved and gone files; what is no document is named", async () => {
    const server = await startTestServer();
    const folder = join(top, "beside");
    await mkdir(folder);
    await writeFile(join(folder, "a.txt"), "The library opens at nine.");
    await writeFile(join(folder, "blob.bin"), "\u0000\u0001\u0002\u0000");
    // Ingested before: the same file, so the same document.
    const plain = watch(server.dataDir, "beside", "--partition", "Manuals", "--metadata", '{"source": "disk"}');
    await plain.until(/^processed {2}\S+ {2}a\.txt$/m);
    await plain.until(/^skipped: blob\.bin: /m);
    await writeFile(join(folder, "a.txt"), "The library opens at eight.");
    await plain.until(/(^processed {2}\S+ {2}a\.txt\n[\s\S]*){2}/m);
    await rename(join(folder, "a.txt"), join(folder, "b.txt"));
    await plain.until(/^moved {2}\S+ {2}a\.txt -> b\.txt$/m);
    const listed = (await (await server.call("/api/document")).json()) as Record<string, unknown>[];
    expect(listed).toMatchObject([
      {
        name: "b.txt",
        status: "processed",
        metadata: { source: "disk", path: "b.txt" },
        partitionId: expect.any(String),
      },
    ]);
    await rm(join(folder, "b.txt"));
    await plain.until(/^removed {2}\S+ {2}b\.txt$/m);
    expect((await server.call("/api/document")).headers.get("x-total-count")).toBe("0");
    expect(await plain.end()).toBe(0);
  });

  test("without a server, and again: nothing is put in twice", async () => {
    const folder = join(top, "alone");
    const dataDir = join(top, "alone-data");
    await mkdir(folder);
    await writeFile(join(folder, "a.txt"), "The library opens at nine.");
    const first = watch(dataDir, "alone", "--json");
    await first.until(/"stored"/);
    expect(JSON.parse(first.written.out)).toMatchObject({ folder, kind: "stored", path: "a.txt", status: "processed" });
    expect(await first.end()).toBe(0);
    await writeFile(join(folder, "b.txt"), "The archive opens at ten.");
    const second = watch(dataDir, "alone");
    await second.until(/b\.txt/);
    expect(second.written.out).not.toContain("a.txt");
    expect(await second.end()).toBe(0);
  });

  test("wants folders", async () => {
    await writeFile(join(top, "file.txt"), "text");
    const file = watch(join(top, "none"), "file.txt");
    await file.until(/--watch is for folders/);
    expect(await file.end()).not.toBe(0);
  });
});
