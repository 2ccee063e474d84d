import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createStaticEmbedding } from "../../../providers/builtin/static/embedding.ts";
import type { ParsedFile } from "../../../providers/contract.ts";
import { analyzeOnThread } from "../../../src/ingest/index/analysis-thread.ts";
import { type AnalyzedText, analyzeText, type TextToAnalyze } from "../../../src/ingest/index/analyzed-text.ts";
import { embeddingInput } from "../../../src/text/chunk/chunk.ts";

const never = new AbortController().signal;
const words = (count: number): string =>
  Array.from({ length: count }, (_, at) => `word${at % 97} stands here.`).join(" ");

const alone = async (text: TextToAnalyze, signal: AbortSignal = never): Promise<AnalyzedText> => {
  const [analyzed] = await analyzeOnThread([text], "interactive", signal);
  return analyzed as AnalyzedText;
};
const textOf = (text: string): TextToAnalyze => ({ text, pages: [] });

describe("analysis on a thread of its own", () => {
  test("gives what it gives here, whatever the text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "grapheme", maxLength: 200 }), { maxLength: 8 }), async (texts) => {
        const named = texts.map((text, at) => ({
          text,
          pages: [],
          ...(at % 2 === 0 ? { name: text.slice(0, 9) } : {}),
        }));
        const here = await Promise.all(named.map((one) => analyzeText(one, never)));
        expect(await Promise.all(named.map((one) => alone(one)))).toEqual(here);
        expect(await analyzeOnThread(named, "background", never)).toEqual(here);
      }),
      { numRuns: 50 },
    );
  });

  test("makes the vectors of the built-in static model, the same as the model makes them itself", async () => {
    const embedding = await createStaticEmbedding();
    const texts = [
      textOf("# Pumps\n\nThe pump in the northern hall is inspected twice a year."),
      textOf(words(40_000)),
    ];
    const analyzed = await analyzeOnThread(texts, "interactive", never, embedding.table);
    const chunks = analyzed.flatMap((text) => text.chunks);
    const inputs = chunks.map(({ chunk }) => embeddingInput(chunk));
    expect(chunks.map(({ vector }) => vector)).toEqual(await embedding.embed(inputs, "document", never));
    expect((await alone(textOf("no table"))).chunks[0]?.vector).toBeNull();
  });

  test("keeps halves of characters and pages as they are", async () => {
    const text = "One \ud83d page.\n\nAnother \ude00 page.";
    const pages = [
      { page: 1, start: 0 },
      { page: 2, start: 13 },
    ];
    const { chunks } = await alone({ text, pages });
    expect(chunks).toEqual((await analyzeText({ text, pages }, never)).chunks);
    expect(chunks[0]?.chunk.page).toBe(1);
  });

  test("a text whose chunks come in several parts is complete", async () => {
    const text = words(40_000);
    const here = await analyzeText(textOf(text), never);
    expect(here.chunks.length).toBeGreaterThan(600);
    expect(await analyzeOnThread([textOf("First."), textOf(text), textOf("Last.")], "interactive", never)).toEqual([
      await analyzeText(textOf("First."), never),
      here,
      await analyzeText(textOf("Last."), never),
    ]);
  });

  test("a short text does not wait for a long one", async () => {
    const done: string[] = [];
    const long = alone(textOf(words(60_000))).then(() => done.push("long"));
    const short = alone(textOf(words(5))).then(() => done.push("short"));
    await Promise.all([long, short]);
    expect(done).toEqual(["short", "long"]);
  });

  test("interactive texts are analyzed before background ones", async () => {
    const done: string[] = [];
    const inputs = Array.from({ length: 20 }, () => [textOf(words(1_000))]);
    const background = inputs.map((texts) =>
      analyzeOnThread(texts, "background", never).then(() => done.push("background")),
    );
    await background[0];
    const interactive = alone(textOf(words(5))).then(() => done.push("interactive"));
    await Promise.all([...background, interactive]);
    expect(done.indexOf("interactive")).toBeLessThan(10);
  });

  test("an aborted text ends, and the others go on", async () => {
    const abort = new AbortController();
    const long = words(60_000);
    const unwanted = [
      alone(textOf(long), abort.signal),
      alone(textOf(long), abort.signal),
      alone(textOf("short"), abort.signal),
    ];
    const wanted = alone(textOf(words(10)));
    abort.abort(new Error("not wanted"));
    expect((await Promise.allSettled(unwanted)).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    expect((await wanted).tokens).toBeGreaterThan(10);
    expect((await Promise.allSettled([alone(textOf("more"), abort.signal)]))[0].status).toBe("rejected");
    expect((await alone(textOf("more"))).chunks).toHaveLength(1);
  });

  test("a text that cannot be analyzed fails, and the next one does not", async () => {
    const broken = { text: "a page", pages: null as unknown as ParsedFile["pages"] };
    const [told] = await Promise.allSettled([alone(broken)]);
    expect(told.status).toBe("rejected");
    expect((await alone(textOf("a page"))).chunks).toHaveLength(1);
  });
});
