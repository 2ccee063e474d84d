import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { analyzeOnThread } from "../../src/ingest/index/analysis-thread.ts";
import { lowerThreadPriorities } from "../../src/program/thread-priorities.ts";
import { openTemporaryStore } from "../store/open-temporary-store.ts";
import { eventually } from "../until.ts";

const threads = "/proc/self/task";

/** Niceness of the threads whose name begins so, as Linux tells it (proc(5), field 19 of stat). */
const nicenessOf = (name: string): number[] =>
  readdirSync(threads).flatMap((id) => {
    try {
      const [, comm = "", rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`${threads}/${id}/stat`, "utf8")) ?? [];
      return comm.startsWith(name) ? [Number(rest.split(" ")[16])] : [];
    } catch {
      return [];
    }
  });

/** Runs functions that are new to the compiler, often. */
const keepCompiling = (seed: number): number => {
  const body = `let sum = ${seed}; for (let at = 0; at < 20000; at++) sum = (sum * 31 + at) | 0; return sum;`;
  const made = new Function(body) as () => number;
  let sum = 0;
  for (let times = 0; times < 50; times++) sum += made();
  return sum;
};

test.if(process.platform === "linux")(
  "threads that compile, analyze or search go after the one that serves, and only they",
  async () => {
    // `nice npm test` gives one to begin with.
    const own = getPriority(process.pid);
    const after = (added: number): number => Math.min(19, own + added);
    const { dispose } = await openTemporaryStore();
    const end = lowerThreadPriorities(() => () => {});
    let seed = 0;
    await eventually(async () => {
      keepCompiling(seed++);
      await analyzeOnThread([{ text: "A text.", pages: [] }], "interactive", new AbortController().signal);
      expect(nicenessOf("JITWorker")).toContain(after(10));
      expect(nicenessOf("analysis")).toEqual([after(6)]);
      expect(new Set(nicenessOf("tokio-rt-worker"))).toEqual(new Set([after(3)]));
    }).finally(end);
    await dispose();
    expect(getPriority(process.pid)).toBe(own);
  },
);
