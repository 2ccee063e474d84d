import { expect, test } from "bun:test";
import { createHeldDocuments, createPausedDocuments } from "../../../src/ingest/queue/backlog.ts";
import { createRunningJobs } from "../../../src/ingest/queue/running-jobs.ts";

const waiting = (id: string, organizationId = "a") => ({ id, organizationId });
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

test("running jobs are counted by organization, and aborted one by one or all at once", async () => {
  const jobs = createRunningJobs();
  const ended: string[] = [];
  for (let at = 0; at < 256; at++) jobs.run(waiting(`${at}`), untilAborted, () => ended.push(`${at}`));
  jobs.run(waiting("other", "b"), untilAborted, () => ended.push("other"));
  expect([jobs.mayStart("a"), jobs.mayStart("b"), jobs.size]).toEqual([false, true, 257]);
  expect(await jobs.abort("7", "superseded")).toBeTrue();
  expect(await jobs.abort("7", "superseded")).toBeFalse();
  expect([ended, jobs.mayStart("a")]).toEqual([["7"], true]);
  await jobs.abortAll("closing");
  expect([jobs.size, ended.length]).toEqual([0, 257]);
});

test("a running job reports its start and its state until it ends", async () => {
  const jobs = createRunningJobs();
  let start = () => {};
  jobs.run(
    waiting("one"),
    (signal, onStart) => {
      start = onStart;
      return untilAborted(signal);
    },
    () => {},
  );
  expect([jobs.isStarted("one"), jobs.stateOf("one")]).toEqual([false, null]);
  start();
  const state = {
    status: "processing",
    error: null,
    errorReason: null,
    progress: { pages: 0, chunks: 1, embedded: 0 },
  };
  jobs.setState("one", { ...state, status: "processing" });
  jobs.setState("two", { ...state, status: "processing" });
  expect([jobs.isStarted("one"), jobs.stateOf("one")?.progress.chunks, jobs.stateOf("two")]).toEqual([true, 1, null]);
  await jobs.abortAll("closing");
  expect([jobs.isStarted("one"), jobs.stateOf("one")]).toEqual([false, null]);
});

test("paused documents are due after their pause, unless they are removed", async () => {
  const paused = createPausedDocuments();
  const due: string[] = [];
  for (const id of ["one", "two", "three"]) paused.add(waiting(id), 5, ({ id }) => due.push(id));
  expect([paused.remove("two"), paused.remove("two"), paused.size]).toEqual([true, false, 2]);
  await Bun.sleep(30);
  expect([due, paused.size]).toEqual([["one", "three"], 0]);
});

test("a held document is processed after its last holder", async () => {
  const freed: string[] = [];
  const held = createHeldDocuments(({ id }) => freed.push(id));
  const gate = Promise.withResolvers<void>();
  const first = held.hold("one", () => gate.promise);
  await held.hold("one", async () => held.setWaiting(waiting("one")));
  held.setWaiting(waiting("two"));
  expect([held.has("one"), freed]).toEqual([true, []]);
  gate.resolve();
  await first;
  expect([held.has("one"), freed]).toEqual([false, ["one"]]);
});
