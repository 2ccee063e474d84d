import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import { lowerPriority } from "../../src/system/child-process.ts";
import { until } from "../until.ts";

const children: Bun.Subprocess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const startSleep = (detached: boolean): number => {
  const child = Bun.spawn(["sleep", "60"], { stdio: ["ignore", "ignore", "ignore"], detached });
  children.push(child);
  return child.pid;
};
/** As "/autogroup-62 nice 0". */
const sessionOf = (pid: number): string => readFileSync(`/proc/${pid}/autogroup`, "utf8").trim();

test("a process waits for this one, and so does its session", async () => {
  const pid = startSleep(true);
  lowerPriority(pid, 19);
  expect(os.getPriority(pid)).toBe(19);
  if (existsSync("/proc/self/autogroup")) await until(() => sessionOf(pid).endsWith(" nice 19"));
});

test("a process of this one's own session leaves the session as it is", () => {
  const pid = startSleep(false);
  const before = existsSync("/proc/self/autogroup") ? sessionOf(process.pid) : null;
  lowerPriority(pid, 19);
  expect(os.getPriority(pid)).toBe(19);
  if (before !== null) expect(sessionOf(process.pid)).toBe(before);
});

test("a process that has ended is no error", async () => {
  const child = Bun.spawn(["true"]);
  await child.exited;
  expect(() => lowerPriority(child.pid, 19)).not.toThrow();
});
