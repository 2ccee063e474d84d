import { describe, expect, test } from "bun:test";
import { ProviderError } from "../../providers/contract.ts";
import { type ModelAnswer, writeAnswer } from "../../src/answers/model-answer.ts";
import { createScriptedModel, type Script } from "./scripted-model.ts";

const prompt = { turns: [], sourcesIn: 2, isShortened: false, turnsLeftOut: 0, usedTokens: 100 };
const signal = new AbortController().signal;
const sources = [{ text: "In winter the reading room opens at nine." }, { text: "Coffee costs two euros since 2021." }];

const write = async (script: Script, options = { sources, expectMarks: true }) => {
  const model = createScriptedModel();
  model.say(script);
  const pieces: string[] = [];
  const writing = writeAnswer(model, prompt, options, signal);
  for (;;) {
    const next = await writing.next();
    if (next.done) return { pieces, answer: next.value as ModelAnswer };
    pieces.push(next.value);
  }
};

describe("writeAnswer", () => {
  test("hands the answer on piece by piece and whole", async () => {
    const { pieces, answer } = await write({ steps: ["At ", "nine [", "1]."], promptTokens: 88 });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(answer.text);
    expect(answer).toEqual({ text: "At nine [1].", promptTokens: 88, warnings: [] });
  });

  test("counts marks that point nowhere", async () => {
    const { answer } = await write({ steps: ["Nine [1]. Ten [7]. Eleven [0]."] });
    expect(answer).toEqual({
      text: "Nine [1]. Ten. Eleven.",
      promptTokens: 100,
      warnings: ["2 marks in the answer pointed to no snippet and were taken out."],
    });
  });

  test("warns where no source is marked, unless the caller's prompt decides", async () => {
    const warnings = ["The model marked no sources: check the answer against the snippets."];
    expect((await write({ steps: ["Nine."] })).answer.warnings).toEqual(warnings);
    expect((await write({ steps: ["Nine."] }, { sources, expectMarks: false })).answer.warnings).toEqual([]);
  });

  test("warns of an answer cut short", async () => {
    const { answer } = await write({ steps: ["Nine [1]"], finishReason: "length" });
    expect(answer.warnings).toEqual([
      "The answer was cut: it reached models.answer.maxOutputTokens or the end of the model's context.",
    ]);
  });

  test("warns of a prompt that the server cut in silence", async () => {
    const { answer } = await write({ steps: ["Nine [1]"], promptTokens: 4096, isPromptCut: true });
    expect(answer.warnings).toEqual([
      "The model's server cut the prompt to its context of 4096 tokens: the answer may lack what the sources or the earlier messages say.",
    ]);
  });

  test.each([
    ["parrot:latest", []],
    ["org/Parrot", []],
    ["C:\\models\\parrot.gguf", []],
    ["parrot-2026-01-31", []],
    [null, []],
    ["cuckoo", ['Model "cuckoo" answered, not "parrot", which was requested.']],
  ])("answered by %s", async (answeredBy, warnings) => {
    expect((await write({ steps: ["Nine [1]."], answeredBy })).answer.warnings).toEqual(warnings);
  });

  test("an empty answer is a failure, one that ran out of tokens while thinking is not", async () => {
    const failure = await write({ steps: [] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProviderError);
    expect((failure as ProviderError).kind).toBe("bad_answer");
    expect((await write({ steps: [], finishReason: "length" })).answer.text).toBe("");
  });

  test("one that the server's content filter cut is a warning", async () => {
    const { answer } = await write({ steps: ["Nine [1]"], finishReason: "filtered" });
    expect(answer).toMatchObject({ text: "Nine [1]", warnings: [expect.stringContaining("content filter")] });
  });

  test("a reader who leaves stops the model", async () => {
    const model = createScriptedModel();
    model.say({ steps: ["One ", "two ", "three"] });
    for await (const _piece of writeAnswer(model, prompt, { sources, expectMarks: true }, signal)) break;
    expect(model.stopped).toBe(1);
  });
});
