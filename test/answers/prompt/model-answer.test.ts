import { describe, expect, test } from "bun:test";
import { ProviderError } from "../../../providers/contract.ts";
import { type AnswerOptions, type ModelAnswer, writeAnswer } from "../../../src/answers/prompt/model-answer.ts";
import { createScriptedModel, type Script } from "../scripted-model.ts";

const prompt = { turns: [], sourcesIn: 2, isShortened: false, turnsLeftOut: 0, usedTokens: 100 };
const signal = new AbortController().signal;
const asked = { question: "When does it open?", today: "2026-01-31", seesSources: true };
const sources = [{ text: "In winter the reading room opens at nine." }, { text: "Coffee costs two euros since 2021." }];

const write = async (script: Script, change: Partial<AnswerOptions> = {}) => {
  const options: AnswerOptions = { sources, expectMarks: true, ...asked, ...change };
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
  test("warns where no source is marked, unless the caller's prompt decides", async () => {
    const warnings = ["The model marked no sources: check the answer against the snippets."];
    expect((await write({ steps: ["Nine."] })).answer.warnings).toEqual(warnings);
    expect((await write({ steps: ["Nine."] }, { expectMarks: false })).answer.warnings).toEqual([]);
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

  test("a statement that one source clearly supports, and that has no mark, gets one", async () => {
    const steps = ["In winter the reading room ", "opens at nine. Coffee costs two", " euros.\n\nAll the best!"];
    const { pieces, answer } = await write({ steps });
    expect(answer.text).toBe(
      "In winter the reading room opens at nine. [1] Coffee costs two euros. [2]\n\nAll the best!",
    );
    expect(pieces.join("")).toBe(answer.text);
    expect(answer).toMatchObject({ support: "supported", isDoubtful: false, warnings: [] });
  });

  test.each([
    ["code", "```\nIn winter the reading room opens at nine.\n```"],
    ["a heading", "## In winter the reading room opens at nine"],
    ["a table", "| In winter the reading room opens | at nine |\n| --- | --- |"],
    ["data", '{"answer": "In winter the reading room opens at nine."}'],
    ["what has a mark behind its full stop", "In winter the reading room opens at nine. [1]"],
    ["what has another number", "In winter the reading room opens at 10."],
  ])("no mark is added to %s", async (_name, text) => {
    expect((await write({ steps: [text] })).answer.text).toBe(text);
  });

  test("to a model that was shown no sources nothing is added, and nothing is claimed of them", async () => {
    const text = "In winter the reading room opens at nine. It has 4711 books.";
    expect((await write({ steps: [text] }, { seesSources: false })).answer).toMatchObject({
      text,
      support: null,
      isDoubtful: false,
    });
  });

  test.each<[string, string, string | null, boolean]>([
    ["held", "In winter it opens at nine [1].", "supported", false],
    ["of other words", "Elephants walk through the gardens of Babylon.", "unsupported", true],
    ["with a number that no source has", "Coffee costs two euros since 1968 [2].", "unsupported", true],
    ["partly with such a number", "Coffee costs two euros.\n\nThe reading room opens since 1968.", "partly", true],
    ["that repeats the question", "When does it open? In winter, the reading room opens at nine.", "supported", false],
    [
      "that nothing is held, honestly",
      "The provided documents do not contain any information about cats.",
      null,
      false,
    ],
    [
      "in another language",
      "Im Winter öffnet der Lesesaal um neun Uhr, und die Tür ist dann verschlossen.",
      null,
      false,
    ],
    ["in another language, with a number", "Seit 2021 kostet der Kaffee für alle zwei Euro.", "supported", false],
    ["in another language, with a wrong number", "Seit 1968 kostet der Kaffee für alle zwei Euro.", "partly", true],
    ["of code", "```ts\nconst elephants = 4711;\n```", null, false],
    ["of one word", "Yes.", null, false],
  ])("the support of an answer %s is told", async (_name, text, support, isDoubtful) => {
    expect((await write({ steps: [text] })).answer).toMatchObject({ support, isDoubtful });
  });

  test.each([
    ["a sentence", "The kettle boils water in the kettle until it boils. "],
    ["two sentences", "The kettle boils the water. The water is boiled by the kettle. "],
    ["a Chinese sentence", "水壶在水壶里烧水，直到水烧开为止。"],
    ["a list", "1. Clean the filter of the kettle every month.\n"],
  ])("an answer that repeats %s is stopped, and shows it once", async (_name, unit) => {
    const model = createScriptedModel();
    const steps = Array.from({ length: 40 }, (_, at) => unit.replace("1.", `${at + 1}.`));
    model.say({ steps });
    let text = "";
    const options = { sources, expectMarks: false, ...asked };
    const writing = writeAnswer(model, prompt, options, signal);
    let next = await writing.next();
    for (; !next.done; next = await writing.next()) text += next.value;
    expect(text.trim()).toBe(unit.trim());
    expect(next.value).toMatchObject({ support: "unsupported", isDoubtful: true });
    expect(next.value.warnings).toContain("The answer was stopped: the model said the same again and again.");
    expect(model.stopped).toBe(1);
  });

  test("a phrase without end is stopped", async () => {
    const { answer } = await write({ steps: Array.from({ length: 200 }, () => "and the kettle ") });
    expect(answer.text.length).toBeLessThan(400);
  });

  test.each([
    ["rows of a table", `| Day | State |\n| --- | --- |\n${"| Monday | closed |\n".repeat(12)}`],
    ["lines of code", `\`\`\`\n${"    print(line)\n".repeat(12)}\`\`\``],
    [
      "a list in which some lines come again",
      [1, 2, 3, 4].map((n) => `Ticket ${n}\n- Status: closed now\n- Owner: Ann Larch`).join("\n"),
    ],
    ["a rule", `Above\n\n${"-".repeat(200)}\n\nBelow`],
    ["a refrain", "Row the boat. Row the boat. Gently down the stream."],
  ])("%s are no repetition", async (_name, text) => {
    const { answer } = await write({ steps: [...(text.match(/.{1,7}/gs) ?? [])] }, { expectMarks: false });
    expect(answer.text).toBe(text);
  });
});
