import { afterEach, expect, test } from "bun:test";
import { resolve } from "node:path";
import type { BuiltinParserOptions } from "../../src/parse/builtin-parser.ts";
import { ownCommand } from "../../src/system/child-process.ts";
import { deflateBomb, docxParts, makeZip } from "../../tools/samples/zip-file.ts";
import { until } from "../until.ts";
import { failureOf, never, testParser, workerCommand } from "./test-parser.ts";

const misbehaving = [process.execPath, resolve(import.meta.dir, "misbehaving-worker.ts")];
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const parser of open.splice(0)) await parser.close();
});

const parserWith = (options: Partial<BuiltinParserOptions> = {}) => {
  const parser = testParser(options);
  open.push(parser);
  return parser;
};

/** A file that goes to the parsing process; the misbehaving one does what its name says. */
const heavy = (name: string) => ({ bytes: new TextEncoder().encode("%PDF-1.4"), name, mimeType: null });

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !require("node:fs").readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};

const gone = (pid: number): Promise<void> => until(() => !isRunning(pid), `process ${pid} is gone`);

test("an endless loop ends with the time limit as 504, and the next file is read", async () => {
  const parser = parserWith({ workerCommand: misbehaving, timeoutMs: 300, maxWorkers: 1 });
  expect(await failureOf(parser.parse(heavy("endless"), never))).toMatchObject({ code: "parser_timeout", status: 504 });
  const longer = parserWith({ workerCommand: misbehaving, maxWorkers: 1 });
  const pid = Number((await longer.parse(heavy("pid"), never)).text);
  expect(isRunning(pid)).toBe(true);
});

test("what OCR takes is granted besides, up to its own limit", async () => {
  const options = { workerCommand: misbehaving, timeoutMs: 5_000, ocrProgram: process.execPath };
  const [granted, short, unasked] = await Promise.all([
    parserWith(options).parse(heavy("pictures"), never),
    failureOf(parserWith({ ...options, ocrTimeoutMs: 10 }).parse(heavy("pictures"), never)),
    failureOf(parserWith({ ...options, ocrProgram: null }).parse(heavy("pictures"), never)),
  ]);
  expect(granted.text).toMatch(/^\d+$/);
  for (const failure of [short, unasked]) expect(failure).toMatchObject({ code: "parser_timeout" });
  expect(short.detail).toContain("longer than 5000 ms to read, besides the 10 ms");
  expect(unasked.detail).not.toContain("besides");
});

test.skipIf(process.platform !== "linux")("memory of a program that the process started counts", async () => {
  const parser = parserWith({ workerCommand: misbehaving, maxMemoryBytes: 300 * 1_048_576 });
  expect((await failureOf(parser.parse(heavy("child"), never))).detail).toContain("300 MiB");
});

test("a process that takes too much memory is ended: 422 that says so", async () => {
  const parser = parserWith({ workerCommand: misbehaving, maxMemoryBytes: 300 * 1_048_576 });
  const failure = await failureOf(parser.parse(heavy("memory"), never));
  expect(failure).toMatchObject({ code: "unreadable_file", status: 422 });
  expect(failure.detail).toContain("300 MiB");
});

test.each(["crash", "exit", "nonsense"])("a process that ends in a %s costs that file alone", async (name) => {
  const parser = parserWith({ workerCommand: misbehaving, maxWorkers: 1, timeoutMs: 10_000 });
  expect(await failureOf(parser.parse(heavy(name), never))).toMatchObject({ code: "unreadable_file" });
  expect((await parser.parse(heavy("pid"), never)).text).toMatch(/^\d+$/);
});

test("output without end is cut off", async () => {
  const parser = parserWith({ workerCommand: misbehaving, maxDocumentBytes: 100_000, timeoutMs: 10_000 });
  expect(await failureOf(parser.parse(heavy("flood"), never))).toMatchObject({ code: "unreadable_file" });
});

test("an abort kills the process and throws the caller's reason", async () => {
  const parser = parserWith({ workerCommand: misbehaving, maxWorkers: 1 });
  const pid = Number((await parser.parse(heavy("pid"), never)).text);
  const controller = new AbortController();
  const work = parser.parse(heavy("sleep"), controller.signal).catch((error: unknown) => error);
  const reason = new Error("cancelled");
  setTimeout(() => controller.abort(reason), 30);
  expect(await work).toBe(reason);
  await gone(pid);
});

test("a process is reused, and ended when idle and when the parser is closed", async () => {
  const parser = parserWith({ workerCommand: misbehaving, maxWorkers: 1, idleMs: 150 });
  const first = (await parser.parse(heavy("pid"), never)).text;
  expect((await parser.parse(heavy("pid"), never)).text).toBe(first);
  await gone(Number(first));
  const second = Number((await parser.parse(heavy("pid"), never)).text);
  expect(second).not.toBe(Number(first));
  await parser.close();
  await gone(second);
  expect(await failureOf(parser.parse(heavy("pid"), never))).toMatchObject({ code: "draining" });
});

