import { describe, expect, test } from "bun:test";
import {
  beginsAsking,
  joinedQuestions,
  toldQuestion,
  withoutReason,
} from "../../../src/answers/reading/asking-clause.ts";
import { readAsk } from "../../../src/answers/reading/read-ask.ts";

describe("a question told within a sentence", () => {
  test.each([
    ["Sorry to bother you, but do you happen to know how much a locker costs?", "how much a locker costs?"],
    ["My husband asked me to look up where we may leave the pram.", "where we may leave the pram."],
    ["il disturbo, vorrei sapere quanto dura la garanzia.", "quanto dura la garanzia."],
    [
      "We hebben een drukke baan, dus ik vroeg me af hoeveel uur we moeten meewerken.",
      "hoeveel uur we moeten meewerken.",
    ],
    ["No sabemos desde qué hora podemos recoger las llaves.", "desde qué hora podemos recoger las llaves."],
    ["min sambo undrar i vilken maskin man får tvätta mattor.", "i vilken maskin man får tvätta mattor."],
    ["quick one - when does the coach leave?", "when does the coach leave?"],
    ["una preguntita: cuál es el teléfono?", "cuál es el teléfono?"],
    ["Weiß jemand, wann das Büro öffnet?", "wann das Büro öffnet?"],
    ["Which fault is worst, I mean: what is the highest set point?", "what is the highest set point?"],
  ])("%s", (sentence, told) => {
    expect(toldQuestion(sentence)).toBe(told);
  });

  test.each([
    "Do members get a discount when they pay late?",
    "If I cancel late, how much do I pay?",
    "When does the man who knows where it is come back?",
    "The display shows A08 and I don't know what to do, we have guests.",
    "I bought boots in April.",
  ])("none: %s", (sentence) => {
    expect(toldQuestion(sentence)).toBeNull();
  });
});

test.each([
  ["How much is the deposit, because I have to tell my boss", "How much is the deposit"],
  ["was kostet der Kurs, weil ich es wissen muss", "was kostet der Kurs"],
  ["List all boats, my boss wants to know", "List all boats"],
  ["how long is it open - urgent!", "how long is it open"],
  ["What is the default of --depth?", "What is the default of --depth?"],
  ["Who pays, because of whom?", "Who pays, because of whom?"],
  ["Who pays for the boiler, my landlord or I?", "Who pays for the boiler, my landlord or I?"],
  ["How much do I pay, if I cancel late?", "How much do I pay, if I cancel late?"],
])("why it is asked is no part of it: %s", (sentence, asked) => {
  expect(withoutReason(sentence)).toBe(asked);
});

test("a question begins with a word that asks, also after a preposition", () => {
  expect(["when is it", "in what year was it", "and how long", "à quelle heure"].map(beginsAsking)).toEqual(
    Array(4).fill(true),
  );
  expect(["List all boats", "in April", ""].map(beginsAsking)).toEqual(Array(3).fill(false));
});

test("two questions in one sentence are parted where both tell something", () => {
  expect(joinedQuestions("When does it open, and how long may guests stay?", 320)).toEqual([
    "When does it open",
    "how long may guests stay?",
  ]);
  expect(joinedQuestions("When and where is the meeting?", 320)).toEqual(["When and where is the meeting?"]);
});

describe("what is asked of a message as people type it", () => {
  test.each([
    ["hey there :) could you tell me who orders the columns in the lab? cheers", "who orders the columns in the lab?"],
    ["hello my name is tom and i live in flat 7. what is the rent of the flat", "what is the rent of the flat"],
    ["According to the documents, how long is the notice period?", "how long is the notice period?"],
    ["laut den hochgeladenen Dokumenten, wie lang ist die Frist?", "wie lang ist die Frist?"],
    ["根据文件，押金是多少？", "押金是多少？"],
    ["hey chatgpt how long is the notice period?", "how long is the notice period?"],
    ["@bot how long is the notice period?", "how long is the notice period?"],
    ["how long is the notice period thx", "how long is the notice period"],
    ["How long is the notice period, do you know?", "How long is the notice period?"],
    ["how long is the notice period? Yes or no?", "how long is the notice period?"],
  ])("%s", (message, question) => {
    expect(readAsk(message, { hasAnswer: false })).toMatchObject({ kind: "question", question });
  });

  test("what stands around a question is another way to read it", () => {
    const { question, readings } = readAsk("As a member of the rowing club I would like to know what a locker costs.", {
      hasAnswer: false,
    });
    expect(question).toBe("what a locker costs.");
    expect(readings).toEqual([question, "As a member of the rowing club I would like to know what a locker costs."]);
  });
});
