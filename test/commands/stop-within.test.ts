import { expect, test } from "bun:test";
import { stopWithin } from "../../src/commands/serve.ts";
import { createLogger } from "../../src/log/log.ts";

const log = createLogger({ level: "silent", format: "text" });

test("a stop that does not end is given up; one that fails says why", async () => {
  expect(await stopWithin(async () => undefined, 60_000, log)).toBe(true);
  expect(await stopWithin(() => new Promise(() => undefined), 10, log)).toBe(false);
  await expect(stopWithin(() => Promise.reject(new Error("the disk is full")), 60_000, log)).rejects.toThrow("full");
});