test("files wait for a process; too many waiting are refused with 503", async () => {
  const parser = parserWith({ workerCommand: misbehaving, maxWorkers: 1, maxWaiting: 1, timeoutMs: 4_000 });
  const running = failureOf(parser.parse(heavy("sleep"), never));
  const waiting = parser.parse(heavy("pid"), never);
  expect(await failureOf(parser.parse(heavy("pid"), never))).toMatchObject({ code: "overloaded", status: 503 });
  expect(await running).toMatchObject({ code: "parser_timeout" });
  expect((await waiting).text).toMatch(/^\d+$/);
});

test("no setting of the server, and so no secret, reaches the process", async () => {
  process.env.CARREL_TEST_SECRET = "s3cret";
  try {
    const parser = parserWith({ workerCommand: misbehaving });
    const names = (await parser.parse(heavy("environment"), never)).text.split(" ");
    expect(names).toContain("PATH");
    expect(names).not.toContain("CARREL_TEST_SECRET");
  } finally {
    delete process.env.CARREL_TEST_SECRET;
  }
});

test.skipIf(process.platform !== "linux").each(["endless-worker.ts", "worker-entry.ts"])(
  "a parsing process (%s) does not outlive a server that is killed",
  async (entry) => {
    const parent = Bun.spawn([process.execPath, resolve(import.meta.dir, "orphan-parent.ts"), entry], {
      stdout: "pipe",
    });
    const pid = Number(await new Response(parent.stdout).text());
    expect(pid).toBeGreaterThan(1);
    await gone(pid);
  },
);

test("a document whose part unpacks to 2 GB is one 422", async () => {
  const parser = parserWith({ workerCommand });
  const honest = docxParts("").map((part) =>
    part.name === "word/document.xml"
      ? { ...part, content: { deflated: deflateBomb(2048), claimedSize: 2048 * 1_048_576 } }
      : part,
  );
  const lying = honest.map((part) =>
    typeof part.content === "object" && "deflated" in part.content
      ? { ...part, content: { ...part.content, claimedSize: 1000 } }
      : part,
  );
  for (const parts of [honest, lying]) {
    const failure = await failureOf(parser.parse({ bytes: makeZip(parts), name: "a.docx", mimeType: null }, never));
    expect(failure).toMatchObject({ code: "unreadable_file", status: 422 });
    expect(failure.detail).toContain("unpacks to more");
  }
});

test("a zip of zips of zips is one bounded document", async () => {
  const parser = parserWith({ workerCommand });
  let archive = makeZip([{ name: "bomb.txt", content: { deflated: deflateBomb(300), claimedSize: 10 } }]);
  for (let level = 0; level < 6; level++) {
    archive = makeZip(Array.from({ length: 3 }, (_, index) => ({ name: `${level}-${index}.zip`, content: archive })));
  }
  const failure = await failureOf(parser.parse({ bytes: archive, name: "a.zip", mimeType: null }, never));
  expect(failure.status).toBe(422);
});

const laughs = (line: (level: number) => string, levels = 12) =>
  Array.from({ length: levels }, (_, level) => line(level)).join("\n");

test("billion laughs in XML and YAML are one 422 each", async () => {
  const parser = parserWith({ workerCommand });
  const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">\n${laughs(
    (level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
  )}]><x>&l12;</x>`;
  const yaml = `l0: &l0 [ha, ha]\n${laughs((level) => `l${level + 1}: &l${level + 1} [${new Array(10).fill(`*l${level}`).join(", ")}]`)}\n`;
  for (const [name, text] of [
    ["a.xml", xml],
    ["a.yaml", yaml],
  ] as const) {
    const failure = await failureOf(
      parser.parse({ bytes: new TextEncoder().encode(text), name, mimeType: null }, never),
    );
    expect(failure).toMatchObject({ code: "unreadable_file", status: 422 });
    expect(failure.detail).toContain("multiply");
  }
});

test("a file over the limit is a 413 before anything reads it", async () => {
  const parser = parserWith({ maxDocumentBytes: 1000, workerCommand: ["/nonexistent"] });
  expect(await failureOf(parser.parse({ ...heavy("x"), bytes: new Uint8Array(1001) }, never))).toMatchObject({
    code: "document_too_large",
    status: 413,
  });
});

test("light text needs no process", async () => {
  const parser = parserWith({ workerCommand: ["/nonexistent"] });
  const text = { bytes: new TextEncoder().encode("# Hello\n\nworld"), name: "a.md", mimeType: null };
  expect((await parser.parse(text, never)).text).toBe("# Hello\n\nworld");
  const rows = (count: number) => ({
    ...text,
    bytes: new TextEncoder().encode("a;b;c\n".repeat(count)),
    name: "a.csv",
  });
  expect((await parser.parse(rows(10), never)).text).toContain("| a | b | c |");
  // Thousands of rows take too long for a process that others wait for.
  await expect(parser.parse(rows(10_000), never)).rejects.toThrow();
});

test("the command line is the program's own", () => {
  expect(ownCommand("parse-worker", "/$bunfs/root/carrel")).toEqual([process.execPath, "parse-worker"]);
  expect(ownCommand("parse-worker", "/app/src/main.ts")).toEqual([
    process.execPath,
    "/app/src/main.ts",
    "parse-worker",
  ]);
});
