import { expect, test } from "bun:test";
import {
  createUploadQueue,
  SendFailure,
  type UploadState,
} from "../../../src/web/browser/console/views/documents/adding/upload-queue.ts";

/** Files that are taken, refused or waited for as the test says. */
const scripted = (answers: Record<string, (SendFailure | "taken")[]> = {}) => {
  const open = new Map<string, () => void>();
  const sent: string[] = [];
  let most = 0;
  let now = 0;
  const queue = createUploadQueue<string>({
    firstPauseMs: 1,
    maxPauseMs: 2,
    async send(item, { signal }) {
      sent.push(item);
      now += 1;
      most = Math.max(most, now);
      try {
        const answer = answers[item]?.shift();
        if (answer instanceof SendFailure) throw answer;
        if (answer === undefined)
          await new Promise<void>((resolve, reject) => {
            open.set(item, resolve);
            signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
          });
        return `id of ${item}`;
      } finally {
        now -= 1;
      }
    },
  });
  return { queue, sent, most: () => most, now: () => now, finish: (item: string) => open.get(item)?.() };
};
const items = (...names: string[]) => names.map((name) => ({ name, item: name }));
const settled = async (done: () => boolean): Promise<void> => {
  while (!done()) await Bun.sleep(1);
};
const states = (queue: { uploads: readonly { name: string; state: UploadState }[] }) =>
  Object.fromEntries(queue.uploads.map(({ name, state }) => [name, state]));

test("four are sent at once; the next begins when one is done", async () => {
  const { queue, sent, most, finish } = scripted();
  queue.add(items("a", "b", "c", "d", "e", "f"));
  await settled(() => sent.length === 4);
  finish("b");
  await settled(() => sent.length === 5);
  expect(states(queue)).toEqual({
    a: "sending",
    b: "sent",
    c: "sending",
    d: "sending",
    e: "sending",
    f: "waiting",
  });
  expect(most()).toBe(4);
  queue.stop();
});

test("a busy server is asked again; what it refuses has failed with its words, and can be sent again", async () => {
  const { queue, sent } = scripted({
    busy: [new SendFailure("busy", 1), new SendFailure("away", "later"), "taken"],
    bad: [new SendFailure("of no use", null), "taken"],
  });
  queue.add(items("busy", "bad"));
  await settled(() => states(queue).busy === "sent" && states(queue).bad === "failed");
  expect(sent.filter((name) => name === "busy")).toHaveLength(3);
  expect(queue.pausedBy.value).toBeNull();
  const [, bad] = queue.uploads;
  if (bad === undefined) throw new Error("it is gone");
  expect([bad.error, bad.documentId]).toEqual(["of no use", null]);
  queue.resend(bad);
  await settled(() => bad.state === "sent");
  expect([bad.error, bad.documentId]).toEqual([null, "id of bad"]);
});

test("stopping drops what is not sent, ends what is being sent, and leaves room for more", async () => {
  const { queue, sent, most, now } = scripted({ done: ["taken"], later: ["taken"] });
  queue.add(items("done", "a", "b", "c", "d", "e"));
  await settled(() => sent.includes("d"));
  expect(queue.stop()).toBe(5);
  expect(states(queue)).toEqual({ done: "sent" });
  await settled(() => now() === 0);
  queue.add(items("later"));
  await settled(() => states(queue).later === "sent");
  expect(sent).not.toContain("e");
  expect(most()).toBeLessThanOrEqual(4);
});

test("what came otherwise is followed like a file, and forgotten when it is over", () => {
  const { queue } = scripted();
  queue.addSent([{ name: "page", item: "page", documentId: "1" }]);
  const [page] = queue.uploads;
  if (page === undefined) throw new Error("it is gone");
  queue.clear();
  expect(states(queue)).toEqual({ page: "sent" });
  queue.settle(page, "ready", null);
  queue.clear();
  expect(queue.uploads).toEqual([]);
});
