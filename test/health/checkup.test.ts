import { expect, test } from "bun:test";
import { type Checkup, createCheckup, type Finding } from "../../src/health/checkup.ts";

const sound: Finding = { check: "memory", status: "ok", detail: "There is enough.", fix: null };

interface Examination {
  signal: AbortSignal;
  end(findings: Finding[]): void;
  fail(error: Error): void;
}

/** A checkup whose clock and examinations the test moves. */
const scripted = (): { checkup: Checkup; made: Examination[]; clock: { ms: number } } => {
  const made: Examination[] = [];
  const clock = { ms: 0 };
  const checkup = createCheckup(
    (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Finding[]>();
      made.push({ signal, end: resolve, fail: reject });
      return promise;
    },
    () => clock.ms,
  );
  return { checkup, made, clock };
};

test("callers at one time share the checks, and the report is given again for five seconds", async () => {
  const { checkup, made, clock } = scripted();
  const caller = new AbortController();
  const both = [checkup.report(caller.signal), checkup.report(new AbortController().signal)];
  expect(made).toHaveLength(1);
  made[0]?.end([sound]);
  const [first, second] = await Promise.all(both);
  expect(first?.findings).toEqual([sound]);
  expect(second).toBe(first as NonNullable<typeof first>);
  clock.ms = 4_999;
  expect(await checkup.report(caller.signal)).toBe(first as NonNullable<typeof first>);
  clock.ms = 5_000;
  const later = checkup.report(caller.signal);
  expect(made).toHaveLength(2);
  made[1]?.end([]);
  expect((await later).findings).toEqual([]);
});

test("the checks go on while somebody waits, and end with the last one who leaves", async () => {
  const { checkup, made } = scripted();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = checkup.report(one.signal);
  const second = checkup.report(two.signal);
  one.abort(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  expect(made[0]?.signal.aborted).toBe(false);
  two.abort(new Error("gone too"));
  await expect(second).rejects.toThrow("gone too");
  expect(made[0]?.signal.aborted).toBe(true);
  const next = checkup.report(new AbortController().signal);
  expect(made).toHaveLength(2);
  made[0]?.fail(new Error("aborted"));
  made[1]?.end([sound]);
  expect((await next).findings).toEqual([sound]);
});

test("checks that break are not kept", async () => {
  const { checkup, made } = scripted();
  const broken = checkup.report(new AbortController().signal);
  made[0]?.fail(new Error("broke"));
  await expect(broken).rejects.toThrow("broke");
  const next = checkup.report(new AbortController().signal);
  made[1]?.end([sound]);
  expect((await next).findings).toEqual([sound]);
});

test("who has left already has nothing checked", async () => {
  const { checkup, made } = scripted();
  await expect(checkup.report(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  expect(made).toEqual([]);
});
