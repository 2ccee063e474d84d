import { dlopen } from "bun:ffi";
import { expect, test } from "bun:test";
import { setNativeVariable } from "../../src/system/libc.ts";

test("JavaScript and native code both see the variable", () => {
  setNativeVariable("CARREL_TEST_VARIABLE", "seen by both");
  expect(process.env.CARREL_TEST_VARIABLE).toBe("seen by both");
  if (process.platform === "linux") {
    const { symbols } = dlopen("libc.so.6", { getenv: { args: ["cstring"], returns: "cstring" } });
    expect(String(symbols.getenv(Buffer.from("CARREL_TEST_VARIABLE\0")))).toBe("seen by both");
  }
  delete process.env.CARREL_TEST_VARIABLE;
});
