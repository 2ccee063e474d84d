import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { estimateTokens } from "../../../providers/tokens/estimate-tokens.ts";
import { fitPrompt, type PromptRequest } from "../../../src/answers/prompt/budget.ts";
import type { Exchange } from "../../../src/answers/prompt/history.ts";
import type { Source } from "../../../src/answers/prompt/prompt.ts";
import { ApiError } from "../../../src/domain/errors.ts";

const source = (number: number, text: string): Source => ({
  number,
  documentName: "D",
  page: null,
  headings: [],
  about: [],
  context: "",
  text,
});

const exchange = (question: string, answer = "Yes."): Exchange => [
  { role: "user", content: question },
  { role: "assistant", content: answer },
];
const words = (count: number, word = "word"): string => Array(count).fill(word).join(" ");
const limits = (contextTokens: number, maxOutputTokens = 64) => ({ contextTokens, maxOutputTokens, estimateTokens });
const request = (change: Partial<PromptRequest>): PromptRequest => ({
  prompt: null,
  query: "When?",
  task: { kind: "question", certainty: "sure", instructions: "", attached: "", today: "2026-01-31" },
  sources: [],
  history: [],
  ...change,
});

const refusal = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return null;
};

describe("fitPrompt", () => {
  test("takes everything where there is room", () => {
    const fitted = fitPrompt(
      request({
        sources: [source(1, words(50)), source(2, words(50))],
        history: [exchange("Before")],
      }),
      limits(4096),
    );
    expect(fitted).toMatchObject({ sourcesIn: 2, isShortened: false, turnsLeftOut: 0 });
    expect(fitted.turns.at(-1)?.content).toContain("[2] D");
  });

  test("leaves sources out from the end, whole ones", () => {
    const sources = [1, 2, 3, 4, 5].map((number) => source(number, words(100)));
    const fitted = fitPrompt(request({ sources }), limits(600));
    expect(fitted.sourcesIn).toBeGreaterThan(0);
    expect(fitted.sourcesIn).toBeLessThan(5);
    expect(fitted.turns.at(-1)?.content).toContain(`[${fitted.sourcesIn}] D`);
    expect(fitted.turns.at(-1)?.content).not.toContain(`[${fitted.sourcesIn + 1}] D`);
    expect(fitted.isShortened).toBe(false);
  });

  test("cuts the best source where it does not fit whole, and says so", () => {
    const fitted = fitPrompt(request({ sources: [source(1, words(1000)), source(2, words(5))] }), limits(512));
    expect(fitted).toMatchObject({ sourcesIn: 1, isShortened: true });
    expect(fitted.turns.at(-1)?.content).toMatch(/word …\n\nQuestion: When\?\n/);
    expect(fitted.usedTokens).toBeLessThanOrEqual(512 - 64);
  });

  test("leaves the oldest pairs out before the newest, each whole", () => {
    const history = [1, 2, 3, 4].map((n) => exchange(`turn ${n} ${words(30)}`, words(20)));
    const fitted = fitPrompt(request({ sources: [source(1, words(80))], history }), limits(500));
    expect(fitted.turnsLeftOut).toBeGreaterThan(0);
    expect(fitted.turns.map(({ role }) => role).slice(0, 3)).toEqual(["system", "user", "assistant"]);
    const text = JSON.stringify(fitted.turns);
    expect(text).toContain("turn 4");
    expect(text).not.toContain("turn 1");
  });

  test("counts a source as often as the prompt shows it", () => {
    const sources = [1, 2, 3, 4].map((number) => source(number, words(60)));
    const once = fitPrompt(request({ prompt: "{contextText} {query}", sources }), limits(600));
    const twice = fitPrompt(request({ prompt: "{contextText} {contextText} {query}", sources }), limits(600));
    expect(twice.sourcesIn).toBeLessThan(once.sourcesIn);
  });

  test("shows no sources to a prompt without {contextText}", () => {
    const fitted = fitPrompt(request({ prompt: "Be short.", sources: [source(1, words(5000))] }), limits(512));
    expect(fitted).toMatchObject({ sourcesIn: 0, isShortened: false });
  });

  test("refuses a question that does not fit by itself", () => {
    const error = refusal(() => fitPrompt(request({ query: words(2000) }), limits(1024)));
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).code).toBe("question_too_long");
    expect((error as ApiError).status).toBe(413);
    expect((error as ApiError).message).toContain("models.answer.contextTokens");
  });

  test("refuses a question that leaves no room for any of the best source", () => {
    const sources = [source(1, words(500))];
    const barelyFitting = Array.from({ length: 400 }, (_, index) => words(400 - index)).find(
      (query) => refusal(() => fitPrompt(request({ query }), limits(512))) === null,
    );
    const error = refusal(() => fitPrompt(request({ query: barelyFitting ?? "", sources }), limits(512)));
    expect((error as ApiError).code).toBe("question_too_long");
  });

  test("never goes over the context less the room for the answer", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 256, max: 4000 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 8 }),
        fc.string({ maxLength: 300 }),
        (contextTokens, maxOutputTokens, sizes, turns, query) => {
          const sources = sizes.map((size, index) => source(index + 1, words(size, "wörter")));
          const history = turns.map((size) => exchange(words(size)));
          let fitted: ReturnType<typeof fitPrompt>;
          try {
            fitted = fitPrompt(request({ query, sources, history }), limits(contextTokens, maxOutputTokens));
          } catch (error) {
            expect((error as ApiError).code).toBe("question_too_long");
            return;
          }
          const reserved = Math.min(maxOutputTokens, Math.floor(contextTokens / 4));
          expect(fitted.usedTokens).toBeLessThanOrEqual(contextTokens - reserved);
          expect(fitted.sourcesIn > 0).toBe(sources.length > 0);
        },
      ),
    );
  });
});
