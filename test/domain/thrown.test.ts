import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { codeOf, messageOf } from "../../src/domain/errors.ts";

test("what was thrown has a message, and a code if a system call failed", async () => {
  const failed = await readFile("/there/is/no/such/file").catch((error: unknown) => error);
  expect(codeOf(failed)).toBe("ENOENT");
  expect(messageOf(failed)).toStartWith("ENOENT");
  expect(messageOf(new RangeError("too far"))).toBe("too far");
  expect(messageOf("a text")).toBe("a text");
  // The code of a DOMException is a number from before it had names.
  for (const other of [new RangeError("too far"), new DOMException("stopped", "AbortError"), null, { code: "EIO" }])
    expect(codeOf(other)).toBeNull();
});
