import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ParsedFile } from "../../providers/contract.ts";
import { analyseText } from "../../src/ingest/analysed-text.ts";
import { analyseOnThread } from "../../src/ingest/analysis-thread.ts";

const never = new AbortController().signal;
const words = (count: number): string =>
  Array.from({ length: count }, (_, at) => `word${at % 97} stands here.`).join(" ");

describe("analysis on a thread of its own", () => {
  test("gives what it gives here, whatever the text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "grapheme", maxLength: 200 }), { maxLength: 8 }), async (texts) => {
        const here = await Promise.all(texts.map((text) => analyseText(text, [], never)));
        expect(await Promise.all(texts.map((text) => analyseOnThread(text, [], never)))).toEqual(here);
      }),
      { numRuns: 50 },
    );
  });

  test("keeps halves of characters and pages as they are", async () => {
    const text = "One \ud83d page.\n\nAnother \ude00 page.";
    const pages = [
      { page: 1, start: 0 },
      { page: 2, start: 13 },
    ];
    const { chunks } = await analyseOnThread(text, pages, never);
    expect(chunks).toEqual((await analyseText(text, pages, never)).chunks);
    expect(chunks[0]?.chunk.page).toBe(1);
  });

  test("a short text does not wait for a long one", async () => {
    const done: string[] = [];
    const long = analyseOnThread(words(60_000), [], never).then(() => done.push("long"));
    const short = analyseOnThread(words(5), [], never).then(() => done.push("short"));
    await Promise.all([long, short]);
    expect(done).toEqual(["short", "long"]);
  });

  test("what nobody wants any more ends, and the others go on", async () => {
    const abort = new AbortController();
    const long = words(60_000);
    const unwanted = [
      analyseOnThread(long, [], abort.signal),
      analyseOnThread(long, [], abort.signal),
      analyseOnThread("short", [], abort.signal),
    ];
    const wanted = analyseOnThread(words(10), [], never);
    abort.abort(new Error("not wanted"));
    expect((await Promise.allSettled(unwanted)).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    expect((await wanted).tokens).toBeGreaterThan(10);
    expect((await Promise.allSettled([analyseOnThread("more", [], abort.signal)]))[0].status).toBe("rejected");
    expect((await analyseOnThread("more", [], never)).chunks).toHaveLength(1);
  });

  test("a text that cannot be analysed is told so, and the next one can", async () => {
    const broken = null as unknown as ParsedFile["pages"];
    const [told] = await Promise.allSettled([analyseOnThread("a page", broken, never)]);
    expect(told.status).toBe("rejected");
    expect((await analyseOnThread("a page", [], never)).chunks).toHaveLength(1);
  });
});
