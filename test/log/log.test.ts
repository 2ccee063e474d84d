import { expect, test } from "bun:test";
import { createLogger } from "../../src/log/log.ts";

const lines = (format: "text" | "json", level: "info" | "silent" = "info") => {
  const written: string[] = [];
  return { log: createLogger({ level, format }, (line) => void written.push(line)), written };
};
const key = `crl_${"aB3".repeat(14)}x`;

test("json: one object a line, with time, level as a word, message and fields", () => {
  const { log, written } = lines("json");
  log.child({ requestId: "r1" }).warn({ documents: 3 }, "line\nend");
  expect(written).toHaveLength(1);
  expect(written[0]).toEndWith("}\n");
  const { time, ...rest } = JSON.parse(written[0] ?? "");
  expect(rest).toEqual({ level: "warn", requestId: "r1", documents: 3, msg: "line\nend" });
  expect(new Date(time).toISOString()).toBe(time);
});

test("text: clock, level, message, fields; nothing from outside starts a line", () => {
  const { log, written } = lines("text");
  log.info({ name: "a\nb\u001b[31m", list: [1] }, "done\r\n00:00:00.000 error forged");
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info {2}done\\u000d\\u000a00:00/);
  expect(written[0]).toContain("name=a\\u000ab\\u001b[31m list=[1]");
  expect(written[0]?.trimEnd()).not.toContain("\n");
});

test("errors come with their stack and cause, under err as under error", () => {
  for (const name of ["err", "error"]) {
    const { log, written } = lines("text");
    log.error({ [name]: new Error("outer", { cause: new Error("inner") }), id: "x" }, "failed");
    expect(written[0]).toMatch(/error failed {2}id=x\n {4}Error: outer\n/);
    expect(written[0]).toContain("inner");
    const json = lines("json");
    json.log.error({ [name]: new Error("outer") }, "failed");
    expect(JSON.parse(json.written[0] ?? "")[name].stack).toContain("outer");
  }
});

test("secrets are masked in both formats", () => {
  for (const format of ["text", "json"] as const) {
    const { log, written } = lines(format);
    const secret = "hunter2";
    log.info(
      {
        key: secret,
        models: { answer: { apiKey: secret } },
        request: { headers: { authorization: `Bearer ${secret}` } },
        secret,
      },
      "called",
    );
    log.info({ url: `/x?k=${key}` }, `with ${key}`);
    log.error({ err: new Error(`no ${key}`) }, "failed");
    expect(written.join("")).not.toContain(secret);
    expect(written.join("")).not.toContain(key);
    expect(written.join("")).toContain("crl_[masked]");
  }
});

test("silent writes nothing, and debug stays out of info", () => {
  const silent = lines("text", "silent");
  silent.log.fatal("x");
  const info = lines("text");
  info.log.debug("x");
  expect([...silent.written, ...info.written]).toEqual([]);
});

test("long values are cut wherever they stand, after secrets are masked", () => {
  for (const format of ["text", "json"] as const) {
    const { log, written } = lines(format);
    const long = "x".repeat(14_000);
    const deep = { a: { b: { c: { d: { e: { f: { g: long } } } } } } };
    log.child({ child: long }).warn({ path: long, list: Array(5_000).fill(long), [long]: 1, deep }, long);
    log.error({ err: new Error(long, { cause: new Error(long) }) }, "failed");
    log.info({ path: `${"x".repeat(990)}${key}${long}` }, "called");
    for (const line of written) expect(line.length).toBeLessThan(150_000);
    expect((written[0] ?? "").length).toBeLessThan(130_000);
    expect(written[2]).toContain("crl_[mask");
    expect(written.join("")).not.toContain(key.slice(0, 20));
    if (format === "json") expect(JSON.parse(written[2] ?? "").path).toEndWith(`… (${990 + 12 + 14_000} characters)`);
  }
});

test("no control character reaches the terminal, in either format; JSON holds the same text", () => {
  const hostile = "\u0000\u001b]0;x\u0007\u009b31m\u202e\u2066\u061c\u2028\u007f\r\n";
  for (const format of ["text", "json"] as const) {
    const { log, written } = lines(format);
    log.info({ name: hostile, list: [hostile] }, `model said ${hostile}`);
    expect(written[0]?.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
    expect(written[0]).toEndWith("\n");
    if (format === "json") expect(JSON.parse(written[0] ?? "")).toMatchObject({ name: hostile, list: [hostile] });
  }
});
